"""Finds the values of a function's parameters when JAX calls it."""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import FuncItem

from ...reach.description import reach_of
from ...source.checked_file import CheckedFile
from ...source.parameters import parameters
from .frame import Use
from .given import given_values
from .parameters import traced_values
from .values import Value, joined

NO_USE: Final = Use({}, staged=False)


def common_use(function: FuncItem, uses: Sequence[Use]) -> Use:
    """Joins several uses of a function."""
    names = [parameter.name for parameter in parameters(function)]
    values = {name: joined(tuple(use.values.get(name) for use in uses)) for name in names}
    return Use(values, all(use.staged for use in uses))


def outermost_use(function: FuncItem, file: CheckedFile) -> Use:
    """The use of an undecorated outermost function that is passed to JAX."""
    passed = reach_of(file, function).traced
    uses = [Use(traced_values(function, traced, file.settings), traced.stages) for traced in passed]
    return common_use(function, uses) if uses else NO_USE


def decorated_use(function: FuncItem, file: CheckedFile) -> Use:
    """The use of a decorated function, by its known transformations."""
    values: dict[str, Value] = {}
    staged = False
    for traced in reach_of(file, function).transformations:
        passed = traced_values(function, traced, file.settings, given_values(file, function))
        # What an inner compiler traces has no value, whatever is differentiated outside.
        values = passed | values if staged and traced.keeps_values else values | passed
        staged = staged or traced.stages
    return Use(values, staged)
