"""What the source of a class declares and mypy does not keep: read while a module is analysed, kept with the class.

A class from the cache has lost its AST. Decorator arguments, field options, pydantic's `model_config` and the way that
`__init__` fills the attributes are therefore written into `TypeInfo.metadata`, in semantic analysis: metadata of any
other phase is lost in some mode.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from mypy.nodes import (
    MDEF,
    AssignmentStmt,
    CallExpr,
    ClassDef,
    Decorator,
    DictExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    IndexExpr,
    IntExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    RaiseStmt,
    RefExpr,
    ReturnStmt,
    Statement,
    StrExpr,
    SymbolTableNode,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.plugin import ClassDefContext, SemanticAnalyzerPluginInterface
from mypy.types import LiteralType, UnboundType

from .compat import is_stub, keeps_fine_grained_state, remove_class_check, resolve_name, schedule_class_check
from .derivation_facts import read_derivation
from .equality_facts import read_equality
from .memory import MEMORY
from .names import CACHES, PARTIAL
from .syntax import assignment_targets, dotted_name, statements

KEY: Final = "jaxtyped_static"
_FINGERPRINT: Final = "__jaxtyped_static_facts"

Facts = dict[str, Any]
_NONE: Final[Facts] = {}
_PROTOCOLS: Final = ("typing.Protocol", "typing_extensions.Protocol")
_NO_EQ: Final = ("builtins.object", "abc.ABC")
_FILLERS: Final = ("__init__", "__post_init__", "__attrs_post_init__")
_DICTS: Final = ("dict", "ConfigDict", "pydantic.ConfigDict")  # calls that make a dict of their keyword arguments


def facts_of(info: TypeInfo) -> Facts:
    """What was recorded of a class; empty when there was nothing to say.

    Keys: `decorators` (full name and literal keyword arguments of each), `keywords` (of the class statement), `fields`
    (literal keyword arguments of the call that is a field's default), `config` (those of `model_config`), `parameters`
    (attribute -> the `__init__` parameter it is set from), `reassigned` (private attributes set outside `__init__`),
    `refuses_assignment` (a `__setattr__` that raises), `may_refuse_assignment` (one that raises sometimes),
    `hash_is_none`, `caches` (method -> the decorator that caches its result, and whether jax visibly makes that);
    those of `equality_facts` and `derivation_facts`.
    """
    return info.metadata.get(KEY, _NONE)


def record_class_facts(ctx: ClassDefContext) -> None:
    """Called when the bases of a class are known; runs again on every iteration of semantic analysis."""
    remove_class_check(ctx.cls)
    MEMORY.forget(ctx.cls.info.fullname)
    facts = {key: value for key, value in _read_class(ctx.cls, ctx.api) if value}
    info = ctx.cls.info
    if facts or len(info.bases) > 1 or len(info.mro) > 2:
        schedule_class_check(ctx.cls, ctx.api)
    if not facts:
        info.metadata.pop(KEY, None)
        return
    info.metadata[KEY] = facts
    if keeps_fine_grained_state(ctx.api) and not _is_compared_by_members(ctx.cls, ctx.api):
        _add_fingerprint(info, facts, ctx.api)


def _add_fingerprint(info: TypeInfo, facts: Facts, api: SemanticAnalyzerPluginInterface) -> None:
    """Makes a change of the facts visible to the daemon, which compares symbols and not metadata.

    The name is class-private, so that no subclass is compared with it.
    """
    text = json.dumps(facts, sort_keys=True)
    var = Var(_FINGERPRINT, LiteralType(text, api.named_type("builtins.str")))
    var.info = info
    var._fullname = f"{info.fullname}.{_FINGERPRINT}"
    var.is_classvar = var.is_ready = True
    info.names[_FINGERPRINT] = SymbolTableNode(MDEF, var, plugin_generated=True)


def _is_compared_by_members(cls: ClassDef, api: SemanticAnalyzerPluginInterface) -> bool:
    """A protocol or an enum, where one more name would be one more member. mypy has not marked protocols yet."""
    expressions = [*cls.base_type_exprs, *cls.removed_base_type_exprs]
    names = (dotted_name(node.base if isinstance(node, IndexExpr) else node) for node in expressions)
    full_names = (resolve_name(api, name, cls) for name in names if name is not None)
    return cls.info.is_enum or any(name in _PROTOCOLS for name in full_names)


def _read_class(cls: ClassDef, api: SemanticAnalyzerPluginInterface) -> Iterator[tuple[str, Any]]:
    if cls.decorators:
        yield "decorators", [found for node in cls.decorators if (found := _read_decorator(node, api)) is not None]
    if cls.keywords:
        yield "keywords", {name: literal(value) for name, value in cls.keywords.items() if name != "metaclass"}
    if is_stub(api):
        return  # no values and no bodies to read
    yield from _read_assignments(cls.defs.body, cls.info)
    yield "caches", dict(_read_caches(cls.defs.body, api))
    functions = _functions(cls.defs.body)
    filled = dict(_read_init(functions["__init__"], functions)) if "__init__" in functions else {}
    yield from filled.items()
    yield from read_equality(cls, api)
    if "__eq__" in functions or "__init__" not in functions or cls.decorators or _may_inherit_eq(cls):
        fillers = [functions[name] for name in _FILLERS if name in functions]
        yield from read_derivation(fillers, filled.get("parameters", {}))
    if (setattr_ := functions.get("__setattr__")) is not None:
        refuses = _raises(setattr_)
        yield "refuses_assignment", refuses
        yield (
            "may_refuse_assignment",
            not refuses and any(isinstance(node, RaiseStmt) for node in statements(setattr_.body.body)),
        )


def _may_inherit_eq(cls: ClassDef) -> bool:
    return any(base.type.fullname not in _NO_EQ for base in cls.info.bases)


def _read_decorator(node: Expression, api: SemanticAnalyzerPluginInterface) -> list[Any] | None:
    """`[full name, literal keyword arguments]`; `partial(f, ...)` reads as `f(...)`."""
    arguments: Facts = {}
    if isinstance(node, CallExpr):
        arguments = _keywords(node)
        name = dotted_name(node.callee)
        if name is not None and node.args and resolve_name(api, name, node) == PARTIAL:
            name = dotted_name(node.args[0])
    else:
        name = dotted_name(node)
    if name is None:
        return ["", arguments]
    return [resolve_name(api, name, node) or "", arguments]


def _read_caches(body: list[Statement], api: SemanticAnalyzerPluginInterface) -> Iterator[tuple[str, list[Any]]]:
    """Methods behind a cache: which it is, and whether an unannotated one visibly returns what jax makes."""
    for node in body:
        if isinstance(node, Decorator):
            for decorator in node.original_decorators:
                written = dotted_name(decorator.callee if isinstance(decorator, CallExpr) else decorator)
                name = resolve_name(api, written, node) if written is not None and "cache" in written else None
                if name in CACHES:
                    yield node.name, [name, node.func.unanalyzed_type is None and _returns_jax(node.func, api)]


def _returns_jax(function: FuncDef, api: SemanticAnalyzerPluginInterface) -> bool:
    returned = (node.expr for node in statements(function.body.body) if isinstance(node, ReturnStmt))
    called = (dotted_name(expression.callee) for expression in returned if isinstance(expression, CallExpr))
    return any((resolve_name(api, name, function) or "").startswith("jax.") for name in called if name is not None)


def _read_assignments(body: list[Statement], info: TypeInfo) -> Iterator[tuple[str, Any]]:
    """Options of fields; a field that is declared anew without any loses those of the base."""
    inherited = {name for base in info.mro[1:] for name in facts_of(base).get("fields", ())}
    fields: Facts = {}
    for statement in body:
        if not isinstance(statement, AssignmentStmt) or not isinstance(target := statement.lvalues[0], NameExpr):
            continue
        if target.name == "__hash__":
            yield "hash_is_none", isinstance(statement.rvalue, NameExpr) and statement.rvalue.name == "None"
        elif target.name == "model_config":
            yield "config", literal(statement.rvalue) or {"frozen": None}
        elif isinstance(statement.rvalue, CallExpr) and (options := _keywords(statement.rvalue)):
            fields[target.name] = options
        elif target.name in inherited:
            fields[target.name] = {}
    yield "fields", fields


def _functions(body: list[Statement]) -> dict[str, FuncDef]:
    plain = (node.func if isinstance(node, Decorator) else node for node in body)
    return {node.name: node for node in plain if isinstance(node, FuncDef)}


def _read_init(init: FuncDef, functions: dict[str, FuncDef]) -> Iterator[tuple[str, Any]]:
    """How `__init__` fills the attributes and, where all of them are private, what other methods do to these.

    A public attribute makes the class mutable as it is, so that the other methods, the dear part, need not be read.
    """
    if not init.arguments:
        return
    self_name = init.arguments[0].variable.name
    names = {argument.variable.name for argument in init.arguments[1:]}
    assigned = list(_self_assignments(init.body.body, self_name))
    filled = {name: node.rvalue.name for name, node in assigned if isinstance(node.rvalue, NameExpr)}
    yield "parameters", {name: parameter for name, parameter in filled.items() if parameter in names}
    changing = [name for name, node in assigned if not _is_final(node)]
    if changing and all(name.startswith("_") for name in changing):
        others = (function for name, function in functions.items() if name != "__init__")
        yield "reassigned", sorted({name for function in others for name in _assigned_attributes(function)})


def _self_assignments(body: list[Statement], self_name: str) -> Iterator[tuple[str, AssignmentStmt]]:
    for statement in body:
        if not isinstance(statement, AssignmentStmt):
            continue
        for target in statement.lvalues:
            if isinstance(target, MemberExpr) and isinstance(target.expr, NameExpr) and target.expr.name == self_name:
                yield target.name, statement


def _is_final(node: AssignmentStmt) -> bool:
    """`self.n: Final = ...`, as written: mypy has not resolved the name yet."""
    written = node.unanalyzed_type
    return isinstance(written, UnboundType) and written.name.rpartition(".")[2] == "Final"


def _assigned_attributes(function: FuncDef) -> Iterator[str]:
    """Attributes of `self` that a method assigns, in functions nested in it too."""
    if not function.arguments:
        return
    self_name = function.arguments[0].variable.name
    for statement in statements(function.body.body):
        for target in assignment_targets(statement):
            if isinstance(target, MemberExpr) and isinstance(target.expr, NameExpr) and target.expr.name == self_name:
                yield target.name


def _raises(function: FuncDef) -> bool:
    """Whether the first thing a body does, after a docstring, is to raise."""
    body = function.body.body
    if body and isinstance(body[0], ExpressionStmt) and isinstance(body[0].expr, StrExpr):
        body = body[1:]
    return bool(body) and isinstance(body[0], RaiseStmt)


def _keywords(call: CallExpr) -> Facts:
    return {name: literal(value) for name, value in zip(call.arg_names, call.args, strict=True) if name is not None}


def literal(node: Expression) -> Any:
    """The value of a literal expression, as JSON has it; None for anything else (and for `None`)."""
    if isinstance(node, (StrExpr, IntExpr)):
        return node.value
    if isinstance(node, NameExpr):
        return {"True": True, "False": False}.get(node.name)
    if isinstance(node, (ListExpr, TupleExpr)):
        return [literal(item) for item in node.items]
    if isinstance(node, DictExpr):
        return {key.value: literal(value) for key, value in node.items if isinstance(key, StrExpr)}
    if isinstance(node, CallExpr) and isinstance(node.callee, RefExpr) and dotted_name(node.callee) in _DICTS:
        return _keywords(node)
    return None
