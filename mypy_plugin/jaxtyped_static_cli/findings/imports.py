"""Which modules of a program may have to do with each other, by what they import."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property


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
            self._known[module] = _reached(_reached({module}, self._importing), self._imported)
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
        importing = defaultdict[str, set[str]](set)
        for name, found in self._imported.items():
            for other in found:
                importing[other].add(name)
        return importing


def _modules_of(names: Iterable[str], ends: Mapping[str, set[str]]) -> set[str]:
    candidates = {part for name in names for part in (name, name.rpartition(".")[0])}
    return {module for name in candidates for module in ends.get(name, ())}


def _reached(start: Iterable[str], leading: Mapping[str, set[str]]) -> frozenset[str]:
    found, pending = set(start), list(start)
    while pending:
        more = leading.get(pending.pop(), set()) - found
        found |= more
        pending += more
    return frozenset(found)
