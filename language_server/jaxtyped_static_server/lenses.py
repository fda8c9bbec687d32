"""Code lenses over compiled functions: who calls them, and what they cost in the last recorded run."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from jaxtyped_static_cli.files.parsing import parsed_by_python
from jaxtyped_static_cli.terminal.words import counted
from jaxtyped_static_runs.text import seconds

from .command_names import SHOW_CALLERS, SHOW_REASONS
from .costs import Cost
from .edits import whole_lines
from .syntax import Function, definition_of, functions_in

Json = Any


def lenses(
    path: Path, text: str, functions: Iterable[Json], costs: Mapping[tuple[str, int], Cost], locations: Any
) -> list[Json]:
    """`functions`: the compiled functions that the file defines. `locations`: the places of calls, for the editor."""
    tree = parsed_by_python(text)
    if tree is None:
        return []
    defined = functions_in(tree)
    nodes = ((function, definition_of(function, defined)) for function in functions)
    return [
        {"range": whole_lines(node.lineno - 1, node.lineno - 1), "command": command}
        for function, node in nodes
        if node is not None
        for command in _commands(path, node, function, costs, locations)
    ]


def _commands(
    path: Path, node: Function, function: Json, costs: Mapping[tuple[str, int], Cost], locations: Any
) -> Iterator[Json]:
    callers = locations(function["calls"])
    if callers:
        start = {"line": node.lineno - 1, "character": node.col_offset}
        arguments = [path.as_uri(), start, callers]
        yield {"title": counted(len(callers), "caller"), "command": SHOW_CALLERS, "arguments": arguments}
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    real = os.path.realpath(path)
    cost = next((costs[real, line] for line in (node.lineno, first) if (real, line) in costs), None)
    if cost is not None:
        title = f"compiled {counted(cost.times, 'time')}, {seconds(cost.seconds)} in the last run"
        arguments = [function["name"], list(cost.reasons), str(cost.file)]
        yield {"title": title, "command": SHOW_REASONS, "arguments": arguments}
