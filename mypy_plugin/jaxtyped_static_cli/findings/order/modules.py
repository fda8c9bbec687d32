"""What names stand for in the modules of a program: the full names of variables, functions and classes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from .names import Known
from .steps import ModuleSteps

_HEAD: Final = re.compile(r"\w+")
_MOST_STEPS: Final = 5  # from one module that hands a name on to the next


@dataclass(frozen=True, eq=False)
class Modules:
    """The modules of a program that are no tests."""

    steps: Mapping[str, ModuleSteps]

    @cached_property
    def routines(self) -> Mapping[str, Known]:
        """The functions by their full names; a module by its own."""
        found = (Known(module, routine) for module, read in self.steps.items() for routine in read.routines)
        return {known.full_name.removesuffix("."): known for known in found}

    @cached_property
    def classes(self) -> frozenset[str]:
        return frozenset(f"{module}.{cls}" for module, read in self.steps.items() for cls in read.bases)

    def full_name(self, text: str, known: Known) -> str:
        """What a name in a function stands for, with what is read of it; empty for a local variable."""
        head = _HEAD.match(text)
        if head is None:
            return ""
        inner = f"{known.full_name}.{text}"
        if inner in self.routines:
            return inner  # a function that is nested in this one
        return self._in_module(text, known.module) if head[0] not in known.routine.variables else ""

    def split(self, whole: str) -> tuple[str, str] | None:
        """The module that a full name begins with, and the rest."""
        parts = whole.split(".")
        for end in range(len(parts), 0, -1):
            if (module := ".".join(parts[:end])) in self.steps:
                return module, ".".join(parts[end:])
        return None

    def _in_module(self, text: str, module: str) -> str:
        for _ in range(_MOST_STEPS):
            head = _HEAD.match(text)
            imported = self.steps[module].imports.get(head[0]) if head is not None else None
            if head is None or imported is None:
                return f"{module}.{text}"
            whole = imported + text[head.end() :]
            found = self.split(whole) or self.split(f"{module.rpartition('.')[0]}.{whole}")
            if found is None:
                return whole
            module, text = found
            if not text:
                return module
        return f"{module}.{text}"
