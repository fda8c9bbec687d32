"""The JAX that mypy sees: which release it is, and what it has."""

import ast
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from jaxtyped_static_mypy.knowledge.removed_releases import had, newest_release

from ...files.ordinary import read_ordinary
from ...files.parsing import parsed_by_python
from ...project.pythons import pythons
from ...project.requirements import asked_before
from ...project.roots import folders_of_repository
from ...project.versions import version_in

_DEPRECATIONS: Final = "_deprecations"


class _Asked(NamedTuple):
    """What the files for a folder ask for."""

    earlier: str | None  # an earlier JAX
    bounded: tuple[tuple[str, str], ...]  # by its Python: what is said of it, and the last JAX for it

    def before(self, name: str) -> str | None:
        still_there = (said for said, release in self.bounded if had(release, name))
        return self.earlier or next(still_there, None)


@dataclass(frozen=True)
class Installed:
    """`folder`: that of the package."""

    folder: Path
    _asked: dict[Path, _Asked] = field(default_factory=dict)

    @cached_property
    def version(self) -> str | None:
        return version_in(self.folder.parent, self.folder.name)

    def has_module(self, name: str) -> bool:
        path = self.folder.parent.joinpath(*name.split("."))
        return path.is_dir() or any(path.with_suffix(suffix).is_file() for suffix in (".py", ".pyi"))

    def refuses(self, name: str) -> bool:
        """Whether the package has a name for type checkers alone: its table of deprecations has nothing for it."""
        return name.removeprefix(f"{self.folder.name}.") in self._refused

    @cached_property
    def _refused(self) -> frozenset[str]:
        try:
            tree = parsed_by_python(read_ordinary(self.folder / "__init__.py"))
        except OSError:
            tree = None
        assigned = (node for node in tree.body if isinstance(node, ast.Assign)) if tree is not None else ()
        tables = [node.value for node in assigned if _DEPRECATIONS in map(ast.unparse, node.targets)]
        rows = ((key, row) for table in tables if isinstance(table, ast.Dict) for key, row in _rows(table))
        return frozenset(key for key, row in rows if isinstance(row, ast.Tuple) and _is_none(row.elts[-1]))

    def asked_before(self, file: Path, root: Path, name: str) -> str | None:
        """What the project says, if it asks for an earlier JAX than this, or a Python whose last JAX has a name."""
        if self.version is None:
            return None
        if (folder := file.parent) not in self._asked:
            inside = [one for one in (folder, *folder.parents) if one.is_relative_to(root)]
            self._asked[folder] = _asked(self.version, [*inside, *folders_of_repository(root)[1:]], root)
        return self._asked[folder].before(name)


def _asked(version: str, folders: list[Path], root: Path) -> _Asked:
    releases = ((python.said, newest_release(python.minor)) for python in pythons(folders, root))
    bounded = tuple(
        (f"{said}, for which the newest JAX is {release}", release) for said, release in releases if release is not None
    )
    return _Asked(asked_before(version, folders, root), bounded)


def _rows(table: ast.Dict) -> list[tuple[str, ast.expr]]:
    pairs = zip(table.keys, table.values, strict=True)
    return [(key.value, row) for key, row in pairs if isinstance(key, ast.Constant) and isinstance(key.value, str)]


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
