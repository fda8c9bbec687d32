"""jit-untraceable at a call: an argument that cannot be traced is passed for a parameter whose type does not tell."""

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from mypy.errorcodes import ErrorCode
from mypy.nodes import (
    CallExpr,
    Decorator,
    DictExpr,
    Expression,
    FuncDef,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    RefExpr,
    TupleExpr,
    WithStmt,
)
from mypy.plugin import FunctionContext
from mypy.types import AnyType, CallableType, FunctionLike, Instance, Type, TypeOfAny, get_proper_type

from ..classes import class_model
from ..classes.registering import registration
from ..compat import mypy_api
from ..flow.declared_types import class_in
from ..jit.signatures import function_name
from ..judgement.traceability import Obstacle
from ..knowledge import naming
from ..libraries import COMPILED_BY_LISTS
from ..markers.marker import Marker, marker_of
from ..reach.description import ParameterKind, reach_of
from ..reach.traced_calls import TracedCall, traced_calls
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile
from ..source.expected import is_error_expected
from ..source.parameters import parameters
from ..source.surroundings import surroundings
from ..syntax.imports import full_name
from ..syntax.names import dotted_name, function_of
from ._argument_obstacles import obstacle_passed, obstacle_written
from ._static_or_traced import before_static, faults_as_static, may_call_trees

_DISPLAYS: Final = (DictExpr, ListExpr, TupleExpr)
_NOWHERE: Final = -1  # the position of what is passed by its name
_OPEN: Final = (TypeOfAny.unannotated, TypeOfAny.explicit)
_PROBLEM: Final = 'Dynamic argument "{name}" of "{function}": {subject} cannot be traced, so this call raises'
_STATIC: Final = Message(_PROBLEM, 'make "{name}" static', kind="untraceable-argument")
_FUNCTION: Final = Message(
    _PROBLEM, 'make "{name}" static, and pass a function defined at module level', kind="untraceable-argument"
)
_PART: Final = Message(_PROBLEM, "pass that part as a separate static argument", kind="untraceable-argument")
_CLASS: Final = Message(_PROBLEM, 'make "{cls}" {pytree}, or {before}make "{name}" static', kind="untraceable-argument")
_TREE_ONLY: Final = Message(_PROBLEM, 'make "{cls}" {pytree}', kind="untraceable-argument")


class _Passed(NamedTuple):
    """An argument for a parameter whose type does not tell."""

    parameter: str
    expression: Expression
    type: Type
    obstacle: Obstacle | None


def check_dynamic_arguments(
    ctx: FunctionContext, signature: CallableType | None, file: CheckedFile, code: ErrorCode
) -> None:
    """Reports arguments whose own type proves that the call raises. `signature`: of the compiled function, if known."""
    call = ctx.context
    if not isinstance(call, CallExpr) or _runs_as_is(call, file):
        return
    called = _called_function(call, file)
    if called is not None:
        name, found = called.function.name, _judged(ctx, call, called, file)
    elif signature is not None and signature.fallback.type.fullname in COMPILED_BY_LISTS:
        unannotated = _unannotated(call.callee, file)
        name = function_name(signature) or dotted_name(call.callee) or ""
        found = _judged_by_signature(ctx, signature, unannotated, file)
    else:
        return
    for passed in found:
        if passed.obstacle is not None and passed.obstacle.always and not is_error_expected(call, file):
            message, parts = _advice(passed.expression, passed.type, passed.obstacle, file)
            subject = passed.obstacle.subject
            statement = message.fill(name=passed.parameter, function=name, subject=subject, **parts)
            report(file, passed.expression, statement, code)


def _judged(ctx: FunctionContext, call: CallExpr, called: "_Called", file: CheckedFile) -> Iterator[_Passed]:
    """The arguments of a function of the file."""
    for name, is_container in _open_parameters(called, file):
        for expression, typ, _ in _passed(ctx, name):
            if not is_container or isinstance(made_by(expression, file), _DISPLAYS):
                yield _Passed(name, expression, typ, obstacle_passed(expression, typ, file))
    for parameter in parameters(called.function):
        if (parameter.is_star or parameter.is_star2) and _says_anything(parameter.type):
            for expression, typ, keyword in _passed(ctx, parameter.name):
                position = _NOWHERE if keyword is not None else call.args.index(expression)
                if called.compiled.traces(position, keyword or parameter.name):
                    yield _Passed(keyword or parameter.name, expression, typ, obstacle_passed(expression, typ, file))


def _judged_by_signature(
    ctx: FunctionContext, signature: CallableType, unannotated: Collection[str], file: CheckedFile
) -> Iterator[_Passed]:
    """The arguments of a function of another module that are texts or functions, as they are written.

    Of those that have types, the rest is left out that its module, or any other, may make a pytree.
    """
    for name, declared in zip(signature.arg_names, signature.arg_types, strict=True):
        if name in unannotated and marker_of(declared, file.settings.static_markers) is not Marker.STATIC:
            for expression, typ, _ in _passed(ctx, name or ""):
                obstacle = obstacle_written(expression, file) or obstacle_passed(expression, typ, file)
                is_sure = obstacle is not None and obstacle.declared is None
                yield _Passed(name or "", expression, typ, obstacle if is_sure else None)


def _unannotated(callee: Expression, file: CheckedFile) -> Collection[str]:
    """The parameters without annotation of a decorated function or method, of whatever module.

    Of one that this file compiles, `step = jax.jit(imported)`, those that are traced.
    """
    node = callee.node if isinstance(callee, RefExpr) else None
    if isinstance(callee, MemberExpr) and node is None:
        info = class_in(mypy_api.type_of_expression(file.api, callee.expr))
        symbol = info.get(callee.name) if info is not None else None
        node = symbol.node if symbol is not None else None
    if isinstance(node, Decorator):
        return [name for _, name in _open_names(node.func)]
    compiled = _compiled_here(callee, file)
    function = function_of(compiled.function) if compiled is not None else None
    if compiled is None or not isinstance(function, FuncDef) or function.is_decorated:
        return ()
    return [name for position, name in _open_names(function) if compiled.traces(position, name)]


def _open_names(function: FuncDef) -> Iterator[tuple[int, str]]:
    """The parameters without annotation, with their positions; mypy may not have the body of the function."""
    declared, names = get_proper_type(function.type), function.arg_names
    untyped = [AnyType(TypeOfAny.unannotated)] * len(names)
    types = declared.arg_types if isinstance(declared, CallableType) else untyped
    for position, (name, kind, typ) in enumerate(zip(names, function.arg_kinds, types, strict=True)):
        if name and not kind.is_star() and _says_anything(typ):
            yield position, name


def _runs_as_is(call: CallExpr, file: CheckedFile) -> bool:
    """Whether a call stands below `with jax.disable_jit():`, where nothing is traced."""
    managers = (part for node in surroundings(call, file).around if isinstance(node, WithStmt) for part in node.expr)
    made = (part.callee for part in managers if isinstance(part, CallExpr))
    return any(naming.compiles_nothing(full_name(callee, file.tree)) for callee in made)


def _advice(expression: Expression, typ: Type, obstacle: Obstacle, file: CheckedFile) -> tuple[Message, dict[str, str]]:
    if isinstance(made_by(expression, file), (CallExpr, DictExpr, ListExpr)) and obstacle.path:
        return _PART, {}
    if obstacle.declared is None:
        is_function = isinstance(expression, LambdaExpr) or isinstance(get_proper_type(typ), FunctionLike)
        return (_FUNCTION if is_function else _STATIC), {}
    before = before_static(faults_as_static(typ, file))
    pytree = registration(obstacle.declared, file.tree, ())
    parts = {"cls": obstacle.declared.name, "pytree": pytree, "before": before or ""}
    return (_CLASS if before is not None else _TREE_ONLY), parts


class _Called(NamedTuple):
    """A compiled function that a call names, and how it is compiled."""

    function: FuncDef
    compiled: TracedCall


def _called_function(call: CallExpr, file: CheckedFile) -> _Called | None:
    """The function of the same file that is called by the name of what `jit`, and nothing else, makes of it."""
    node = call.callee.node if isinstance(call.callee, RefExpr) else None
    if isinstance(node, Decorator) and file.decorators.get(node.func) is node:
        applied = reach_of(file, node.func).transformations
        return _Called(node.func, applied[0]) if len(applied) == 1 and _is_plain(applied[0]) else None
    compiled = _compiled_here(call.callee, file)
    function = function_of(compiled.function) if compiled is not None else None
    return _Called(function, compiled) if compiled is not None and file.defines(function) else None


def _compiled_here(callee: Expression, file: CheckedFile) -> TracedCall | None:
    """How the file compiles what a name stands for, if that is all it does with the function."""
    made = made_by(callee, file)
    applied = traced_calls(file, made) if isinstance(made, CallExpr) else ()
    return applied[0] if len(applied) == 1 and _is_plain(applied[0]) else None


def _is_plain(compiled: TracedCall) -> bool:
    return compiled.transformation is None and not compiled.arrays_only


def _open_parameters(called: _Called, file: CheckedFile) -> Iterator[tuple[str, bool]]:
    """The traced parameters whose declared types let anything pass, and whether they ask for a container of it."""
    reach = reach_of(file, called.function)
    for parameter in parameters(called.function):
        is_single = not parameter.is_star and not parameter.is_star2
        if is_single and reach.kind_of(parameter, [called.compiled]) is ParameterKind.TRACED:
            declared = get_proper_type(parameter.type)
            if _says_anything(parameter.type):
                yield parameter.name, False
            elif isinstance(declared, Instance) and declared.args and _is_open(declared.args[-1]):
                yield parameter.name, True
            elif isinstance(declared, CallableType) and may_call_trees(file, called.function):
                yield parameter.name, False  # else `jit_untraceable` reports the parameter


def _is_any(typ: Type) -> bool:
    return isinstance(get_proper_type(typ), AnyType)


def _is_open(typ: Type) -> bool:
    """Whether the items of a container may be anything."""
    proper = get_proper_type(typ)
    return _is_any(proper) or (isinstance(proper, Instance) and proper.type.fullname == class_model.OBJECT)


def _says_anything(declared: Type) -> bool:
    typ = get_proper_type(declared)
    return isinstance(typ, AnyType) and typ.type_of_any in _OPEN


def _passed(ctx: FunctionContext, name: str) -> Iterator[tuple[Expression, Type, str | None]]:
    """What a call passes for a parameter, with the keywords."""
    for parameter, expressions, types, kinds, keywords in zip(
        ctx.callee_arg_names, ctx.args, ctx.arg_types, ctx.arg_kinds, ctx.arg_names, strict=True
    ):
        if parameter == name and not any(kind.is_star() for kind in kinds):
            yield from zip(expressions, types, keywords, strict=True)
