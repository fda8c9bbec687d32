"""Inlay hints: `static` before the parameters that a list makes static, and before what calls pass for such."""

import ast
from collections.abc import Iterable, Iterator
from typing import Any, Final

from jaxtyped_static_cli.files.parsing import parsed_by_python

from .edits import lines_of
from .places import character
from .syntax import definition_of, functions_in, parameters, scoped_nodes

Json = Any
_LABEL: Final = "static"
_PARAMETER: Final = 2  # the protocol's kind of such a hint
_MARKER: Final = "Static"  # in an annotation, which says it already
_CUT: Final = "…"  # at the end of a long argument in a census


def hints(text: str, functions: Iterable[Json], calls: Iterable[tuple[Json, Json]], unit: str) -> list[Json]:
    """The hints in a text; none while it has a syntax error.

    `functions`: the compiled functions that the file defines. `calls`: the calls in it, each with what it calls. Both
    are of the last census, so their lines are only where to begin to look.
    """
    tree = parsed_by_python(text)
    if tree is None:
        return []
    lines = lines_of(text)
    found = (*_of_parameters(tree, functions), *_of_arguments(tree, text, calls))
    places = {(node.lineno, node.col_offset): type_ for node, type_ in found}
    return [_hint(line, column, type_, lines, unit) for (line, column), type_ in sorted(places.items())]


def _hint(line: int, column: int, type_: str, lines: list[str], unit: str) -> Json:
    return {
        "position": {"line": line - 1, "character": character(lines[line - 1], column, unit)},
        "label": _LABEL,
        "kind": _PARAMETER,
        "paddingRight": True,
        "tooltip": f"static: {type_}",
    }


def _of_parameters(tree: ast.Module, functions: Iterable[Json]) -> Iterator[tuple[ast.arg, str]]:
    defined = functions_in(tree)
    for function in functions:
        node = definition_of(function, defined)
        static = {one["name"]: one["type"] for one in function["parameters"] if one["role"] == "static"}
        for parameter in parameters(node) if node is not None else ():
            if parameter.arg in static and not _is_marked(parameter):
                yield parameter, static[parameter.arg]


def _is_marked(parameter: ast.arg) -> bool:
    return parameter.annotation is not None and _MARKER in ast.unparse(parameter.annotation)


def _of_arguments(
    tree: ast.Module, text: str, calls: Iterable[tuple[Json, Json]]
) -> Iterator[tuple[ast.expr | ast.keyword, str]]:
    made = [(one.scope, one.node) for one in scoped_nodes(tree) if isinstance(one.node, ast.Call)]
    for _, call in calls:
        near = sorted(made, key=lambda one: (one[0] != call["scope"], abs(one[1].lineno - call["line"])))
        yield from next((found for _, node in near if (found := _static_arguments(node, call, text))), ())


def _static_arguments(node: ast.Call, call: Json, text: str) -> tuple[tuple[ast.expr | ast.keyword, str], ...]:
    """The arguments of a call that are the static ones of a call in a census; none if it is another call."""
    given: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
    found = []
    for static in call["static"]:
        same = next((one for one in given if _is(one, static, text)), None)
        if same is None:
            return ()
        given.remove(same)
        found.append((same, static["type"]))
    return tuple(found)


def _is(argument: ast.expr | ast.keyword, static: Json, text: str) -> bool:
    if isinstance(argument, ast.keyword):
        return argument.arg == static["name"] and _is(argument.value, static, text)
    source = " ".join((ast.get_source_segment(text, argument) or "").split())
    value: str = static["value"]
    return source.startswith(value.removesuffix(_CUT)) if value.endswith(_CUT) else source == value
