"""Runs mypy on any project: names the files that cannot be checked, and checks the rest."""

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from mypy.modulefinder import BuildSource
from mypy.options import Options

from jaxtyped_static_mypy.knowledge.full_names import PACKAGE
from jaxtyped_static_mypy.memory import clear

from ..cache.sealing import kept_whole, throw_away
from ..compat.building import Built, CacheFailed, MypyFailed, build_sources, run_build
from ..compat.options import can_use_older_parser, marked, skip_module, use_older_parser
from ..compat.trees import CheckedProgram
from ..files.parsing import parsed_by_python
from ..terminal.problems import Problem
from ..terminal.saying import say
from .blindness import hides_package, left_out_by, unseen_packages, why_blind
from .diagnostics import Diagnostic, read_diagnostics, unread
from .modules import Module, for_mypy, rounds
from .past_trees import free_past_trees
from .read_programs import ReadProgram
from .whole_programs import with_whole_program

_TWICE: Final = "Source file found twice under different module names"
_SHADOWS: Final = "This file shadows library module"  # beside scripts: `common/typing.py` is `typing` for these
_NAMES: Final = re.compile(r'"([^"]+)"')
_AS_FILE: Final = ".__init__"  # `from ..__init__ import version` imports a package by the name of its file
_SYNTAX: Final = "syntax"  # mypy's code for what its parser refuses
_FAILED: Final = "mypy itself fails on it; `python -m mypy --show-traceback` shows where"


class Checked(NamedTuple):
    """Files that mypy checked together."""

    diagnostics: tuple[Diagnostic, ...]
    modules: dict[str, Path]  # of the whole program, libraries included
    named: tuple[Module, ...] = ()  # the files themselves
    left_out: Mapping[str, frozenset[str]] = MappingProxyType({})  # what own modules import, and mypy does not find


@dataclass
class Outcome:
    """What the runs of mypy reported."""

    checked: list[Checked] = field(default_factory=list)
    broken: list[Diagnostic] = field(default_factory=list)  # files that mypy cannot read: the first error of each
    warnings: list[str] = field(default_factory=list)  # of the plugin, about its settings or what it can see
    unseen: set[str] = field(default_factory=set)  # packages that the program imports, and of which mypy knows no types
    again: "Callable[[Mapping[Path, bytes]], Outcome] | None" = None  # checks other contents of some files

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Without the records of what calls pass."""
        found = (diagnostic for checked in self.checked for diagnostic in checked.diagnostics)
        return [diagnostic for diagnostic in found if not diagnostic.is_record]


class _NeedsPath(Exception):
    """The files of a folder need the names by their path: as scripts they have two, or that of a library module."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder


class Run(NamedTuple):
    """What to check, and how.

    `on_checked` is called with the path of each file that mypy has checked. `inspect` gets each checked program,
    whose files are then not taken from the cache. Files in `contents` are checked as if they had these contents.
    """

    files: Sequence[Path]
    root: Path
    options: Options
    on_checked: Callable[[str], None] = lambda path: None
    inspect: Callable[[CheckedProgram], None] | None = None
    contents: Mapping[Path, bytes] = MappingProxyType({})

    def __call__(self) -> Outcome:
        """The errors are those in these files.

        Raises:
            Problem: a setting is wrong or hides JAX, or mypy failed.
        """
        by_path: set[Path] = set()
        with contextlib.chdir(self.root), kept_whole(Path(self.options.cache_dir)):
            while True:
                try:
                    outcome = self._all_rounds(by_path)
                    break
                except _NeedsPath as needs:
                    by_path.add(needs.folder)
        outcome.again = self._again
        return outcome

    def _again(self, contents: Mapping[Path, bytes]) -> Outcome:
        free_past_trees()
        return self._replace(contents=contents)()

    def _all_rounds(self, by_path: set[Path]) -> Outcome:
        outcome = Outcome()
        bases = [self.root / path for path in self.options.mypy_path]
        for number, modules in enumerate(rounds(self.files, self.root, bases, by_path)):
            if number:
                free_past_trees()
            mark = f"round {number}" if number else ""
            if self.inspect is not None:
                mark = f"inspected at {time.time_ns()}"
            with marked(self.options, [module.name for module in modules], mark):
                self._round(modules, outcome, by_path)
            clear()
        return outcome

    def _round(self, modules: list[Module], outcome: Outcome, by_path: set[Path]) -> None:
        """Runs mypy until it checks something, each time without the files that stopped it before."""
        while modules:
            built, found = self._build(modules, outcome)
            if built is not None:
                program = {name: self.root / path for name, path in built.paths.items()}
                read = ReadProgram(modules, program, self.root, self.options, self._content)
                found = with_whole_program(found, read)
                wanted, known = set(self.files), set(outcome.diagnostics)  # another round may import the same file
                mine = tuple(
                    diagnostic for diagnostic in found if self._file(diagnostic) in wanted and diagnostic not in known
                )
                if not outcome.broken and (why := why_blind(built, self.options)) is not None:
                    # A module that is broken was hidden here, which is said already.
                    folder = next((module.base for module in modules if hides_package(module.name)), self.root)
                    raise _NeedsPath(folder) if folder not in (self.root, *by_path) else Problem(why)
                outcome.unseen |= unseen_packages(built)
                outcome.checked.append(Checked(mine, program, tuple(modules), left_out_by(built)))
                outcome.broken += (
                    diagnostic._replace(message=diagnostic.failure)
                    for diagnostic in mine
                    if diagnostic.failure is not None
                )
                return
            modules = self._without_blocking(modules, found, outcome, by_path)

    def _build(self, modules: list[Module], outcome: Outcome) -> tuple[Built | None, list[Diagnostic]]:
        """Runs mypy; without its cache, if that is unfit or cannot be written."""
        lines: list[str] = []

        def keep(file: str | None, messages: list[str]) -> None:
            lines.extend(messages)
            if file is not None:
                self.on_checked(file)

        named = for_mypy(modules, self.root)
        sources = build_sources(named)
        try:
            try:
                built = self._run(sources, keep, outcome)
            except CacheFailed as unfit:
                self._give_up_cache(unfit)
                lines.clear()
                built = self._run(sources, keep, outcome)
        except MypyFailed as failed:
            if failed.path not in {path for path, *_ in named}:
                raise
            return None, [unread(failed.path, _FAILED)]
        return built, list(read_diagnostics(lines))

    def _run(
        self, sources: list[BuildSource], keep: Callable[[str | None, list[str]], None], outcome: Outcome
    ) -> Built | None:
        """What the plugin writes is about the settings; what this module says is about the run, and is not kept."""
        said = StringIO()
        built = run_build(sources, self.options, keep, self.inspect, self.contents, said=said)
        lines = (line for line in said.getvalue().splitlines() if line.strip())
        outcome.warnings = list(dict.fromkeys((*outcome.warnings, *lines)))
        return built

    def _give_up_cache(self, failed: CacheFailed) -> None:
        """Throws the cache away, and goes on with an empty one, or without one."""
        folder = Path(self.options.cache_dir)
        throw_away(folder)
        if failed.is_damaged:
            say(f"{folder}: the cache is damaged ({failed}); it is made again")
        else:
            self.options.cache_dir = os.devnull
            say(f"{folder}: the cache cannot be written ({failed}); nothing is kept for the next check")

    def _without_blocking(
        self, modules: list[Module], found: Iterable[Diagnostic], outcome: Outcome, by_path: set[Path]
    ) -> list[Module]:
        """The modules without those that keep mypy from checking the others.

        Raises:
            _NeedsPath: other names may help.
            Problem: nothing helps.
        """
        blocking: dict[Path | None, Diagnostic] = {}
        for diagnostic in found:
            if diagnostic.is_error:
                blocking.setdefault(self._file(diagnostic), diagnostic)
        if can_use_older_parser(self.options) and any(map(self._is_fault_of_parser, blocking.values())):
            use_older_parser(self.options)
            return modules
        refused = [module for module in modules if module.file in blocking]
        if (name := self._other_name(blocking.values(), modules, any_name=not refused)) is not None:
            skip_module(self.options, name)
            return modules
        if not refused:
            raise Problem(_why_stopped(next(iter(blocking.values()), None)))
        for module in refused:
            error = blocking[module.file]
            if not error.message.startswith((_TWICE, _SHADOWS)):
                outcome.broken.append(error)
                skip_module(self.options, module.name)
            elif (base := _base_at_fault(module, modules)) not in (*by_path, self.root):
                raise _NeedsPath(base)  # else it is checked under the name by which it is imported
            elif error.message.startswith(_SHADOWS):
                outcome.broken.append(error)
        return [module for module in modules if module not in refused]

    def _other_name(self, errors: Iterable[Diagnostic], modules: list[Module], *, any_name: bool) -> str | None:
        """A second name of a file, if mypy still follows it, that keeps it from checking anything.

        That of a package by the name of its file; with `any_name`, also one by which some file imports it.
        """
        twice = (error for error in errors if error.message.startswith(_TWICE))
        names = [name for error in twice for name in _NAMES.findall(error.message)]
        checked = {module.name for module in modules} | set(self.options.per_module_options)
        as_file = (name for name in names if name.endswith(_AS_FILE))
        return next((name for name in (*as_file, *(names if any_name else ())) if name not in checked), None)

    def _is_fault_of_parser(self, error: Diagnostic) -> bool:
        """Whether Python itself can parse what mypy refuses: `n = 1; match = 2`."""
        file = self._file(error)
        if error.code != _SYNTAX or file is None:
            return False
        try:
            return parsed_by_python(self._content(file), newer=False) is not None
        except OSError:
            return False

    def _content(self, file: Path) -> bytes:
        """As mypy reads it."""
        content = self.contents.get(file)
        return content if content is not None else file.read_bytes()

    def _file(self, diagnostic: Diagnostic) -> Path | None:
        return Path(os.path.normpath(self.root / diagnostic.span.path)) if diagnostic.span.path else None


def _why_stopped(error: Diagnostic | None) -> str:
    if error is None:
        return "mypy stopped without a reason; `python -m mypy` may show it"
    text = re.sub(rf"^(?:mypy: )?(?:{PACKAGE}: )?(?:error: )?", "", error.message)
    return f"{error.span.path}:{error.span.line}: {text}" if error.span.path else text


def _base_at_fault(module: Module, modules: Iterable[Module]) -> Path:
    """The folder that gives a file a name which mypy refuses: its own base, or its folder if others have that."""
    folder = module.file.parent
    return folder if any(other.base == folder for other in modules) else module.base
