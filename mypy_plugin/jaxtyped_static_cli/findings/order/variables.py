"""Whether code that JAX compiled keeps the value that a variable of a module had, though the program changes it.

As for objects there is one run for each module, and for each function that starts a program. But here a name counts
only where it is clear what it stands for, and a call only if no condition leaves it out.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from jaxtyped_static_mypy.facts.method_facts import MAKING
from jaxtyped_static_mypy.knowledge import naming
from jaxtyped_static_mypy.knowledge.full_names import JAX, NUMPY

from .modules import Modules
from .names import Known
from .replay import TooMuch
from .steps import Guarded, Loop, Named, Step, Stored, stored_in

_MOST_STEPS: Final = 20_000
_LONGEST: Final = 400  # of the text of a value
_UNKNOWN: Final = "?"
_MADE: Final = "("  # in the text of what a call makes
_PATH: Final = re.compile(r"""[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\["\w+"\])*""")
_KEY: Final = re.compile(r"\['(\w+)'\]")
_CALLED: Final = re.compile(r"([\w.]+)\(")
_ANY: Final = re.compile(r"\?\d+;")  # a value that nobody knows
_ARRAYS: Final = (JAX, f"{NUMPY}.")
_RELOADING: Final = "reload"  # a module, with all that it has compiled
_Env = dict[str, str]  # the values of the variables of a function, as texts


class Shared(NamedTuple):
    """A variable of a module, or a part of it, that compiled code reads."""

    name: str  # its full name
    path: str  # `.rate`, `["rate"]`
    compiled: str  # the full name by which programs call what is compiled
    keys: tuple[str, ...]  # its static parameters, as `1:n`

    @property
    def whole(self) -> str:
        return f"{self.name}{self.path}"


class Place(NamedTuple):
    """A statement that gives the variable another value."""

    module: str
    where: str  # the function around it
    line: int
    target: str  # as written


def places_stale(shared: Shared, modules: Modules, started: Iterable[Known]) -> list[Place]:
    """The statements after which compiled code still finds the old value. `started`: what begins a program."""
    own, _, _ = shared.compiled.rpartition(".")
    found: dict[Place, None] = {}
    for known in started:
        run = _Run(shared, modules, value=_initial(shared, modules))
        try:
            run.run(known, {}, is_uncertain=False)
        except TooMuch:
            continue
        found |= dict.fromkeys(place for place in run.stale if not known.module == place.module == own)
    return list(found)


def _initial(shared: Shared, modules: Modules) -> str:
    """The value that the variable has first, if that is a constant."""
    module, _, name = shared.name.rpartition(".")
    top = modules.routines.get(module)
    stored = [step.value for step in stored_in(top.routine.steps) if step.target == name] if top is not None else []
    is_whole = len(stored) == 1 and not shared.path and _UNKNOWN not in stored[0]
    return stored[0] if is_whole else "initial"


@dataclass
class _Run:
    """One run: what the variable holds, and what was compiled in, by the static arguments."""

    shared: Shared
    modules: Modules
    value: str
    setting: Place | None = None
    is_perhaps: bool = False  # a condition may leave out what set it
    kept: dict[tuple[str, ...], str] = field(default_factory=dict)
    stale: dict[Place, None] = field(default_factory=dict)
    _steps: int = 0
    _news: int = 0
    _around: list[Known] = field(default_factory=list)
    _of_modules: dict[str, _Env] = field(default_factory=dict)

    def run(self, known: Known, env: _Env, *, is_uncertain: bool) -> None:
        if known in self._around:
            return
        self._around.append(known)
        if not known.routine.name:
            env = self._of_modules.setdefault(known.module, {})
        self._run_all(known.routine.steps, known, env, is_uncertain=is_uncertain)
        self._around.pop()

    def _run_all(self, steps: tuple[Step, ...], known: Known, env: _Env, *, is_uncertain: bool) -> None:
        for step in steps:
            self._steps += 1
            if self._steps > _MOST_STEPS:
                raise TooMuch
            match step:
                case Loop():
                    for _ in range(2):
                        self._run_all(step.steps, known, env, is_uncertain=is_uncertain)
                case Guarded():
                    self._run_all(step.steps, known, env, is_uncertain=True)
                case Stored():
                    self._store(step, known, env, is_uncertain=is_uncertain or step.is_uncertain)
                case Named(is_call=True):
                    self._call(step, known, env, is_uncertain=is_uncertain or step.is_uncertain)

    # Variables

    def _store(self, step: Stored, known: Known, env: _Env, *, is_uncertain: bool) -> None:
        value = self._evaluated(step.value, known, env)
        if step.is_local or not known.routine.name:
            before = env.get(step.target, step.target)
            env[step.target] = f"({before}{step.operator}{value})" if step.operator else value
        if step.is_local or self.modules.full_name(step.target, known) != self.shared.whole:
            return
        if step.target.isidentifier() and not known.routine.name:
            return  # where its module is imported, before all else
        self.value = f"({self.value}{step.operator}{value})" if step.operator else value
        self.setting = Place(known.module, known.routine.name, step.line, step.target)
        self.is_perhaps = is_uncertain

    def _evaluated(self, text: str, known: Known, env: _Env) -> str:
        """A value with those of the variables in it."""
        if _UNKNOWN in text:
            self._news += 1
            return f"{_UNKNOWN}{self._news};"
        found = _PATH.sub(lambda path: self._read(path[0], known, env), _KEY.sub(r'["\1"]', text))
        return found if len(found) < _LONGEST else self._evaluated(_UNKNOWN, known, env)

    def _read(self, path: str, known: Known, env: _Env) -> str:
        head = path.partition(".")[0].partition("[")[0]
        if head in known.routine.variables:
            return env.get(head, head) + path[len(head) :]
        if self.modules.full_name(path, known) == self.shared.whole:
            return self.value
        return self._of_modules.get(known.module, {}).get(head, head) + path[len(head) :]

    # Calls

    def _call(self, step: Named, known: Known, env: _Env, *, is_uncertain: bool) -> None:
        if naming.empties_cache(step.name):
            self.kept.clear()
            return
        if step.name == _RELOADING:
            raise TooMuch
        passed = {key: self._evaluated(text, known, env) for key, text in step.texts}
        full_name = self._meant(step, known, env)
        if full_name == self.shared.compiled:
            self._run_compiled(passed, known, is_uncertain=is_uncertain)
        elif (called := self._routine(full_name)) is not None:
            self.run(called, _given(called, passed), is_uncertain=is_uncertain)

    def _run_compiled(self, passed: Mapping[str, str], known: Known, *, is_uncertain: bool) -> None:
        keys = [key.split(":", 1) for key in self.shared.keys]
        key = tuple(passed.get(name, passed.get(index, "")) for index, name in keys)
        if is_uncertain and (self.is_perhaps or not self.kept):
            return
        if any(self._may_have_another_shape(text, known) for text in passed.values()):
            return
        kept = self.kept.setdefault(key, self.value)
        if kept != self.value and self.setting is not None:
            self.stale[self.setting] = None

    def _may_have_another_shape(self, passed: str, known: Known) -> bool:
        """Whether an argument may have another shape with the value: an integer, or what a call makes of the value.

        Of a value that is not known, which may be an integer, what a function of the program makes, which may read it.
        """
        if _MADE not in passed:
            return False
        if self.value.isdigit() or self.value in passed:
            return True
        called = (self.modules.full_name(name, known) for name in _CALLED.findall(passed))
        return _ANY.fullmatch(self.value) is not None and not all(name.startswith(_ARRAYS) for name in called)

    def _meant(self, step: Named, known: Known, env: _Env) -> str:
        """The full name of what is called, as far as the syntax shows it."""
        if not step.owner:
            return self.modules.full_name(step.name, known)
        if step.owner == known.routine.own:
            return f"{known.module}.{known.routine.cls}.{step.name}"
        made = _CALLED.match(self._evaluated(step.owner, known, env))
        if made is not None:
            return f"{self.modules.full_name(made[1], known)}.{step.name}"
        return self.modules.full_name(f"{step.owner}.{step.name}", known)

    def _routine(self, full_name: str) -> Known | None:
        """The function of that name, or what makes an object of a class."""
        names = [full_name] if full_name not in self.modules.classes else [f"{full_name}.{name}" for name in MAKING]
        return next((self.modules.routines[name] for name in names if name in self.modules.routines), None)


def _given(called: Known, passed: Mapping[str, str]) -> _Env:
    """The values of the parameters."""
    names = called.routine.parameters[bool(called.routine.own) :]
    by_position = {name: passed[str(index)] for index, name in enumerate(names) if str(index) in passed}
    return {name: passed[name] for name in names if name in passed} | by_position
