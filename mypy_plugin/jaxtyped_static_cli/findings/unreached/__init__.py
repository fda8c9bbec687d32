"""Code that never runs, as the whole project shows: what is wrong there harms nobody, and is potential.

- `blocks`: what one file shows: definitions that another one replaces, stubs, what a flag leaves out
- `liveness`: functions and modules of an application that nothing in it names
- `copies`: copies of a package's modules, which stand beside it
- `unused`: functions and classes of a package that nothing uses, and that the package does not offer
- `importable`: modules that import one of the project's own which is not there
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from jaxtyped_static_mypy.knowledge import naming

from ...files.python_files import is_of_library
from ...mypy_runs.modules import with_folders
from ...project.roots import folders_of_repository, is_of_project
from ..running import ProgramRuns
from .blocks import Lines
from .code import Code, Unit, code_of
from .copies import is_copy
from .importable import unimportable
from .liveness import Liveness, Module
from .mentions import other_modules, words_beside
from .unused import Unused

_MOST_MODULES: Final = 4000  # that are read


@dataclass(frozen=True, eq=False)
class Unreached:
    """What never runs in a project."""

    modules: Mapping[str, Path]  # libraries included
    root: Path
    runs: ProgramRuns
    left_out: Mapping[str, frozenset[str]]  # what modules import, and mypy does not find

    def has(self, module: str, line: int) -> bool:
        """Whether the code at a line of a module never runs."""
        code = self._code(module)
        if code is None:
            return False
        if module in self._unimportable or _any_has((*code.replaced, *code.stubs, *code.unnamed), line):
            return True
        if self._is_abandoned(module, code):
            return True
        if module in self.runs.packaged:
            return self._is_unused(module, _unit_at(code, line))
        if self._is_copy(module, code):
            return True
        if self._are_flags_set:
            return False
        return _any_has(code.switched_off, line) or self._is_dead(module, code, line)

    @cached_property
    def _unimportable(self) -> Mapping[str, str]:
        return unimportable(self.modules, self.left_out, self.root)

    def _is_abandoned(self, module: str, code: Code) -> bool:
        """Whether a file is in a folder of replaced code, or a copy that no import can name: `model copy.py`."""
        path = self.modules[module].with_suffix("")
        inside = path.relative_to(self.root) if path.is_relative_to(self.root) else Path(path.name)
        return naming.is_abandoned(".".join(inside.parts)) or not (path.name.isidentifier() or code.is_script)

    def _is_copy(self, module: str, code: Code) -> bool:
        if module not in self._copies:
            path = self.modules[module]
            self._copies[module] = is_copy(path, code, self.modules, self.runs.packaged)
        return self._copies[module]

    @cached_property
    def _copies(self) -> dict[str, bool]:
        return {}

    def _is_dead(self, module: str, code: Code, line: int) -> bool:
        if self._liveness is None:
            return False
        unit = _unit_at(code, line)
        if self._is_of_tests(module):
            return not (unit.is_class or naming.is_called_by_tests(unit.name)) and self._is_left(module, unit)
        if self._is_root(module):
            return False
        return self._liveness.is_dead(module) or self._liveness.is_dead(module, unit.name, unit.cls)

    def _is_unused(self, module: str, unit: Unit) -> bool:
        """Whether nothing uses what a package does not offer either."""
        name = unit.cls or unit.name
        if self._unused is None or self._is_shown(module) or self.runs.is_in_interface(module, name):
            return False
        return self._unused.has(module, unit)

    @cached_property
    def _unused(self) -> Unused | None:
        liveness = self._liveness
        return Unused(liveness.modules, liveness.beside, liveness.bases) if liveness is not None else None

    def _is_left(self, module: str, unit: Unit) -> bool:
        """Whether nothing mentions a function of a module of tests, which runs by itself."""
        is_plain = bool(unit.name) and not (unit.cls or unit.is_kept)
        return is_plain and self._liveness is not None and self._liveness.is_unmentioned(module, unit.name)

    def _is_of_tests(self, module: str) -> bool:
        """Whether a module has tests, and no benchmarks, of which some tools call all functions."""
        return self.runs.is_test_module(module) and not self._is_benchmark(module)

    def _is_benchmark(self, module: str) -> bool:
        path = self.modules.get(module)
        return path is not None and naming.is_benchmark_module(with_folders(module, path, self.root))

    @cached_property
    def _are_flags_set(self) -> bool:
        """Whether some code assigns a flag of another module."""
        found = [code for name in self.modules if (code := self._code(name)) is not None]
        flags = frozenset[str]().union(*(code.flags for code in found))
        return any(not flags.isdisjoint(code.assigned) for code in found)

    def _code(self, module: str) -> Code | None:
        path = self.modules.get(module)
        return code_of(path) if path is not None and path.suffix == ".py" and not is_of_library(str(path)) else None

    @cached_property
    def _liveness(self) -> Liveness | None:
        """None if the project is too large to read all of it, or nothing says what belongs to it."""
        if not is_of_project(self.root):
            return None
        whole = folders_of_repository(self.root)[-1]
        beside = words_beside(whole)
        known = {name: code for name in self.modules if (code := self._code(name)) is not None}
        others = list(other_modules(whole, (self.modules[name] for name in known)))
        if beside is None or len(known) + len(others) > _MOST_MODULES:
            return None
        modules = {name: Module(name, code, self._is_root(name), self._may_begin(name)) for name, code in known.items()}
        for path in others:
            if (code := code_of(path)) is not None:
                name = ".".join(path.relative_to(whole).with_suffix("").parts)
                may_begin = not (naming.is_test_module(name) or naming.is_example(name))
                modules.setdefault(name, Module(name, code, is_root=True, may_begin=may_begin))
        return Liveness(modules, beside)

    def _is_root(self, module: str) -> bool:
        return self._is_shown(module) or module in self.runs.packaged

    def _may_begin(self, module: str) -> bool:
        """Whether a module may be the program that the others are there for.

        Where nothing is installed, that is also an example, or one of the benchmarks of a paper.
        """
        if not self.runs.packaged:
            return not self._is_of_tests(module)
        return not (self.runs.is_test_module(module) or module in self.runs.examples)

    def _is_shown(self, module: str) -> bool:
        """Whether a module is one of tests or examples."""
        return self.runs.is_test_module(module) or module in self.runs.examples


def _any_has(found: Iterable[Lines], line: int) -> bool:
    return any(lines.has(line) for lines in found)


def _unit_at(code: Code, line: int) -> Unit:
    """The innermost unit around a line."""
    around = [unit for unit in code.units if unit.name and unit.lines.has(line)]
    return max(around, key=lambda unit: unit.lines.first, default=code.units[-1])
