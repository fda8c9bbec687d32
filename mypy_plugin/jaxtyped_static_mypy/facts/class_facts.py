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
    CallExpr,
    ClassDef,
    Decorator,
    Expression,
    FuncDef,
    IndexExpr,
    ReturnStmt,
    SymbolTableNode,
    TypeInfo,
    Var,
)
from mypy.plugin import ClassDefContext, SemanticAnalyzerPluginInterface
from mypy.types import LiteralType

from ..compat import (
    is_stub,
    keeps_fine_grained_state,
    remove_class_check,
    schedule_class_check,
    shows_no_errors,
    when_analyzed,
)
from ..compat_names import (
    name_at_run_time,
    names_class,
    re_exported_name,
    resolve_name,
    resolves_all,
    transform_by,
)
from ..memory import MEMORY
from ..names import CACHES, PARTIAL
from ..syntax import dotted_name, statements
from .class_body import ClassBody
from .derivation_facts import read_derivation
from .enum_facts import read_enum
from .equality_facts import read_equality
from .field_facts import FIELD_FACTS, read_fields
from .foreign_registrations import VIEW
from .literals import keywords, literal
from .method_facts import read_methods
from .registration_facts import read_registrations

KEY: Final = "jaxtyped_static"
_FINGERPRINT: Final = "__jaxtyped_static_facts"

Facts = dict[str, Any]
_NONE: Final[Facts] = {}
_PROTOCOLS: Final = ("typing.Protocol", "typing_extensions.Protocol")
_NO_EQ: Final = ("builtins.object", "abc.ABC")
_FILLERS: Final = ("__init__", "__post_init__", "__attrs_post_init__")


def facts_of(info: TypeInfo) -> Facts:
    """What was recorded of a class; empty when there was nothing to say.

    Of the class statement: `decorators` (full name and literal keyword arguments of each), `registrations` (the same of
    calls that register the class, in its module or as the one being checked sees it), `mentioned` (to what might
    register it, too), `keywords`, `unknown_bases` (of which mypy sees nothing), `eq_default_off` (by
    `dataclass_transform`).
    Of its fields: `fields` (literal keyword arguments of the call that is a field's default), `specifiers` (that call's
    function), `annotated` (what stands beside the type in `Annotated`), `config` (of `model_config`), `hash_is_none`.
    Of its methods: `parameters` (attribute -> the `__init__` parameter it is set from), `initialized` and `reassigned`
    (private attributes set while the object is made, and later; unread if `sets_public`), `flatten` (what a pytree
    hands over as children, and keeps), `caches` (method -> the decorator that caches its result, and whether jax
    visibly makes that), `left_to_others` (methods that only raise `NotImplementedError`), `refuses_assignment` (a
    `__setattr__` that raises), `may_refuse_assignment` (one that raises sometimes); those of `equality_facts`,
    `derivation_facts` and `enum_facts`.
    """
    facts = info.metadata.get(KEY, _NONE)
    foreign = VIEW.facts.get(info.fullname) if VIEW.facts else None
    return facts if foreign is None else facts | foreign | {"registrations": _all_registrations(facts, foreign)}


def _all_registrations(facts: Facts, foreign: Facts) -> list[Any]:
    return [*facts.get("registrations", ()), *foreign["registrations"]]


def record_class_facts(ctx: ClassDefContext, *, is_checked: bool) -> None:
    """Called when the bases of a class are known; runs again on every iteration of semantic analysis.

    `is_checked`: there may be something to say of the class, other than where somebody else uses it.
    """
    remove_class_check(ctx.cls)
    MEMORY.forget(ctx.cls.info.fullname)
    facts, info = _facts_of_statement(ctx.cls, ctx.api), ctx.cls.info
    if is_checked and (facts or len(info.mro) > 2) and not shows_no_errors(ctx.api):
        schedule_class_check(ctx.cls, ctx.api)
    if not facts:
        info.metadata.pop(KEY, None)
        return
    info.metadata[KEY] = facts
    if keeps_fine_grained_state(ctx.api) and not _is_compared_by_members(ctx.cls, ctx.api):
        _add_fingerprint(info, facts, ctx.api)


# Of the classes that are being analysed: every iteration asks for each of them.
_FINISHED: Final[dict[ClassDef, Facts]] = {}


def _facts_of_statement(cls: ClassDef, api: SemanticAnalyzerPluginInterface) -> Facts:
    if is_stub(api) and not (cls.decorators or cls.keywords or cls.info.fallback_to_any):
        return _NONE
    if cls in _FINISHED:
        return _FINISHED[cls]
    facts, final = resolves_all(lambda: {key: value for key, value in _read_class(cls, api) if value})
    if final:
        if not _FINISHED:
            when_analyzed(api, _FINISHED.clear)
        _FINISHED[cls] = facts
    return facts


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
        yield "decorators", [_read_decorator(node, api) for node in cls.decorators]
        yield "eq_default_off", any(_switches_eq_off(node, api) for node in cls.decorators)
    if cls.keywords:
        yield "keywords", {name: literal(value) for name, value in cls.keywords.items() if name != "metaclass"}
    if cls.info.fallback_to_any:
        yield "unknown_bases", list(_unknown_bases(cls, api))
    if is_stub(api):
        return  # no values and no bodies to read
    body = ClassBody.of(cls)
    yield from read_fields(body, _inherited_fields(cls.info) if body.assignments else frozenset(), api)
    filled = dict(read_methods(body))
    yield from filled.items()
    yield from read_equality(cls, body, api)
    methods = body.methods
    if "__eq__" in methods or "__init__" not in methods or cls.decorators or _may_inherit_eq(cls):
        fillers = [methods[name] for name in _FILLERS if name in methods]
        yield from read_derivation(fillers, filled.get("parameters", {}))
    yield "caches", dict(_read_caches(body.decorated, api))
    yield from read_registrations(cls, body, api)
    yield from read_enum(cls.info, body)


def _inherited_fields(info: TypeInfo) -> frozenset[str]:
    """The names of fields of base classes that have facts."""
    inherited = (facts_of(base) for base in info.mro[1:])
    return frozenset(name for facts in inherited if facts for key in FIELD_FACTS for name in facts.get(key, ()))


def _may_inherit_eq(cls: ClassDef) -> bool:
    return any(base.type.fullname not in _NO_EQ for base in cls.info.bases)


def _read_decorator(node: Expression, api: SemanticAnalyzerPluginInterface) -> list[Any]:
    """`[full name, literal keyword arguments]`; `partial(f, ...)` reads as `f(...)`."""
    arguments: Facts = {}
    if isinstance(node, CallExpr):
        arguments = keywords(node)
        name = dotted_name(node.callee)
        if name is not None and node.args and resolve_name(api, name, node) == PARTIAL:
            name = dotted_name(node.args[0])
    else:
        name = dotted_name(node)
    if name is None:
        return ["", arguments]
    found = name_at_run_time(api, name) or re_exported_name(api, name) or resolve_name(api, name, node)
    return [found or "", arguments]


def _read_caches(methods: list[Decorator], api: SemanticAnalyzerPluginInterface) -> Iterator[tuple[str, list[Any]]]:
    """Methods behind a cache: which it is, and whether an unannotated one visibly returns what jax makes."""
    for node in methods:
        for decorator in node.original_decorators:
            written = dotted_name(decorator.callee if isinstance(decorator, CallExpr) else decorator)
            name = resolve_name(api, written, node) if written is not None and "cache" in written else None
            if name in CACHES:
                yield node.name, [name, node.func.unanalyzed_type is None and _returns_jax(node.func, api)]


def _returns_jax(function: FuncDef, api: SemanticAnalyzerPluginInterface) -> bool:
    returned = (node.expr for node in statements(function.body.body) if isinstance(node, ReturnStmt))
    called = (dotted_name(expression.callee) for expression in returned if isinstance(expression, CallExpr))
    return any((resolve_name(api, name, function) or "").startswith("jax.") for name in called if name is not None)


def _switches_eq_off(node: Expression, api: SemanticAnalyzerPluginInterface) -> bool:
    """Whether a decorator is a `dataclass_transform(eq_default=False)`."""
    name = dotted_name(node.callee if isinstance(node, CallExpr) else node)
    spec = transform_by(api, name, node) if name is not None else None
    if isinstance(spec, CallExpr):
        return keywords(spec).get("eq_default") is False
    return spec is not None and not spec.eq_default


def _unknown_bases(cls: ClassDef, api: SemanticAnalyzerPluginInterface) -> Iterator[str]:
    """The full names, as imported, of bases that mypy sees nothing of; empty where there is none."""
    for node in cls.base_type_exprs:
        name = dotted_name(node.base if isinstance(node, IndexExpr) else node)
        if name is None:
            yield ""
        elif not names_class(api, name, node):
            yield resolve_name(api, name, node) or ""
