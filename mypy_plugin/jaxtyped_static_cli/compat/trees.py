"""What mypy knows of a program that it has checked: its trees, their types, and how calls pass their arguments."""

from collections.abc import Callable
from typing import NamedTuple

from mypy.argmap import map_actuals_to_formals
from mypy.nodes import CallExpr, Expression, MypyFile
from mypy.types import CallableType, Type


class CheckedProgram(NamedTuple):
    """What mypy knows of a program that it has checked."""

    files: list[tuple[MypyFile, str]]  # with their paths
    types: dict[Expression, Type]  # of expressions in the files that were not taken from the cache
    not_found: dict[str, list[str]]  # by the path of a file, the modules that it imports and mypy does not find

    @property
    def modules(self) -> dict[str, MypyFile]:
        """By their full names."""
        return {file.fullname: file for file, _ in self.files}


def formals_of(call: CallExpr, signature: CallableType, first: int, type_of: Callable[[int], Type]) -> list[list[int]]:
    """For each parameter, from the `first` on, the indices of the arguments that a call passes for it."""
    kinds, names = signature.arg_kinds[first:], signature.arg_names[first:]
    return map_actuals_to_formals(call.arg_kinds, call.arg_names, kinds, names, type_of)
