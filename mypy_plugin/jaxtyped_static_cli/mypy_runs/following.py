"""Modules that stay checked while their files are edited, saved or not.

mypy analyses them once in a way that it can update (`compat.fine_grained`): most edits then take a hundredth of the
time of a check. What cannot be followed needs another check from the beginning: files that appear or vanish, other
settings, and imports of modules that mypy has not read.
"""

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from mypy.errors import CompileError
from mypy.options import Options

from jaxtyped_static_mypy.memory import clear

from ..cache.sealing import kept_whole
from ..compat.fine_grained import FollowingBuild
from ..files.parsing import parsed_by_python
from .diagnostics import Diagnostic, read_diagnostics
from .imported import imported_modules
from .modules import Module, for_mypy, relative
from .plugin import SWITCHES
from .read_programs import ReadProgram
from .runs import Checked
from .whole_programs import with_whole_program

_SYNTAX: Final = "it has a syntax error"


class NotFollowed(Exception):
    """Something that mypy cannot follow: the modules must be checked from the beginning."""


class Followed:
    """Modules that mypy checked together. `contents`: of all their files.

    Raises:
        NotFollowed: something keeps mypy from checking them.
    """

    def __init__(self, modules: Iterable[Module], root: Path, options: Options, contents: Mapping[Path, bytes]) -> None:
        self._root, self._options = root, options
        self._modules = {module.file: module for module in modules}
        self.contents = {file: contents[file] for file in self._modules}  # as mypy has read them
        self._warm: set[Path] = set()  # files that were checked again, which takes longer the first time
        self.broken: dict[Path, str] = {}  # files with contents that mypy cannot read, and why
        self._imports = {file: self._imported(file, content) or frozenset() for file, content in self.contents.items()}
        with self._running(), kept_whole(Path(options.cache_dir)):
            self._build = FollowingBuild(for_mypy(self._modules.values(), root), options, self.contents)
        self._found = self._read(self._build.first)

    @property
    def checked(self) -> Checked:
        modules = {name: self._root / path for name, path in self._build.modules.items()}
        named = tuple(self._modules.values())
        read = ReadProgram(named, modules, self._root, self._options, self._content)
        found = with_whole_program(self._found, read)
        kept = tuple(one for one in found if self._root / one.span.path not in self.broken)
        return Checked(kept, modules, named)

    def _content(self, file: Path) -> bytes:
        content = self.contents.get(file)
        return content if content is not None else file.read_bytes()

    def update(self, changed: Mapping[Path, bytes]) -> None:
        """Checks again what other contents of files have an effect on.

        A file that cannot be read is to all others as it was before.

        Raises:
            NotFollowed: see above.
        """
        if not changed.keys() <= self._modules.keys():
            raise NotFollowed
        imports = {file: self._imported(file, content) for file, content in changed.items()}
        read = {file: content for file, content in changed.items() if imports[file] is not None}
        self.broken |= dict.fromkeys(changed.keys() - read.keys(), _SYNTAX)
        if not read:
            return
        found = {file: names for file, names in imports.items() if names is not None}
        if any(self._build.finds(name) for file, names in found.items() for name in names - self._imports[file]):
            raise NotFollowed
        self._imports |= found
        self.contents |= read
        for file in read:
            self.broken.pop(file, None)
        self._check_again(read)

    def warm(self, file: Path) -> bool:
        """Checks a file again as it is, unless that was done: for classes, mypy takes longer the first time.

        Returns whether it was done now.
        """
        if file in self._warm or file not in self._modules or file in self.broken:
            return False
        self._check_again([file])
        return True

    def _check_again(self, files: Collection[Path]) -> None:
        self._warm.update(files)
        with self._running():
            updated = self._build.update([relative(file, self._root) for file in files], self.contents)
        if not updated.blocked:
            self._found = self._read(updated.lines)
        for diagnostic in read_diagnostics(updated.blocked):
            self.broken[self._root / diagnostic.span.path] = diagnostic.message

    def _imported(self, file: Path, content: bytes) -> frozenset[str] | None:
        """None for what cannot be read."""
        tree = parsed_by_python(content)
        return imported_modules(tree, self._modules[file]) if tree is not None else None

    def _read(self, lines: Iterable[str]) -> tuple[Diagnostic, ...]:
        found = dict.fromkeys(read_diagnostics(lines))
        return tuple(one for one in found if self._root / one.span.path in self._modules)

    @contextlib.contextmanager
    def _running(self) -> Iterator[None]:
        with contextlib.chdir(self._root):
            SWITCHES.is_followed = True
            try:
                yield
            except CompileError:
                raise NotFollowed from None
            finally:
                SWITCHES.is_followed = False
                clear()
