"""What a text of `owners` means in the modules of a program, and the texts of `several` in a whole program."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final, NamedTuple

from .uses import ANY_ATTRIBUTE, ITEM, OR, PARAMETER, UNKNOWN, Change, ModuleUses

_STEPS: Final = rf"\(\)|\[\]|\.\w+|{PARAMETER}\w+|{ITEM}\d+"
_TEXT: Final = re.compile(rf"([\w.]+)((?:{_STEPS})*)")
_STEP: Final = re.compile(_STEPS)
_MAX_DEPTH: Final = 12
_DYNAMIC: Final = "__getattr__"
_PLAIN_BASES: Final = frozenset({"abc.ABC", "builtins.object", "typing.Generic"})


class _Kind(Enum):
    MODULE = auto()
    CLASS = auto()
    OBJECT = auto()  # of a class
    FUNCTION = auto()
    METHOD = auto()  # of an object; or a property, whose value needs no call
    CONTAINER = auto()  # of what its text stands for


class _Meaning(NamedTuple):
    kind: _Kind
    name: str  # the full name; the text of the elements of a container


_Meanings = frozenset[_Meaning]  # what something stands for, one or the other; empty if that is not known
_UNKNOWN: Final[_Meanings] = frozenset()


@dataclass(frozen=True, eq=False)
class KnownModules:
    """Modules by their names. `find` returns None for a module that is not known.

    `given`: what the calls of a function give for one of its parameters; None if one of them does not show it. Without
    it, only what the modules declare is known, or what they show of one object each.
    """

    find: Callable[[str], ModuleUses | None]
    given: Callable[[str, str], Collection[str] | None] | None = None
    _known: dict[str, _Meanings] = field(default_factory=dict)

    def class_of(self, text: str) -> str | None:
        """The full name of the class of the object that a text stands for; None if the modules do not show it."""
        return _only(self.classes_of(text))

    def classes_of(self, text: str) -> frozenset[str]:
        """The classes of which the object may be that a text stands for; empty if the modules do not show them all."""
        found = self._values(self._meanings(text, _MAX_DEPTH), _MAX_DEPTH)
        return _named(found, {_Kind.OBJECT})

    def definition(self, text: str) -> str | None:
        """The full name of the class or function that a text stands for, where it is defined."""
        return _only(self.definitions(text))

    def definitions(self, text: str) -> frozenset[str]:
        """The classes or functions that a text may stand for; empty if the modules do not show them all."""
        return _named(self._meanings(text, _MAX_DEPTH), {_Kind.CLASS, _Kind.FUNCTION, _Kind.METHOD})

    def split(self, full_name: str) -> tuple[ModuleUses | None, str]:
        """The module of a full name, and the name in it."""
        module, inner = full_name, ""
        while module:
            if (uses := self.find(module)) is not None:
                return uses, inner
            module, _, last = module.rpartition(".")
            inner = f"{last}.{inner}" if inner else last
        return None, inner

    def lineage(self, cls: str) -> Iterator[str]:
        """A class and those that it inherits from, by their full names, as far as they are known."""
        pending, seen = [cls], {cls}
        while pending:
            name = pending.pop(0)
            yield name
            uses, inner = self.split(name)
            bases = uses.bases.get(inner, ()) if uses is not None else ()
            above = [found for base in bases if (found := self.definition(base)) is not None and found not in seen]
            seen.update(above)
            pending += above

    def shows(self, cls: str, attribute: str) -> bool:
        """Whether the modules show what an attribute of objects of a class is."""
        for uses, inner in map(self.split, self.lineage(cls)):
            known = (uses.declared, uses.inferred, uses.bases, uses.functions) if uses is not None else ()
            if any(f"{inner}.{attribute}" in names for names in known):
                return True
        return False

    def changes_by_class(self, modules: Iterable[str]) -> Mapping[str, list[tuple[str, Change]]]:
        """The changes that modules make, each with its module, by the full name of the class of what they change."""
        found: dict[str, list[tuple[str, Change]]] = {}
        for module in modules:
            uses = self.find(module)
            for change in uses.changes if uses is not None else ():
                cls = self.class_of(change.owner) if change.owner != UNKNOWN else None
                if cls is not None:
                    found.setdefault(cls, []).append((module, change))
        return found

    def changes_to(
        self, cls: str, above: Collection[str], changes: Mapping[str, list[tuple[str, Change]]]
    ) -> Iterator[tuple[str, Change]]:
        """Of changes by class, those of objects of one class, also where a base or subclass declares the object.

        Which attributes a base sets by their names, only its subclasses know. `above`: the class and its bases.
        """
        bases = tuple(f"{base}." for base in above if base != cls)
        related = (found for other, found in changes.items() if other in above or cls in self.lineage(other))
        for module, change in (seen for found in related for seen in found):
            if change.attribute != ANY_ATTRIBUTE or not f"{module}.{change.where}".startswith(bases):
                yield module, change

    def _meanings(self, text: str, depth: int) -> _Meanings:
        if text not in self._known and depth:
            self._known[text] = _UNKNOWN  # for a text that leads back to itself
            found = {part: self._read(part, depth) for part in text.split(OR)}
            lacking = {part for part in found if not found[part] and self._cannot_be(part, depth)}
            self._known[text] = _union(meant for part, meant in found.items() if part not in lacking)
        return self._known.get(text, _UNKNOWN)

    def _cannot_be(self, text: str, depth: int) -> bool:
        """Whether a text stands for an attribute that no such object has: then another one is meant."""
        owner, _, name = text.rpartition(".")
        owners = self._meanings(owner, depth) if owner and name.isidentifier() and depth else _UNKNOWN
        return bool(owners) and all(self._lacks(one, name) for one in owners)

    def _read(self, text: str, depth: int) -> _Meanings:
        if text.startswith("*"):
            return frozenset({_Meaning(_Kind.CONTAINER, text[1:])})
        match = _TEXT.fullmatch(text)
        found = self._of_name(match[1], depth) if match is not None else _UNKNOWN
        for step in _STEP.findall(match[2]) if match is not None else ():
            found = self._after_all(found, step, depth - 1)
        return found

    def _of_name(self, full_name: str, depth: int) -> _Meanings:
        """What the full name of a module, or of something in one, stands for."""
        uses, inner = self.split(full_name)
        if uses is None or not inner:
            return frozenset({_Meaning(_Kind.MODULE, full_name)}) if uses is not None else _UNKNOWN
        if inner in uses.functions:  # which may be nested in another
            kind = _Kind.METHOD if uses.functions[inner].cls else _Kind.FUNCTION
            return frozenset({_Meaning(kind, f"{uses.module}.{inner}")})
        first, *rest = inner.split(".")
        found = self._in_module(first, uses, depth)
        for name in rest:
            found = self._after_all(found, f".{name}", depth - 1)
        return found

    def _in_module(self, name: str, uses: ModuleUses, depth: int) -> _Meanings:
        full_name = f"{uses.module}.{name}"
        if name in uses.bases:
            return frozenset({_Meaning(_Kind.CLASS, full_name)})
        if name in uses.results or name in uses.functions:
            return frozenset({_Meaning(_Kind.FUNCTION, full_name)})
        if not depth:
            return _UNKNOWN
        texts = [uses.names[name]] if name in uses.names else [f"{module}.{name}" for module in uses.stars]
        texts += self._several(name, uses)
        return next((found for text in texts if (found := self._meanings(text, depth - 1))), _UNKNOWN)

    def _after_all(self, found: _Meanings, step: str, depth: int) -> _Meanings:
        """The same step for each of several things: what has no such attribute cannot be the one that is meant."""
        parts = {one: self._after(one, step, depth) for one in found}
        if len(found) > 1 and step.startswith("."):
            parts = {one: part for one, part in parts.items() if part or not self._lacks(one, step[1:])}
        return _union(parts.values())

    def _lacks(self, owner: _Meaning, name: str) -> bool:
        """Whether all of a class is known, and its objects have no such attribute."""
        if owner.kind is not _Kind.OBJECT or self.shows(owner.name, name) or self.shows(owner.name, _DYNAMIC):
            return False
        found = [self.split(cls) for cls in self.lineage(owner.name)]
        bases = (base for uses, inner in found if uses is not None for base in uses.bases.get(inner, ()))
        return all(base in _PLAIN_BASES or self.definition(base) is not None for base in bases)

    def _after(self, found: _Meaning, step: str, depth: int) -> _Meanings:
        """What a call, an element, an attribute, an item or a parameter of something stands for."""
        if step == "()":
            return self._called(found, depth)
        if step.startswith(ITEM):
            return frozenset({found._replace(name=f"{found.name}{step}")})
        if step.startswith(PARAMETER):
            return self._given(found.name, step, depth)
        if found.kind is _Kind.METHOD:
            return self._after_all(self._called(found, depth), step, depth - 1) if depth else _UNKNOWN
        if step == "[]" and found.kind is _Kind.CLASS:
            return frozenset({found})  # with type arguments: `Stack[int]`
        if step == "[]":
            return self._meanings(found.name, depth) if found.kind is _Kind.CONTAINER else _UNKNOWN
        if found.kind is _Kind.MODULE:
            return self._of_name(f"{found.name}{step}", depth) if depth else _UNKNOWN
        return self._attribute(found, step[1:], depth) if found.kind in (_Kind.CLASS, _Kind.OBJECT) else _UNKNOWN

    def _called(self, found: _Meaning, depth: int) -> _Meanings:
        if found.kind is _Kind.CLASS:
            return frozenset({_Meaning(_Kind.OBJECT, found.name)})
        uses, inner = self.split(found.name)
        if uses is None or found.kind not in (_Kind.FUNCTION, _Kind.METHOD):
            return _UNKNOWN
        return self._first([*self._several(inner, uses), *_texts(inner, uses.results)], depth)

    def _values(self, found: _Meanings, depth: int) -> _Meanings:
        """The objects that something stands for: a property for its value."""
        return _union(self._called(one, depth) if one.kind is _Kind.METHOD else frozenset({one}) for one in found)

    def _attribute(self, owner: _Meaning, name: str, depth: int) -> _Meanings:
        for cls in self.lineage(owner.name):
            uses, inner = self.split(cls)
            if uses is None:
                continue
            member = f"{inner}.{name}"
            several = self._several(member, uses) if member not in uses.functions else []
            if texts := [*several, *_texts(member, uses.declared, uses.inferred)]:
                return self._first(texts, depth)
            if member in uses.bases:
                return frozenset({_Meaning(_Kind.CLASS, f"{uses.module}.{member}")})
            if member in uses.results or member in uses.functions:
                return frozenset({_Meaning(_Kind.METHOD, f"{uses.module}.{member}")})
        return _UNKNOWN

    def _first(self, texts: Iterable[str], depth: int) -> _Meanings:
        """What the first of these stands for of which that is known."""
        return next((found for text in texts if (found := self._meanings(text, depth))), _UNKNOWN)

    def _several(self, name: str, uses: ModuleUses) -> list[str]:
        return _texts(name, uses.several) if self.given is not None else []

    def _given(self, function: str, parameter: str, depth: int) -> _Meanings:
        """What the calls of a function give for a parameter, or else what it is declared to be."""
        uses, inner = self.split(function)
        if self.given is None or uses is None or not depth:
            return _UNKNOWN
        texts = self.given(function, parameter.removeprefix(PARAMETER))
        found = _union(self._meanings(text, depth - 1) for text in texts) if texts else _UNKNOWN
        return found or self._first(_texts(f"{inner}{parameter}", uses.several), depth - 1)


def _union(found: Iterable[_Meanings]) -> _Meanings:
    """All that something may stand for; nothing if of a part that is not known."""
    parts = list(found)
    return frozenset[_Meaning]().union(*parts) if all(parts) else _UNKNOWN


def _only(names: Collection[str]) -> str | None:
    return next(iter(names)) if len(names) == 1 else None


def _named(found: _Meanings, kinds: Collection[_Kind]) -> frozenset[str]:
    return frozenset(one.name for one in found) if all(one.kind in kinds for one in found) else frozenset()


def _texts(name: str, *known: Mapping[str, str]) -> list[str]:
    """What the first that knows a name says of it."""
    return next(([texts[name]] for texts in known if texts.get(name)), [])
