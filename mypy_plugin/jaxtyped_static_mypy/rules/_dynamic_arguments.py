"""jit-untraceable at a call: an argument that cannot be traced is passed for a parameter without annotation."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from mypy.errorcodes import ErrorCode
from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, LambdaExpr, NameExpr, RefExpr, StrExpr, Var
from mypy.plugin import FunctionContext
from mypy.types import AnyType, FunctionLike, Type, TypeOfAny, get_proper_type

from ..classes.registering import registration
from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..flow.traced.given import given_expressions
from ..judgement.traceability import Obstacle, Survey
from ..reach.description import ParameterKind, reach_of
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.bindings import bindings_of
from ..source.checked_file import CheckedFile
from ..source.expected import is_error_expected
from ..source.parameters import parameters
from ._static_or_traced import before_static, faults_as_static, seems_untraceable

_PROBLEM: Final = 'Dynamic argument "{name}" of "{function}": {subject} cannot be traced, so this call raises'
_STATIC: Final = Message(_PROBLEM, 'make "{name}" static', kind="untraceable-argument")
_FUNCTION: Final = Message(
    _PROBLEM, 'make "{name}" static, and pass a function defined at module level', kind="untraceable-argument"
)
_CLASS: Final = Message(_PROBLEM, 'make "{cls}" {pytree}, or {before}make "{name}" static', kind="untraceable-argument")
_TREE_ONLY: Final = Message(_PROBLEM, 'make "{cls}" {pytree}', kind="untraceable-argument")


def check_dynamic_arguments(ctx: FunctionContext, file: CheckedFile, code: ErrorCode) -> None:
    """Reports arguments whose own type proves that the call raises."""
    call = ctx.context
    function = _called_function(call, file)
    if function is None or not isinstance(call, CallExpr):
        return
    for name in _unannotated(function, file):
        for expression, typ in _passed(ctx, name):
            obstacle = _obstacle(expression, typ, file)
            if obstacle is not None and obstacle.always and not is_error_expected(call, file):
                message, parts = _advice(expression, typ, obstacle, file)
                statement = message.fill(name=name, function=function.name, subject=obstacle.subject, **parts)
                report(file, expression, statement, code)


def _advice(expression: Expression, typ: Type, obstacle: Obstacle, file: CheckedFile) -> tuple[Message, dict[str, str]]:
    if obstacle.declared is None:
        is_function = isinstance(expression, LambdaExpr) or isinstance(get_proper_type(typ), FunctionLike)
        return (_FUNCTION if is_function else _STATIC), {}
    before = before_static(faults_as_static(typ, file))
    pytree = registration(obstacle.declared, file.tree, ())
    parts = {"cls": obstacle.declared.name, "pytree": pytree, "before": before or ""}
    return (_CLASS if before is not None else _TREE_ONLY), parts


def _called_function(call: object, file: CheckedFile) -> FuncDef | None:
    """The decorated function of the same file that is called by its name."""
    callee = call.callee if isinstance(call, CallExpr) else None
    node = callee.node if isinstance(callee, RefExpr) else None
    return node.func if isinstance(node, Decorator) and file.decorators.get(node.func) is node else None


def _unannotated(function: FuncDef, file: CheckedFile) -> Iterator[str]:
    """The parameters without annotation that `jit`, and nothing else, traces."""
    reach = reach_of(file, function)
    applied = reach.transformations
    if len(applied) != 1 or applied[0].transformation is not None or applied[0].arrays_only:
        return
    for parameter in parameters(function):
        declared = get_proper_type(parameter.type)
        is_open = isinstance(declared, AnyType) and declared.type_of_any == TypeOfAny.unannotated
        is_single = not parameter.is_star and not parameter.is_star2
        if is_open and is_single and reach.parameters[parameter.variable] is ParameterKind.TRACED:
            yield parameter.name


def _passed(ctx: FunctionContext, name: str) -> Iterator[tuple[Expression, Type]]:
    for parameter, expressions, types, kinds in zip(
        ctx.callee_arg_names, ctx.args, ctx.arg_types, ctx.arg_kinds, strict=True
    ):
        if parameter == name and not any(kind.is_star() for kind in kinds):
            yield from zip(expressions, types, strict=True)


def _obstacle(expression: Expression, typ: Type, file: CheckedFile) -> Obstacle | None:
    """What cannot be traced in an argument; a value that is only known to be callable may be a pytree."""
    if _is_always_text(expression, file):
        return Obstacle((), "str")
    if isinstance(expression, LambdaExpr):
        return Obstacle((), "a lambda")
    if isinstance(get_proper_type(typ), FunctionLike):
        is_function = isinstance(expression, RefExpr) and isinstance(expression.node, FuncDef)
        return Obstacle((), "a function") if is_function else None
    survey = Survey(partial(seems_untraceable, file=file), lambda: True)
    found = survey.obstacle(typ)
    record_dependency(file.api, survey.consulted)
    return found


def _is_always_text(expression: Expression, file: CheckedFile) -> bool:
    """Whether this is a parameter without annotation for which every call in the file passes a text."""
    function = mypy_api.outermost_function(file.api)
    if not isinstance(expression, NameExpr) or not isinstance(function, FuncDef) or bindings_of(expression.node, file):
        return False
    own = {parameter.variable: parameter for parameter in parameters(function)}
    parameter = own.get(expression.node) if isinstance(expression.node, Var) else None
    if parameter is None or function.type is not None:
        return False
    given = given_expressions(file, function).get(parameter.name, [])
    return bool(given) and all(isinstance(value, StrExpr) for value in given)
