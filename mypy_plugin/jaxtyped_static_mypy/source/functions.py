"""The functions around a line of a file, with their decorators."""

from bisect import bisect_right
from typing import NamedTuple

from mypy.nodes import Decorator, Expression, FuncDef

from ..syntax.trees import covers, statements
from .checked_file import CheckedFile, once_per_file


class Function(NamedTuple):
    """A function definition with its decorators."""

    node: FuncDef
    decorators: list[Expression]


def functions_around(line: int, file: CheckedFile) -> list[Function]:
    """The functions around a line, outermost first."""
    families = _families(file)
    index = bisect_right([family.line for family in families], line) - 1
    found = families[index].functions if index >= 0 else []
    return [function for function in found if covers(function.node, line)]


class _Family(NamedTuple):
    """An outermost function, and the functions nested in it."""

    line: int
    functions: list[Function]


@once_per_file
def _families(file: CheckedFile) -> list[_Family]:
    found: list[_Family] = []
    decorators: dict[FuncDef, list[Expression]] = {}
    for node in statements(file.tree.defs):
        if isinstance(node, Decorator):
            decorators[node.func] = node.original_decorators
        elif isinstance(node, FuncDef) and node.end_line is not None:
            function = Function(node, decorators.get(node, []))
            if found and covers(found[-1].functions[0].node, node.line):
                found[-1].functions.append(function)
            else:
                found.append(_Family(node.line, [function]))
    return found
