"""Which of the classes that were asked for can become static: each with all of its bases and subclasses, or not."""

import ast
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from .programs import Class, ClassKey, ProjectClasses
from .reasons import Refused
from .static_bases import (
    ANYTHING,
    BASES,
    bound_words,
    called_on_super,
    fields_of,
    hindrance_of,
    members_of,
    need_of,
    tells_apart,
    words_of_fields,
)

# What a static class may not define.
OWN: Final = frozenset({"__new__", "__eq__", "__hash__", "__setattr__", "__reduce__", "tree_flatten", "tree_unflatten"})


class Derived(NamedTuple):
    """A class that can become static."""

    dropped: tuple[int, ...] = ()  # the numbers of the bases that it can do without
    is_compared: bool = False  # by the base that it does without, and not by itself
    is_decorated: bool = True


class Chosen(NamedTuple):
    classes: Mapping[ClassKey, Derived] = MappingProxyType({})
    left: Mapping[ClassKey, tuple[str, str]] = MappingProxyType({})  # with the reason and what it is about


class Hierarchies:
    """The classes with certain names, and those below the static bases with certain names."""

    def __init__(self, paths: Collection[Path], names: Collection[str], static_bases: Collection[str]) -> None:
        self._program = ProjectClasses(paths)
        found = {base: self._program.find(base) for base in static_bases}
        self._static_bases = frozenset(key for key in found.values() if key is not None)
        heads = {key for key in self._static_bases if _last(key) in names}
        self._wanted = [
            key
            for key in self._program.classes
            if key not in self._static_bases and (_last(key) in names or heads.intersection(self._above(key)))
        ]

    @property
    def files(self) -> frozenset[Path]:
        return frozenset(key.path for key in self._wanted)

    def chosen(self, left: Mapping[ClassKey, tuple[str, str]]) -> Chosen:
        """What can become static without the classes that are left for other reasons."""
        left = dict(left)
        while True:
            fitting = [key for key in self._wanted if key not in left]
            new = dict(self._problems(fitting))
            if not new:
                return Chosen({key: self._derived(key) for key in fitting}, left)
            left |= new

    def _problems(self, fitting: Collection[ClassKey]) -> Iterator[tuple[ClassKey, tuple[str, str]]]:
        together = frozenset(fitting)
        held = self._held(together)
        for key in fitting:
            try:
                self._check(self._program.classes[key], together, held)
            except Refused as refused:
                yield key, (refused.reason, refused.about)

    def _check(self, cls: Class, together: Collection[ClassKey], held: Mapping[ClassKey, str]) -> None:
        for node, base in zip(cls.node.bases, cls.bases, strict=True):
            if isinstance(base, ClassKey) and base in self._static_bases:
                if base not in self._dropped and hindrance_of(self._program.classes[base], self._program):
                    raise Refused("needed", f"{_last(base)} {self._needs[base]}")
            elif base not in BASES and base not in together:
                raise Refused("together" if base in self._wanted else "base", ast.unparse(node))
        others = [key for key in self._below.get(cls.key, ()) if key not in together]
        if others and others[0] in self._wanted:
            raise Refused("together", _last(others[0]))
        if others or self._is_base_of_unknown(cls):
            raise Refused("subclassed")
        if not cls.node.decorator_list and any(base in together for base in cls.bases):
            self._check_undecorated(cls)
        self._check_super(cls)
        if cls.key in held:
            raise Refused("needed", held[cls.key])

    def _check_undecorated(self, cls: Class) -> None:
        """A subclass of a static class needs no decorator if it changes methods only."""
        if own := {*OWN, "__init__"}.intersection(members_of(cls.node)):
            raise Refused("own", min(own))
        if fields := fields_of(cls.node):
            raise Refused("own", f"the field {fields[0][0]} without being a dataclass")

    def _check_super(self, cls: Class) -> None:
        above = self._above(cls.key)
        bases = [key for key in above if key in self._dropped]
        others = {name for key in above if key not in bases for name in members_of(self._program.classes[key].node)}
        for key in bases:
            members = members_of(self._program.classes[key].node).keys()
            if called := (called_on_super(cls.node) & members) - others:
                raise Refused("needed", f"it calls super().{min(called)} of {_last(key)}")

    def _is_base_of_unknown(self, cls: Class) -> bool:
        """Whether a class derives from one of this name that cannot be found."""
        return _last(cls.key) in self._unknown

    def _held(self, together: Collection[ClassKey]) -> Mapping[ClassKey, str]:
        """The classes whose objects may be held by those that stay below a base that wants to hold its own only."""
        found: dict[ClassKey, str] = {}
        for base in self._dropped:
            staying = [key for key in self._all_below(base) if key not in together]
            if not staying or not tells_apart(self._program.classes[base]):
                continue
            for key in together:
                above = self._above(key)
                words = {*ANYTHING, _last(key), *(_last(other) for other in above if other != base)}
                holding = next((other for other in staying if self._words[other] & words), None)
                if holding is not None and base in above:
                    found[key] = f"{_last(holding)} stays below {_last(base)}, and may hold only what is"
        return found

    def _derived(self, key: ClassKey) -> Derived:
        cls = self._program.classes[key]
        dropped = tuple(number for number, base in enumerate(cls.bases) if base in self._dropped)
        is_compared = not self._static_bases.isdisjoint(self._above(key))
        has_static_base = any(isinstance(base, ClassKey) and base not in self._static_bases for base in cls.bases)
        return Derived(dropped, is_compared, bool(cls.node.decorator_list) or not has_static_base)

    @cached_property
    def _needs(self) -> Mapping[ClassKey, str]:
        return {key: need_of(self._program.classes[key], self._program) for key in self._static_bases}

    @cached_property
    def _dropped(self) -> frozenset[ClassKey]:
        """The bases that nothing needs."""
        return frozenset(key for key, why in self._needs.items() if not why)

    @cached_property
    def _words(self) -> Mapping[ClassKey, frozenset[str]]:
        """What the fields of the classes below a static base may hold, in words."""
        bound = bound_words(self._program)
        below = {key for base in self._static_bases for key in self._all_below(base)}
        return {key: words_of_fields(self._program.classes[key].node, bound) for key in below}

    @cached_property
    def _below(self) -> Mapping[ClassKey, list[ClassKey]]:
        found: dict[ClassKey, list[ClassKey]] = {}
        for cls in self._program.classes.values():
            for base in cls.bases:
                if isinstance(base, ClassKey):
                    found.setdefault(base, []).append(cls.key)
        return found

    @cached_property
    def _unknown(self) -> frozenset[str]:
        bases = [base for cls in self._program.classes.values() for base in cls.bases]
        return frozenset(base.rpartition(".")[2] for base in bases if isinstance(base, str))

    def _above(self, key: ClassKey) -> list[ClassKey]:
        """The classes of the program that a class derives from."""
        return _reached(
            key, lambda cls: [base for base in self._program.classes[cls].bases if isinstance(base, ClassKey)]
        )

    def _all_below(self, key: ClassKey) -> list[ClassKey]:
        return _reached(key, lambda cls: self._below.get(cls, []))


def _reached(start: ClassKey, step: Callable[[ClassKey], Iterable[ClassKey]]) -> list[ClassKey]:
    found: dict[ClassKey, None] = {}
    pending = [*step(start)]
    while pending:
        if (key := pending.pop()) not in found:
            found[key] = None
            pending += step(key)
    return list(found)


def _last(key: ClassKey) -> str:
    return key.name.rpartition(".")[2]
