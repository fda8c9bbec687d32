"""The functions of a file that a compiled function runs, beside those that stand in it."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mypy.nodes import FuncDef, FuncItem, NameExpr

from ...knowledge import naming
from ...reach.description import reach_of
from ...reach.roots import Root, roots_of
from ...reach.uses import uses_of
from ...source.checked_file import CheckedFile, once_per_file
from ...source.nested_functions import Functions, all_outermost
from ...syntax.names import function_of


class Reached(NamedTuple):
    """A function that runs while JAX compiles another one: it is called there, or handed on, as to `vmap`."""

    function: FuncItem
    functions: Functions  # in which it stands
    root: Root  # the first of the file that runs it


def reached_from(functions: Functions) -> list[Reached]:
    """Those that the compiled functions of an outermost function run, unless earlier ones of the file do."""
    return [reached for reached in all_reached(functions.file) if reached.root.function in functions.parents]


@once_per_file
def all_reached(file: CheckedFile) -> list[Reached]:
    within = _functions_by_part(file)
    roots = [root for root in roots_of(file).values() if root.stages and root.is_compiled]
    seen = {part for root in roots for part in _with_nested(root.function, within)}
    found: list[Reached] = []
    for root in roots:
        pending = [named for part in _with_nested(root.function, within) for named in _named_in(part, within, file)]
        while pending:
            function = pending.pop(0)
            if function in seen:
                continue
            parts = _with_nested(function, within)
            seen.update(parts)
            found += (Reached(part, within[part], root) for part in parts)
            pending += (named for part in parts for named in _named_in(part, within, file))
    return found


def _functions_by_part(file: CheckedFile) -> Mapping[FuncItem, Functions]:
    read = (outermost.functions for outermost in all_outermost(file))
    return {part: functions for functions in read if functions is not None for part in functions.parents}


def _with_nested(function: FuncItem, within: Mapping[FuncItem, Functions]) -> list[FuncItem]:
    functions = within.get(function)
    return [part for part in functions.parents if functions.is_inside(part, function)] if functions is not None else []


def _named_in(function: FuncItem, within: Mapping[FuncItem, Functions], file: CheckedFile) -> Iterator[FuncItem]:
    """The functions of the file whose own body runs where a function names them; not those that run on the host."""
    for node in within[function].nodes[function]:
        named = function_of(node) if isinstance(node, NameExpr) else None
        if isinstance(named, FuncDef) and named in within and not named.info and _runs_as_written(named, file):
            yield named


def _runs_as_written(function: FuncDef, file: CheckedFile) -> bool:
    is_set_up, is_of_host = naming.is_set_up(function.name), uses_of(file, function).is_callback
    return reach_of(file, function).is_as_written and not is_set_up and not is_of_host
