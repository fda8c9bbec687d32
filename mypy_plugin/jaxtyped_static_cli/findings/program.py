"""What the whole program does with the objects of a class: mypy shows the plugin one module and those it imports."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from jaxtyped_static_mypy.facts.objects.reading import read_uses
from jaxtyped_static_mypy.facts.objects.resolving import Program
from jaxtyped_static_mypy.facts.objects.uses import REFUSED_WHEN_FROZEN, UNKNOWN, Change, ModuleUses
from jaxtyped_static_mypy.reporting.evidence import attributes, listed
from jaxtyped_static_mypy.reporting.finding import Asked, Evidence, Question

from ..compat.parsing import parsed
from ..files import sources
from ..files.python_files import is_of_library

_FILES_KEPT: Final = 4096
_HOW: Final = {Asked.ASSIGNED: REFUSED_WHEN_FROZEN}


class _Changed(NamedTuple):
    path: Path
    change: Change


@dataclass(frozen=True, eq=False)
class ProgramUses:
    """What the modules of a program do with objects. It is read when somebody asks."""

    modules: Mapping[str, Path]  # libraries included
    root: Path

    def answers(self, questions: Iterable[Question], seen: Iterable[Path]) -> Iterator[Evidence]:
        """The evidence in each file, without those in which it was seen already."""
        skipped = set(seen)
        for question in questions:
            by_path: dict[Path, list[Change]] = {}
            for path, change in self._changes_of(question.cls):
                if change.how in _HOW[question.asked] and path not in skipped:
                    by_path.setdefault(path, []).append(change)
            for path, changes in sorted(by_path.items()):
                yield _evidence(question, self._shown(path), changes)

    def _changes_of(self, cls: str) -> Iterator[_Changed]:
        """The changes of objects of a class, also where a base or subclass declares the object."""
        above = set(self._program.lineage(cls))
        for other, changed in self._by_class.items():
            if other in above or cls in self._program.lineage(other):
                yield from changed

    @cached_property
    def _program(self) -> Program:
        return Program(self._uses)

    @cached_property
    def _by_class(self) -> Mapping[str, list[_Changed]]:
        """The changes in the program, by the full name of the class of what they change."""
        found: dict[str, list[_Changed]] = {}
        for module, path in self.modules.items():
            uses = self._uses(module)
            for change in uses.changes if uses is not None else ():
                cls = self._program.class_of(change.owner) if change.owner != UNKNOWN else None
                if cls is not None:
                    found.setdefault(cls, []).append(_Changed(path, change))
        return found

    def _uses(self, module: str) -> ModuleUses | None:
        path = self.modules.get(module)
        if path is None or path.suffix != ".py" or is_of_library(str(path)):
            return None
        return _read(sources.lines(path), path, module)

    def _shown(self, path: Path) -> str:
        return str(path.relative_to(self.root) if path.is_relative_to(self.root) else path)


@lru_cache(_FILES_KEPT)
def _read(lines: tuple[str, ...], path: Path, module: str) -> ModuleUses | None:
    tree = parsed("\n".join(lines), path, module)
    return read_uses(tree) if tree is not None else None


def _evidence(question: Question, path: str, changes: list[Change]) -> Evidence:
    """`train.py:40 and 52 assign "dt", ...`."""
    lines = [*dict.fromkeys(str(change.line) for change in changes)]
    places = f"{path}:{listed(lines)} {'assign' if len(lines) > 1 else 'assigns'} {attributes(changes)}"
    return Evidence(question.label, path, changes[0].line, question.answered(places))
