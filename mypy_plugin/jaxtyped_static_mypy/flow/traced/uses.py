"""What is passed to a function that nobody calls: by the transformations above it, or by those it is handed to."""

from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncItem,
    LambdaExpr,
    MemberExpr,
    RefExpr,
    Var,
)

from ...syntax.decorators import applied
from ...syntax.trees import is_self
from ..checked_file import CheckedFile, NameUse
from .callbacks import TracedCall, traced_calls
from .calls import function_of
from .parameters import parameters, traced_values
from .scope import Use
from .values import Value, joined

NO_USE: Final = Use({}, staged=False)
# Decorators that hand the function on as it is.
_TRANSPARENT: Final = frozenset(
    {
        "beartype._decor.decormain.beartype",
        "beartype.beartype",
        "builtins.classmethod",
        "builtins.property",
        "builtins.staticmethod",
        "jaxtyping._decorator.jaxtyped",
        "typeguard._decorators.typechecked",
        "typing.override",
        "typing_extensions.override",
    }
)


def common_use(function: FuncItem, uses: Sequence[Use]) -> Use:
    """What holds in each of several uses."""
    names = [parameter.name for parameter in parameters(function)]
    values = {name: joined(tuple(use.values.get(name) for use in uses)) for name in names}
    return Use(values, all(use.staged for use in uses))


def outermost_use(function: FuncItem, file: CheckedFile) -> Use:
    """Of what no other function contains, and jax is given."""
    if isinstance(function, LambdaExpr):
        return _lambda_use(function, file)
    uses = [use for _, use in handing_calls(function, file)]
    return common_use(function, uses) if uses else NO_USE


def handing_calls(function: FuncItem, file: CheckedFile) -> list[tuple[CallExpr, Use]]:
    """The calls that hand a function at module level, or a method, to jax; none if it is mentioned anywhere else."""
    mentions = file.uses_by_name.get(function.name, [])
    if function.info:
        replacing = file.replaced_methods.get(function.name, [])
        mentions = [mention for mention in mentions if mention.call in replacing] or mentions
    uses = [(mention.call, _traced_use(function, mention, file)) for mention in mentions]
    handing = [(call, use) for call, use in uses if call is not None and use is not None]
    return handing if len(handing) == len(mentions) else []


def _traced_use(function: FuncItem, mention: NameUse, file: CheckedFile) -> Use | None:
    for traced in traced_calls(mention.call, file) if mention.call is not None else ():
        if traced.function is mention.expression:
            handed = _own_method(function, traced, file) if function.info else traced
            if handed is not None and (function.info or function_of(traced.function) is function):
                return Use(traced_values(function, handed, file.settings), handed.stages)
    return None


def _own_method(function: FuncItem, traced: TracedCall, file: CheckedFile) -> TracedCall | None:
    """`jax.jit(self.step)`, in a file with one method of this name: `self` is bound, and not traced."""
    node = traced.function
    if not isinstance(node, MemberExpr) or not is_self(node.expr):
        return None
    if len(file.functions_named[function.name]) > 1 or function.is_static or function.is_class:
        return None
    return traced.of_method()


def _lambda_use(function: LambdaExpr, file: CheckedFile) -> Use:
    traced = next(iter(calls_of_lambda(function, file)), None)
    return Use(traced_values(function, traced, file.settings), traced.stages) if traced is not None else NO_USE


def calls_of_lambda(function: LambdaExpr, file: CheckedFile) -> list[TracedCall]:
    """What jax does with a lambda that stands in a call."""
    call = file.lambda_calls.get(function)
    traced = traced_calls(call, file) if call is not None else ()
    return [one for one in traced if one.function is function]


def decorated_use(function: FuncItem, decorator: Decorator, file: CheckedFile) -> Use:
    """What the transformations above a function trace, read from the innermost outwards, up to an unknown one."""
    values: dict[str, Value] = {}
    staged = False
    for traced in transformations(decorator, file):
        values.update(traced_values(function, traced, file.settings))
        staged = staged or traced.stages
    return Use(values, staged)


def transformations(decorator: Decorator, file: CheckedFile) -> Iterator[TracedCall]:
    """What decorates a function and traces it, from the innermost outwards, up to something unknown."""
    for node in reversed(decorator.original_decorators):
        named = node.callee if isinstance(node, CallExpr) else node
        if isinstance(named, RefExpr) and named.fullname in _TRANSPARENT:
            continue
        traced = _tracing(node, file)
        if traced is None:
            break
        yield traced


def _tracing(decorator: Expression, file: CheckedFile) -> TracedCall | None:
    if isinstance(decorator, RefExpr) and (bound := _bound_once(decorator, file)) is not None:
        decorator = bound
    return next(traced_calls(applied(decorator), file), None)


def _bound_once(decorator: RefExpr, file: CheckedFile) -> Expression | None:
    """`jit_n = partial(jax.jit, static_argnames="n")`, bound once in this file."""
    if not isinstance(decorator.node, Var):
        return None
    bound = file.assigned.get(decorator.node, [])
    return bound[0] if len(bound) == 1 and isinstance(bound[0], CallExpr) else None
