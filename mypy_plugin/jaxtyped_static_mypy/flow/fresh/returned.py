"""Calls: the result of a factory is new, unless it is memoised or only looked up."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    ArgKind,
    CallExpr,
    CastExpr,
    Decorator,
    Expression,
    FuncDef,
    LambdaExpr,
    MemberExpr,
    OverloadedFuncDef,
    RefExpr,
    ReturnStmt,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.types import CallableType, Instance, Type, get_proper_type

from ...classes import class_model
from ...classes.constructors import parameter_names, parameters_of_fields
from ...classes.equality import compares_identity, eq_owner
from ...facts.functions.expanding import made_by_factory
from ...facts.functions.steps import NESTED
from ...knowledge.full_names import MEMOISED
from ...knowledge.function_rows import Effect, New
from ...knowledge.members import ELEMENT_METHODS
from ...knowledge.type_rows import Trait
from ...libraries import FACTORIES, functions_with, known_function, types_with
from ...reach.runs import is_memoised
from ...source.bindings import made_by
from ...source.functions import Function
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.decorators import applied
from ...syntax.imports import full_name
from ...syntax.names import dotted_name
from ...syntax.partials import partial_function
from ...syntax.trees import statements
from .origins import Followed, FreshKind, Reader, Unread, answer, follow, type_as_declared, unknown
from .types import class_of_type, holds_callables, is_tuple_of_callables, part_of_type

_KINDS: Final = {
    New.FUNCTION: FreshKind.FACTORY,
    New.PARTIAL: FreshKind.PARTIAL,
    New.TREE_PARTIAL: FreshKind.TREE_PARTIAL,
    New.OPTIMISER: FreshKind.OPTIMISER,
    New.OPTIMISER_FACTORY: FreshKind.FACTORY,
}
_TRANSPARENT: Final = functions_with(Effect.SAME_FUNCTION)
_LOOKED_UP: Final = types_with(Trait.LOOKED_UP)
_KEY: Final = "key"  # of `sorted`, which only calls it


def step_call(node: CallExpr, reader: Reader) -> Followed:
    """`callee(...)`."""
    if isinstance(node.analyzed, CastExpr):
        return follow(reader, node.analyzed.expr)
    name = full_name(node.callee, reader.file.tree)
    row = known_function(name)
    if Effect.PASSES_ON in row.effects:
        named = zip(node.arg_names, node.args, strict=True)
        return follow(reader, *(argument for name, argument in named if name != _KEY))
    if name == "builtins.getattr" and node.args:
        return follow(reader.taking("?", *reader.path), node.args[0])
    if _is_element_method(node.callee, reader) and isinstance(node.callee, MemberExpr):
        return follow(reader, node.callee.expr, *node.args[1:])
    if isinstance(node.callee, RefExpr) and isinstance(node.callee.node, TypeInfo) and row.new is None:
        return _step_constructor(node, node.callee.node, reader)
    return step_result(node.callee, node, reader, reader.type_of(node))


def step_result(callee: Expression, call: Expression, reader: Reader, result: Type | None) -> Followed:
    """Follows the result of calling `callee`; `call` is the expression that calls it."""
    name = full_name(callee, reader.file.tree)
    subject = f"{dotted_name(callee) or 'the call'}(...)"
    if (new := known_function(name).new) is not None:
        return answer(_KINDS[new], subject, call)
    if isinstance(callee, LambdaExpr):
        return follow(reader.of_body(call, {}), callee.expr())
    if isinstance(callee, CallExpr):
        return _step_decorator_call(callee, call, reader, subject)
    if _makes_factory(made_by(callee, reader.file), reader):
        return answer(FreshKind.OPTIMISER, subject, call)
    if isinstance(callee, RefExpr) and isinstance(callee.node, TypeInfo):
        return []
    if class_name(reader.type_of(callee)) == MEMOISED:
        return []
    if (function := _function_of(callee, reader)) is not None:
        return _step_body(function, callee, call, reader, subject)
    if (kind := _made_elsewhere(name, reader)) is not None:
        return answer(kind, subject, call)
    result = _declared_result(callee) or result
    if reader.item is not None and (part := part_of_type(result, reader.path[:1])) is not None:
        result = part
    if (new := _new_of_package(name)) is not None and holds_callables(result):
        return answer(_KINDS[new], subject, call)
    if is_tuple_of_callables(result):
        info = class_of_type(result)
        new = _new_of_package(info.fullname) if info is not None else None
        return answer(_KINDS[new or New.FUNCTION], subject, call)
    return unknown(subject, call)


def _made_elsewhere(name: str, reader: Reader) -> FreshKind | None:
    """What a factory of another module makes, whose facts are kept with that module."""
    found = made_by_factory(name, reader.file.modules, reader.file.helpers, reader.item) if "." in name else ()
    for made in found:
        if made == NESTED:
            return FreshKind.FACTORY
        if (new := known_function(made).new) is not None:
            return _KINDS[new]
    return None


def _new_of_package(name: str) -> New | None:
    """What the functions of a package make, all of them."""
    return next((new for package, new in FACTORIES if name.startswith(package)), None)


def _step_decorator_call(callee: CallExpr, call: Expression, reader: Reader, subject: str) -> Followed:
    """`jax.jit(static_argnums=1)(f)`, `functools.partial(make, 3)()`; but `jax.vmap(f)(x)` is what `f` returns."""
    if (inner := partial_function(callee)) is not None:
        return step_result(inner, call, reader, None)
    if _makes_factory(callee, reader):
        return answer(FreshKind.OPTIMISER, subject, call)
    new = known_function(full_name(callee.callee, reader.file.tree)).new
    is_of_function = new is New.FUNCTION and ArgKind.ARG_POS in callee.arg_kinds
    return answer(_KINDS[new], subject, call) if new is not None and not is_of_function else unknown(subject, call)


def _makes_factory(made: Expression, reader: Reader) -> bool:
    """Whether a call, or what a decorator stands for, makes a function that makes optimisers."""
    if not isinstance(made, CallExpr):
        return False
    return known_function(full_name(made.callee, reader.file.tree)).new is New.OPTIMISER_FACTORY


def class_name(typ: Type | None) -> str:
    proper = get_proper_type(typ)
    return proper.type.fullname if isinstance(proper, Instance) else ""


def _is_element_method(callee: Expression, reader: Reader) -> bool:
    if not isinstance(callee, MemberExpr):
        return False
    info = class_of_type(reader.type_of(callee.expr))
    if info is None or callee.name not in ELEMENT_METHODS:
        return False
    return any(base.fullname in _LOOKED_UP for base in info.mro)


def _step_constructor(node: CallExpr, info: TypeInfo, reader: Reader) -> Followed:
    """Follows the arguments of a constructor that become part of the key; static fields are checked on their own."""
    if class_model.is_declared_static(info, reader.file.settings.static_bases):
        return []
    wanted, *rest = _named_items(reader.path, info) or ("",)
    if not wanted and _is_key_itself(info):
        return []  # whatever it holds: `static-hash` tells of such objects
    fields = parameters_of_fields(info)
    parts: Followed = []
    for name, argument in named_arguments(node, parameter_names(info)).items():
        field = fields.get(name)
        is_wanted = field is not None and field.name == wanted
        if is_wanted or (not wanted and _is_part_of_key(field, reader)):
            parts += follow(reader.taking(*rest), argument)
    return parts


def _is_key_itself(info: TypeInfo) -> bool:
    """Whether an object of a class is equal to itself alone, by all that mypy sees."""
    if info.fallback_to_any or info.is_enum or info.tuple_type is not None or class_model.is_pytree(info):
        return False
    return eq_owner(info.mro) is None or compares_identity(info)


def _named_items(path: tuple[str, ...], info: TypeInfo) -> tuple[str, ...]:
    """A path into an object, with the name of the field that an item of a `NamedTuple` is; no item of any other."""
    if not path or not path[0].startswith("["):
        return path
    names = [name or "" for name in parameter_names(info)] if info.tuple_type is not None else []
    number = path[0][1:-1]
    return (names[int(number)], *path[1:]) if number.isdecimal() and int(number) < len(names) else ()


def _is_part_of_key(field: class_model.Field | None, reader: Reader) -> bool:
    if field is None or not field.is_compared or field.is_hashed_by_id:
        return False
    return not class_model.is_static(field, reader.file.settings.static_markers)


def _declared_result(callee: Expression) -> Type | None:
    declared = type_as_declared(callee)
    return declared.ret_type if isinstance(declared, CallableType) and not declared.variables else None


# Functions of the same file: their source tells what they return


def _function_of(callee: Expression, reader: Reader) -> Function | None:
    """The definition of a called function, if it is in the same file."""
    node: SymbolNode | None = callee.node if isinstance(callee, RefExpr) else None
    if node is None and isinstance(callee, MemberExpr):
        owner = callee.expr.node if isinstance(callee.expr, RefExpr) else None
        info = owner if isinstance(owner, TypeInfo) else class_of_type(reader.type_of(callee.expr))
        symbol = info.get(callee.name) if info is not None else None
        node = symbol.node if symbol is not None else None
    if isinstance(node, OverloadedFuncDef):
        node = node.impl
    function = node.func if isinstance(node, Decorator) else node
    if not isinstance(function, FuncDef) or function.is_generator or function.is_coroutine:
        return None
    module = function.info.module_name if function.info else function.fullname.rpartition(".")[0]
    decorators = node.original_decorators if isinstance(node, Decorator) else []
    return Function(function, decorators) if module in ("", reader.file.tree.fullname) else None


def _step_body(function: Function, callee: Expression, call: Expression, reader: Reader, subject: str) -> Followed:
    if is_memoised(function.decorators):
        return []
    names = {full_name(decorator, reader.file.tree) for decorator in function.decorators}
    if function.decorators and _makes_factory(applied(function.decorators[0]), reader):
        return answer(FreshKind.OPTIMISER, subject, call)
    if not names <= _TRANSPARENT:
        return unknown(subject, call)
    body = statements(function.node.body.body, into_definitions=False)
    returned = [node.expr for node in body if isinstance(node, ReturnStmt) and node.expr is not None]
    inside = reader.of_body(call, dict(_given(function.node, call, reader)))
    return follow(inside, *returned) if returned else unknown(subject, call)


def _given(function: FuncDef, call: Expression, reader: Reader) -> Iterator[tuple[Var, Unread | None]]:
    """Yields what a call passes for each parameter; a default is one object."""
    skipped = 1 if function.info and not function.is_static else 0
    arguments = function.arguments[skipped:]
    passed: dict[str, Expression] = {}
    if isinstance(call, CallExpr):
        if unpacks(call):
            return
        passed = named_arguments(call, (argument.variable.name for argument in arguments))
    for argument in arguments:
        if (expression := passed.get(argument.variable.name)) is not None:
            yield argument.variable, Unread(expression, reader.taking())
        elif argument.initializer is not None:
            yield argument.variable, None
