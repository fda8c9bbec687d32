"""What the whole program does with the objects of a class: mypy shows the plugin one module and those it imports."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from jaxtyped_static_mypy.facts.objects.module_uses import read_uses
from jaxtyped_static_mypy.facts.objects.resolving import KnownModules
from jaxtyped_static_mypy.facts.objects.uses import REFUSED_WHEN_FROZEN, UNKNOWN, CallMade, Change, ModuleUses
from jaxtyped_static_mypy.reporting.evidence import NEW_EACH_PASS, attributes, listed
from jaxtyped_static_mypy.reporting.finding import Asked, Evidence, Question

from ..compat.parsing import parsed
from ..files import sources
from ..files.python_files import is_of_library

_FILES_KEPT: Final = 4096


class _Changed(NamedTuple):
    path: Path
    change: Change


class _Made(NamedTuple):
    path: Path
    call: CallMade


@dataclass(frozen=True, eq=False)
class ProgramUses:
    """What the modules of a program do with objects. It is read when somebody asks."""

    modules: Mapping[str, Path]  # libraries included
    root: Path

    def answers(self, questions: Iterable[Question], seen: Iterable[Path]) -> Iterator[Evidence]:
        """The evidence in each file, without those in which it was seen already."""
        skipped = set(seen)
        for question in questions:
            by_path: dict[Path, list[Change | CallMade]] = {}
            for path, shown in self._shown_by(question):
                if path not in skipped:
                    by_path.setdefault(path, []).append(shown)
            for path, found in sorted(by_path.items()):
                yield _evidence(question, self._relative(path), found)

    def _shown_by(self, question: Question) -> Iterator[tuple[Path, Change | CallMade]]:
        if question.asked is Asked.MADE_IN_LOOPS:
            return ((path, call) for path, call in self._made.get(question.cls, ()) if call.is_repeated)
        changes = self._changes_of(question.cls)
        return ((path, change) for path, change in changes if change.how in REFUSED_WHEN_FROZEN)

    def _changes_of(self, cls: str) -> Iterator[_Changed]:
        """The changes of objects of a class, also where a base or subclass declares the object."""
        above = set(self._program.lineage(cls))
        for other, changed in self._by_class.items():
            if other in above or cls in self._program.lineage(other):
                yield from changed

    @cached_property
    def _program(self) -> KnownModules:
        return KnownModules(self._uses)

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

    @cached_property
    def _made(self) -> Mapping[str, list[_Made]]:
        """The calls of the classes of the program, by the full name of the class."""
        found: dict[str, list[_Made]] = {}
        for module, path in self.modules.items():
            uses = self._uses(module)
            for call in uses.calls if uses is not None else ():
                if (cls := self._program.definition(call.callee)) is not None:
                    found.setdefault(cls, []).append(_Made(path, call))
        return found

    def _uses(self, module: str) -> ModuleUses | None:
        path = self.modules.get(module)
        if path is None or path.suffix != ".py" or is_of_library(str(path)):
            return None
        return _read(sources.lines(path), path, module)

    def _relative(self, path: Path) -> str:
        return str(path.relative_to(self.root) if path.is_relative_to(self.root) else path)


@lru_cache(_FILES_KEPT)
def _read(lines: tuple[str, ...], path: Path, module: str) -> ModuleUses | None:
    tree = parsed("\n".join(lines), path, module)
    return read_uses(tree) if tree is not None else None


def _evidence(question: Question, path: str, found: list[Change | CallMade]) -> Evidence:
    """`train.py:40 and 52 assign "dt", ...`."""
    lines = [*dict.fromkeys(str(shown.line) for shown in found)]
    verb, what = "make", NEW_EACH_PASS
    if question.asked is Asked.ASSIGNED:
        verb, what = "assign", attributes(shown for shown in found if isinstance(shown, Change))
    places = f"{path}:{listed(lines)} {verb}{'' if len(lines) > 1 else 's'} {what}"
    return Evidence(question.label, path, found[0].line, question.answered(places))
