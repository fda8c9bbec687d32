"""The functions that a library keeps, and calls with tracers where compiled code runs what it made: schedules."""

from mypy.nodes import FuncItem

from ..source.checked_file import CheckedFile, once_per_file
from .applied import applied_in
from .description import function_given, reach_of
from .traced_calls import traced_calls


@once_per_file
def kept_functions(file: CheckedFile) -> list[FuncItem]:
    """Those of a file, nested ones and lambdas among them."""
    later = [traced for call in file.calls for traced in traced_calls(file, call) if traced.is_later]
    named = [function for traced in later if (function := function_given(traced.function, file)) is not None]
    applied = (function for function, ways in applied_in(file).items() if any(traced.is_later for _, traced in ways))
    return list(dict.fromkeys([*named, *applied]))


def is_kept_only(function: FuncItem, file: CheckedFile) -> bool:
    """Whether nothing else traces it, as far as the file shows."""
    reach = reach_of(file, function)
    traced = (*reach.uses.traced, *reach.transformations)
    return function in kept_functions(file) and all(one.is_later for one in traced)
