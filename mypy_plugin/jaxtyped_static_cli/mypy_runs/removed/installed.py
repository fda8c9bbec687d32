"""The JAX that mypy sees, and the libraries that are installed with it: which releases they are, and what they have."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from jaxtyped_static_mypy.knowledge.bounding_releases import BOUNDING
from jaxtyped_static_mypy.knowledge.ecosystem import PACKAGES
from jaxtyped_static_mypy.knowledge.pinned_releases import CURRENT
from jaxtyped_static_mypy.knowledge.removed_releases import Times, newest_release

from ...files.ordinary import read_ordinary
from ...files.parsing import parsed_by_python
from ...project.bounds import Version, version_of
from ...project.pythons import pythons
from ...project.requirements import asks_for_another, installs_another
from ...project.roots import folders_for
from ...project.versions import version_in
from .packages import Packages, packages_in

_DEPRECATIONS: Final = "_deprecations"
_JAX: Final = "jax"


class _Bounded(NamedTuple):
    """A Python, or another package, that a project asks for."""

    said: str
    release: str  # the last JAX for it


@dataclass(frozen=True)
class Installed:
    """`folder`: that of JAX."""

    folder: Path
    _asked: dict[tuple[Path, str], str | None] = field(default_factory=dict)
    _bounded: dict[Path, tuple[_Bounded, ...]] = field(default_factory=dict)
    _timed: dict[tuple[Path, str], str | None] = field(default_factory=dict)
    _held: dict[tuple[Path, str], str | None] = field(default_factory=dict)
    _versions: dict[str, str | None] = field(default_factory=dict)

    @cached_property
    def packages(self) -> Packages:
        return packages_in(self.folder.parent, self.version(_JAX))

    def version(self, package: str) -> str | None:
        if package not in self._versions:
            distribution = PACKAGES[package].distribution
            self._versions[package] = version_in(self.folder.parent, distribution)
        return self._versions[package]

    def title(self, package: str) -> str:
        """`JAX 0.10.2`."""
        version, title = self.version(package), PACKAGES[package].title
        return f"{title} {version}" if version is not None else f"this {title}"

    def has_module(self, name: str) -> bool:
        return self.packages.has_module(name)

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

    def asked_before(self, file: Path, root: Path, times: Times) -> str | None:
        """What the project says, if it asks for a JAX that may have what is gone, or for something of its time.

        A project that asks for an earlier JAX than this, which lacks the name all the same, fails there, too.
        """
        installed = self.version(_JAX)
        if installed is None:
            return None
        release = min(times.gone or installed, installed, key=version_of)
        asked = self._asks_before(file.parent, root, release) or installs_another(_JAX, release, file, root)
        return asked or self._by_others(file.parent, root, version_of(times.last))

    def asks_for_another(self, file: Path, root: Path, package: str, since: str = "") -> str | None:
        """What the project says, if it asks for another release of a package than this, or for an earlier JAX.

        What belongs to an earlier JAX is from before this release, too. `since`: a JAX of the time since when the
        package is as it is here, if that is known.
        """
        asked = self._asks(file.parent, root, package) or self._asks_itself(file, root, package, later=True)
        return asked or self._holds_back(file.parent, root, since) or self._asks_itself(file, root, _JAX, later=False)

    def _holds_back(self, folder: Path, root: Path, since: str) -> str | None:
        """What the project says, if it asks for a JAX before one, or before this."""
        release = since or self.version(_JAX)
        if release is None:
            return None
        return self._asks_before(folder, root, release) or self._by_others(folder, root, _before(version_of(release)))

    def _asks_before(self, folder: Path, root: Path, release: str) -> str | None:
        """What the project says, if it asks for a JAX before one."""
        if (folder, release) not in self._held:
            self._held[folder, release] = asks_for_another(_JAX, release, folders_for(folder, root), root)
        return self._held[folder, release]

    def _by_others(self, folder: Path, root: Path, last: Version) -> str | None:
        return self._bounded_by_others(folder, root, last) or self._of_its_time(folder, root, last)

    def _asks(self, folder: Path, root: Path, package: str) -> str | None:
        version, key = self.version(package), (folder, package)
        if version is None:
            return None
        if key not in self._asked:
            distribution, folders = PACKAGES[package].distribution, folders_for(folder, root)
            self._asked[key] = asks_for_another(distribution, version, folders, root, later=True)
        return self._asked[key]

    def _asks_itself(self, file: Path, root: Path, package: str, *, later: bool) -> str | None:
        """What a script says that installs packages itself."""
        version = self.version(package)
        if version is None:
            return None
        return installs_another(PACKAGES[package].distribution, version, file, root, later=later)

    def _bounded_by_others(self, folder: Path, root: Path, last: Version) -> str | None:
        if self.version(_JAX) is None:
            return None
        if folder not in self._bounded:
            folders = folders_for(folder, root)
            self._bounded[folder] = (*_by_python(folders, root), *_by_packages(folders, root))
        still = (one for one in self._bounded[folder] if version_of(one.release) <= last)
        return next((f"{one.said}, for which the newest JAX is {one.release}" for one in still), None)

    def _of_its_time(self, folder: Path, root: Path, last: Version) -> str | None:
        """What the project says, if it asks for a release of a library from before a JAX that is not after one."""
        release = next((one for one in reversed(tuple(CURRENT)) if version_of(one) <= last), None)
        if release is None or self.version(_JAX) is None:
            return None
        if (folder, release) not in self._timed:
            folders = folders_for(folder, root)
            asked = (asks_for_another(name, current, folders, root) for name, current in CURRENT[release].items())
            said = next(filter(None, asked), None)
            self._timed[folder, release] = said and f"{said}, which is from before JAX {release}"
        return self._timed[folder, release]


def _by_python(folders: Sequence[Path], root: Path) -> Iterator[_Bounded]:
    for python in pythons(folders, root):
        if (release := newest_release(python.minor)) is not None:
            yield _Bounded(python.said, release)


def _by_packages(folders: Sequence[Path], root: Path) -> Iterator[_Bounded]:
    told: set[str] = set()
    for row in BOUNDING:
        said = asks_for_another(row.distribution, row.before, folders, root) if row.distribution not in told else None
        if said is not None:
            told.add(row.distribution)
            yield _Bounded(said, row.newest)


def _before(version: Version) -> Version:
    """What is later than each release before one."""
    return (*version[:-1], version[-1] - 1)


def _rows(table: ast.Dict) -> list[tuple[str, ast.expr]]:
    pairs = zip(table.keys, table.values, strict=True)
    return [(key.value, row) for key, row in pairs if isinstance(key, ast.Constant) and isinstance(key.value, str)]


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
