"""What the whole program does with the objects of a class: mypy shows the plugin one module and those it imports."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from jaxtyped_static_mypy.facts.objects.all_uses import read_all_uses
from jaxtyped_static_mypy.facts.objects.conditions import Condition, ConditionsAtLines
from jaxtyped_static_mypy.facts.objects.resolving import KnownModules
from jaxtyped_static_mypy.facts.objects.uses import ANY_ATTRIBUTE, Change, ModuleUses, Use
from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.reach.program import Cause, Runs
from jaxtyped_static_mypy.reporting.evidence.changes import counts
from jaxtyped_static_mypy.reporting.evidence.wording import NEW_EACH_CALL, NEW_EACH_PASS, attributes, listed
from jaxtyped_static_mypy.reporting.finding import Asked, Evidence, Question

from ..compat.parsing import parsed
from ..files import sources
from ..files.python_files import is_of_library
from ..mypy_runs.modules import relative, with_folders
from ..project.packaging import packaged
from .options import Options
from .order.asking import Compiled
from .order.names import Names
from .order.reading import read_steps
from .order.rebinding import Rebinding
from .order.replay import Place
from .order.staleness import Staleness
from .order.steps import ModuleSteps
from .running import ProgramRuns
from .unreached import Unreached

_FILES_KEPT: Final = 4096
_TREES_KEPT: Final = 4  # findings come in the order of files
_SOURCE: Final = "src"


_Shown = tuple[str, Change | Use]  # and the module in which it is


class Answer(NamedTuple):
    """What the program shows of what was asked."""

    question: Question
    evidence: Evidence
    attributes: tuple[str, ...] = ()  # what is changed there


@dataclass(frozen=True, eq=False)
class ProgramUses:
    """What the modules of a program do with objects. It is read when somebody asks."""

    modules: Mapping[str, Path]  # libraries included
    root: Path
    left_out: Mapping[str, frozenset[str]] = field(default_factory=dict)  # what modules import, and mypy does not find
    compiling: frozenset[str] = frozenset()  # the functions of which a finding asks whether they run outside of jit
    _shown: dict[Question, list[_Shown]] = field(default_factory=dict, init=False)  # several findings ask the same
    _names_known: dict[str, Names] = field(default_factory=dict, init=False)
    _places_stale: dict[tuple[object, ...], frozenset[Place]] = field(default_factory=dict, init=False)

    def module_at(self, path: str) -> str:
        """The module of a file, by its path below the root; empty if the program has none."""
        return self._names.get(self.root / path, "")

    def path_of(self, module: str) -> str | None:
        """The path of a module's file, from the root; None if the program has no such module there."""
        path = self.modules.get(module)
        return str(path.relative_to(self.root)) if path is not None and path.is_relative_to(self.root) else None

    def is_in_test(self, path: str) -> bool:
        """Whether a file, by its path below the root, is a module of tests."""
        module = self.module_at(path)
        return bool(module) and self.runs.is_test_module(module)

    @cached_property
    def _names(self) -> Mapping[Path, str]:
        return {path: name for name, path in self.modules.items()}

    def answers(self, questions: Iterable[Question], seen: Iterable[tuple[str, Path]]) -> Iterator[Answer]:
        """The evidence in each file, without those in which some of that label was seen already.

        How often a function runs is another question, which `runs` answers.
        """
        skipped = set(seen)
        for question in questions:
            by_path: dict[tuple[Path, str], list[Change | Use]] = {}
            if question not in self._shown:
                self._shown[question] = list(self._shown_by(question))
            for module, shown in self._shown[question]:
                if (question.label, path := self.modules[module]) not in skipped:
                    by_path.setdefault((path, _new_each(shown)), []).append(shown)
            for (path, what), found in sorted(by_path.items()):
                evidence = _evidence(question, relative(path, self.root), found, what)
                yield Answer(question, evidence, _named(found))

    def _shown_by(self, question: Question) -> Iterator[_Shown]:
        """What may answer a question: of what shows harm, no code that never runs."""
        found = self._found_by(question)
        if question.shows is None:
            return found
        return (
            (module, shown)
            for module, shown in found
            if not (self._unreached.has(module, shown.line) or self._is_of_making(question, module, shown))
        )

    def _is_of_making(self, question: Question, module: str, shown: Change | Use) -> bool:
        """Whether a change is a part of making an object: its method is only called where one has just been made.

        Not of one that runs what is compiled itself, before it changes the object again.
        """
        if not isinstance(shown, Change) or not self.runs.is_part_of_making(f"{module}.{shown.where}"):
            return False
        return not self._is_shown_stale(question, module, shown)

    def _found_by(self, question: Question) -> Iterator[_Shown]:
        if question.asked in _OF_OTHERS:
            return iter(())
        if question.asked is Asked.REBOUND:
            return self._rebinding.changes(question)
        if question.asked is Asked.MADE_AGAIN:
            places = [place for place in self.runs.makes(question.cls) if not naming.unflattens(place.use.where)]
            return ((place.module, place.use) for place in places if self.runs.makes_anew(place))
        if question.asked is Asked.DROPPED:
            return ((place.module, place.use) for place in self.runs.makes(question.cls) if self.runs.drops(place))
        in_tests = naming.is_test_module(question.cls.rpartition(".")[0])
        is_refused = question.asked is Asked.ASSIGNED
        above = set(self._program.lineage(question.cls))
        return (
            (module, change)
            for module, change in self._program.changes_to(question.cls, above, self._changes)
            if change.is_refused_when_frozen is is_refused
            and (not question.among or change.concerns(question.among))
            and change.attribute not in question.without
            and (
                question.shows is None
                or self._leaves_behind(module, change, in_tests=in_tests)
                or (counts(module, change, in_tests=in_tests) and self._is_shown_stale(question, module, change))
            )
        )

    def _is_shown_stale(self, question: Question, module: str, change: Change) -> bool:
        """Whether the order in which the program runs shows that compiled code was there before a change."""
        if not question.compiled:
            return False
        key = question.cls, question.compiled, question.keys
        if key not in self._places_stale:
            lineage = set(self._program.lineage(question.cls))
            changes = list(self._program.changes_to(question.cls, lineage, self._changes))
            self._places_stale[key] = self._staleness(question, changes, []).places_stale()
        return (module, change.line, change.attribute) in self._places_stale[key]

    def _staleness(
        self, question: Question, changes: list[tuple[str, Change]], beside: list[tuple[str, Change]]
    ) -> Staleness:
        compiled = Compiled(question.cls, question.compiled, question.keys)
        lineage = tuple(self._program.lineage(question.cls))
        near = self.names_around(question.cls)
        return Staleness(near, self.runs, compiled, lineage, tuple(changes), tuple(beside))

    def is_stale_nowhere(self, questions: Iterable[Question]) -> bool:
        """Whether the order in which the program changes objects and runs what is compiled leaves nothing behind.

        The questions are about changes of the objects of one class.
        """
        asked = [question for question in questions if question.compiled and question.asked in _OF_CHANGES]
        shown = [found for question in asked for found in self._shown_by(question)]
        changes = [(module, change) for module, change in shown if isinstance(change, Change)]
        if not changes:
            return any(True for question in asked for _ in self._found_by(question))  # none of which ever runs
        lineage = tuple(self._program.lineage(asked[0].cls))
        names = {change.attribute for _, change in changes}
        others = self._program.changes_to(asked[0].cls, set(lineage), self._changes)
        beside = [(module, change) for module, change in others if change.attribute not in names]
        beside += [(module, change) for module, change in self._unseen_changes if change.attribute in names]
        return self._staleness(asked[0], changes, beside).is_shown_fresh()

    @cached_property
    def _unseen_changes(self) -> list[tuple[str, Change]]:
        """The changes of objects of which the syntax does not show the class."""
        found = ((name, uses) for name in self.modules if (uses := self._program.find(name)) is not None)
        changes = ((module, change) for module, uses in found for change in uses.changes)
        return [(module, change) for module, change in changes if self._program.class_of(change.owner) is None]

    @cached_property
    def _rebinding(self) -> Rebinding:
        return Rebinding(self._steps(name for name in self.modules if not self.runs.is_test_module(name)), self.runs)

    def names_around(self, name: str) -> Names:
        """What the modules do that may have to do with a class or function."""
        uses, _ = self._program.split(name)
        module = uses.module if uses is not None else ""
        if module not in self._names_known:
            near = self.runs.imports.connected(module)
            self._names_known[module] = Names(self._steps(name for name in self.modules if name in near))
        return self._names_known[module]

    def _steps(self, modules: Iterable[str]) -> Mapping[str, ModuleSteps]:
        read = ((name, _steps(self.modules[name], name)) for name in modules)
        return {name: steps for name, steps in read if steps is not None}

    def _leaves_behind(self, module: str, change: Change, *, in_tests: bool) -> bool:
        """Whether a change leaves an old value in compiled code: not one of a set-up that no loop reaches."""
        if not counts(module, change, in_tests=in_tests):
            return False
        function = f"{module}.{change.where}"
        if not (change.is_of_set_up or self.runs.is_part_of_set_up(function)):
            return True
        running = self.runs.of(function)
        return running is None or running.runs is not Runs.ONCE or running.cause is Cause.RUNS

    def conditions_at(self, path: str, line: int) -> list[tuple[str, tuple[Condition, ...]]]:
        """Under which conditions each function around a line gets there."""
        module = self.module_at(path)
        conditions = _conditions(sources.lines(self.root / path), self.root / path, module) if module else None
        return [(f"{module}.{name}", found) for name, found in conditions.at(line)] if conditions is not None else []

    @cached_property
    def _program(self) -> KnownModules:
        return KnownModules(cache(self._uses))

    @cached_property
    def _changes(self) -> Mapping[str, list[tuple[str, Change]]]:
        """By the class of what they change, also of what a function is given: `def run(trainer): trainer.dt = 1`."""
        found = dict(self._program.changes_by_class(self.modules))
        for module, change in self._unseen_changes:
            cls = self.runs.class_meant(change.may_be) if change.may_be else None
            if cls is not None:
                found[cls] = [*found.get(cls, ()), (module, change)]
        return found

    @cached_property
    def runs(self) -> ProgramRuns:
        known = self.modules.items()
        tests = frozenset(name for name, path in known if _has_tests(name, path, self.root) or _measures(path))
        examples = frozenset(name for name, path in known if naming.is_example(with_folders(name, path, self.root)))
        installed = packaged({name: path for name, path in known if not is_of_library(str(path))}, self.root)
        return ProgramRuns(
            self._program, tuple(self.modules), self._folders, tests, examples, installed, self.compiling
        )

    def never_runs(self, path: str, line: int) -> bool:
        """Whether the code at a line never runs, as the whole project shows."""
        module = self.module_at(path)
        return bool(module) and self._unreached.has(module, line)

    def is_optional(self, module: str, line: int) -> bool:
        """Whether code runs only if an option is on that is off by default, and that the project never turns on."""
        path = self.modules.get(module)
        return path is not None and path.suffix == ".py" and self._options.are_off(path, line)

    @cached_property
    def _options(self) -> Options:
        files = (path for name, path in self.modules.items() if not self.runs.is_test_module(name))
        return Options.of(files, self.root)

    @cached_property
    def _unreached(self) -> Unreached:
        return Unreached(self.modules, self.root, self.runs, self.left_out)

    @cached_property
    def _folders(self) -> Mapping[str, Path]:
        """The folders of modules that are in no package, but for those where a project may have its library."""
        libraries = {self.root, self.root / _SOURCE}
        files = ((name, path) for name, path in self.modules.items() if "." not in name)
        plain = ((name, path.parent) for name, path in files if path.stem == name)
        return {name: folder for name, folder in plain if folder not in libraries}

    def _uses(self, module: str) -> ModuleUses | None:
        path = self.modules.get(module)
        if path is None or path.suffix != ".py" or is_of_library(str(path)):
            return None
        return _read(sources.lines(path), path, module)


def _has_tests(module: str, path: Path, root: Path) -> bool:
    """Whether a module has tests by its name, or by those of the folders around it, which need not be packages."""
    return naming.is_test_module(with_folders(module, path, root))


def _measures(path: Path) -> bool:
    """Whether a module empties JAX's caches to measure how long JAX compiles: it takes the time, or is a script.

    A function of a program does so, too, before it begins with other data.
    """
    if path.suffix != ".py" or is_of_library(str(path)):
        return False
    lines = sources.lines(path)
    emptying = [number for number, line in enumerate(lines, 1) if naming.EMPTYING_CACHES in line]
    takes_time = bool(emptying) and any(map(naming.takes_time, lines))
    return takes_time or any(not sources.scope(path, number) for number in emptying)


# `runs` and `contradicted` answer these.
_OF_CHANGES: Final = frozenset({Asked.ASSIGNED, Asked.CHANGED})
_OF_OBJECTS: Final = frozenset({Asked.MADE_AGAIN, Asked.DROPPED})
_OF_OTHERS: Final = frozenset(Asked) - {Asked.ASSIGNED, Asked.CHANGED, Asked.REBOUND} - _OF_OBJECTS
_OF_VARIABLES: Final = frozenset({Asked.ASSIGNED, Asked.REBOUND})
_VERBS: Final = {
    **dict.fromkeys(_OF_VARIABLES, "assign"),
    Asked.CHANGED: "change",
    **dict.fromkeys(_OF_OBJECTS, "make"),
}


def _steps(path: Path, module: str) -> ModuleSteps | None:
    if path.suffix != ".py" or is_of_library(str(path)):
        return None
    return _read_steps(sources.lines(path), path, module)


@lru_cache(_FILES_KEPT)
def _read_steps(lines: tuple[str, ...], path: Path, module: str) -> ModuleSteps | None:
    tree = parsed("\n".join(lines), path, module)
    return read_steps(tree) if tree is not None else None


@lru_cache(_FILES_KEPT)
def _read(lines: tuple[str, ...], path: Path, module: str) -> ModuleUses | None:
    tree = parsed("\n".join(lines), path, module)
    return read_all_uses(tree) if tree is not None else None


@lru_cache(_TREES_KEPT)
def _conditions(lines: tuple[str, ...], path: Path, module: str) -> ConditionsAtLines | None:
    tree = parsed("\n".join(lines), path, module)
    return ConditionsAtLines(tree) if tree is not None else None


def _new_each(shown: Change | Use) -> str:
    """What a call of a class makes, which runs again and again."""
    if isinstance(shown, Change):
        return ""
    return NEW_EACH_PASS if shown.is_repeated else NEW_EACH_CALL


def _named(found: list[Change | Use]) -> tuple[str, ...]:
    changed = (shown.attribute for shown in found if isinstance(shown, Change))
    return tuple(name for name in dict.fromkeys(changed) if name != ANY_ATTRIBUTE)


def _evidence(question: Question, path: str, found: list[Change | Use], what: str) -> Evidence:
    """`train.py:40 and 52 assign "dt", ...`."""
    lines = [*dict.fromkeys(str(shown.line) for shown in found)]
    verb = _VERBS[question.asked]
    what = what or attributes(shown for shown in found if isinstance(shown, Change))
    places = f"{path}:{listed(lines)} {verb}{'' if len(lines) > 1 else 's'} {what}"
    return Evidence(question.label, path, found[0].line, question.answered(places))
