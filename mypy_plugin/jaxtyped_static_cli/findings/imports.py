"""Which modules of a program may have to do with each other, by what they import."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from .relations import inverted, reached, steps_of


@dataclass(frozen=True, eq=False)
class Imports:
    """What the modules of a program import: the names of modules, and of what they take from them.

    A script may leave out the folder that it is in.
    """

    names: Mapping[str, Iterable[str]]
    _known: dict[str, frozenset[str]] = field(default_factory=dict, init=False)

    def connected(self, module: str) -> frozenset[str]:
        """A module with those that import it, directly or through others, and all that these import."""
        if module not in self._known:
            importing = reached({module}, steps_of(self._importing))
            self._known[module] = reached(importing, steps_of(self._imported))
        return self._known[module]

    @cached_property
    def _imported(self) -> Mapping[str, set[str]]:
        ends = defaultdict[str, set[str]](set)
        for name in self.names:
            parts = name.split(".")
            for first in range(len(parts)):
                ends[".".join(parts[first:])].add(name)
        return {name: _modules_of(found, ends) for name, found in self.names.items()}

    @cached_property
    def _importing(self) -> Mapping[str, set[str]]:
        return inverted(self._imported)


def _modules_of(names: Iterable[str], ends: Mapping[str, set[str]]) -> set[str]:
    candidates = {part for name in names for part in (name, name.rpartition(".")[0])}
    return {module for name in candidates for module in ends.get(name, ())}
