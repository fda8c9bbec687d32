"""What the bases of a class may do with it, or its objects, without its name, or the names of its methods."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from jaxtyped_static_mypy.knowledge.full_names import KNOWN_PACKAGES

from .code import Unit

_OF_SUBCLASSES: Final = frozenset({"__init_subclass__", "__subclasses__"})


@dataclass(frozen=True, eq=False)
class Bases:
    """The classes of a project, by their last names."""

    units: list[Unit]

    def are_keeping(self, cls: Unit) -> bool:
        """Whether a base may keep a class, or find it later."""
        return bool(cls.bases) and (self.find_subclasses or self._any(cls.bases, {cls.name}, KNOWN_PACKAGES))

    def are_calling(self, cls: str) -> bool:
        """Whether a base that is none of the project may call methods of a class."""
        return any(self._any(unit.bases, {cls}, frozenset()) for unit in self._classes.get(cls, ()))

    def _any(self, bases: Iterable[str], seen: set[str], harmless: frozenset[str]) -> bool:
        """Whether one of some bases, or of theirs, is neither of the project nor of a harmless package."""
        for base in bases:
            last, package = base.rpartition(".")[2], base.partition(".")[0]
            if package in harmless or last in seen:
                continue
            own = self._classes.get(last)
            if own is None or any(self._any(unit.bases, {*seen, last}, harmless) for unit in own):
                return True
        return False

    @cached_property
    def find_subclasses(self) -> bool:
        """Whether a base of the project keeps its subclasses, or code looks for them."""
        return any(
            unit.name in _OF_SUBCLASSES or not unit.words.attributes.isdisjoint(_OF_SUBCLASSES) for unit in self.units
        )

    @cached_property
    def _classes(self) -> Mapping[str, list[Unit]]:
        found = defaultdict[str, list[Unit]](list)
        for unit in self.units:
            if unit.is_class:
                found[unit.name].append(unit)
        return found
