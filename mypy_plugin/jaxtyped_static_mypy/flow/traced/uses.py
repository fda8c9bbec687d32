"""Finds the values of a function's parameters when JAX calls it."""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import Decorator, FuncItem, LambdaExpr

from ...source.checked_file import CheckedFile
from ..reaching_jax import calls_of_lambda, passing_calls, transformations
from .frame import Use
from .given import given_values
from .parameters import parameters, traced_values
from .values import Value, joined

NO_USE: Final = Use({}, staged=False)


def common_use(function: FuncItem, uses: Sequence[Use]) -> Use:
    """Joins several uses of a function."""
    names = [parameter.name for parameter in parameters(function)]
    values = {name: joined(tuple(use.values.get(name) for use in uses)) for name in names}
    return Use(values, all(use.staged for use in uses))


def outermost_use(function: FuncItem, file: CheckedFile) -> Use:
    """The use of an undecorated outermost function that is passed to JAX."""
    if isinstance(function, LambdaExpr):
        passed = calls_of_lambda(function, file)[:1]
    else:
        passed = [traced for _, traced in passing_calls(function, file)]
    uses = [Use(traced_values(function, traced, file.settings), traced.stages) for traced in passed]
    return common_use(function, uses) if uses else NO_USE


def decorated_use(function: FuncItem, decorator: Decorator, file: CheckedFile) -> Use:
    """The use of a decorated function, by its known transformations."""
    values: dict[str, Value] = {}
    staged = False
    for traced in transformations(decorator, file):
        passed = traced_values(function, traced, file.settings, given_values(file, function))
        # What an inner compiler traces has no value, whatever is differentiated outside.
        values = passed | values if staged and traced.keeps_values else values | passed
        staged = staged or traced.stages
    return Use(values, staged)
