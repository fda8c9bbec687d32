"""Findings about the dict that Flax returns since 0.7.1, and about lists that JAX once took for arrays in some places.

They are potential if the project is for an older Flax or JAX. The plugin finds them; it does not know the project.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from jaxtyped_static_mypy.reporting.finding import OF_FROZEN_DICT, OF_LISTED_ARRAY
from jaxtyped_static_mypy.reporting.harm import Harm

from ..diagnostics import Diagnostic
from .installed import Installed
from .source_files import source_file

_FLAX: Final = "flax"
_JAX: Final = "jax"
# A JAX of the time of the first Flax that returns a dict.
_SINCE: Final = {_FLAX: "0.4.14", _JAX: ""}
_SETTING: Final = b"flax_return_frozendict"
# What mypy says at the same place.
_OF_MYPY: Final = frozenset({"attr-defined", "call-arg", "call-overload", "misc", "union-attr"})


def settled(
    found: Iterable[Diagnostic],
    contents: Mapping[str, bytes],
    installed: Installed,
    root: Path,
    python: tuple[int, int],
) -> Iterator[Diagnostic]:
    """What mypy reports, without what does not happen in this project, and what mypy itself says of it."""
    known = list(found)
    ours = {one for one in known if _is_of_frozen(one) and _raises(one, contents, python)}
    if any(_SETTING in content for content in contents.values()):
        ours.clear()
    places = {one.span[:3] for one in ours}
    for one in known:
        if one in ours:
            yield _asked(one, installed, root, _FLAX)
        elif one.finding is not None and one.finding.kind == OF_LISTED_ARRAY:
            yield _asked(one, installed, root, _JAX)
        elif not _is_of_frozen(one) and not (one.code in _OF_MYPY and one.span[:3] in places):
            yield one


def _is_of_frozen(diagnostic: Diagnostic) -> bool:
    return diagnostic.finding is not None and diagnostic.finding.kind == OF_FROZEN_DICT


def _raises(diagnostic: Diagnostic, contents: Mapping[str, bytes], python: tuple[int, int]) -> bool:
    """Whether nothing around the call handles another release."""
    file = source_file(contents.get(diagnostic.span.path, b""))
    if file is None:
        return False
    start = (diagnostic.span.line, diagnostic.span.column - 1)
    calls = (node for node in file.nodes() if isinstance(node, ast.Call) and (node.lineno, node.col_offset) == start)
    return all(file.raises(call, python) for call in calls)


def _asked(diagnostic: Diagnostic, installed: Installed, root: Path, package: str) -> Diagnostic:
    """Potential, if the project asks for another release than the installed one."""
    asked = installed.asks_for_another(root / diagnostic.span.path, root, package, _SINCE[package])
    if asked is None or diagnostic.finding is None:
        return diagnostic
    return diagnostic._replace(
        notes=(*diagnostic.notes, asked), finding=diagnostic.finding._replace(harm=Harm.POTENTIAL)
    )
