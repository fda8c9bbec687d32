"""What a text of `owners` means in the modules of a program."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final, NamedTuple

from .uses import ANY_ATTRIBUTE, UNKNOWN, Change, ModuleUses

_TEXT: Final = re.compile(r"([\w.]+)((?:\(\)|\[\]|\.\w+)*)")
_STEP: Final = re.compile(r"\(\)|\[\]|\.\w+")
_MAX_DEPTH: Final = 12


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


@dataclass(frozen=True, eq=False)
class KnownModules:
    """Modules by their names. `find` returns None for a module that is not known."""

    find: Callable[[str], ModuleUses | None]
    _known: dict[str, _Meaning | None] = field(default_factory=dict)

    def class_of(self, text: str) -> str | None:
        """The full name of the class of the object that a text stands for; None if the modules do not show it."""
        found = self._meaning(text, _MAX_DEPTH)
        if found is not None and found.kind is _Kind.METHOD:
            found = self._called(found, _MAX_DEPTH)
        return found.name if found is not None and found.kind is _Kind.OBJECT else None

    def definition(self, text: str) -> str | None:
        """The full name of the class or function that a text stands for, where it is defined."""
        found = self._meaning(text, _MAX_DEPTH)
        is_defined = found is not None and found.kind in (_Kind.CLASS, _Kind.FUNCTION, _Kind.METHOD)
        return found.name if found is not None and is_defined else None

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

    def _meaning(self, text: str, depth: int) -> _Meaning | None:
        if text not in self._known:
            self._known[text] = None  # for a text that leads back to itself
            self._known[text] = self._read(text, depth) if depth else None
        return self._known[text]

    def _read(self, text: str, depth: int) -> _Meaning | None:
        if text.startswith("*"):
            return _Meaning(_Kind.CONTAINER, text[1:])
        match = _TEXT.fullmatch(text)
        found = self._named(match[1], depth) if match is not None else None
        for step in _STEP.findall(match[2]) if match is not None else ():
            found = self._after(found, step, depth - 1) if found is not None else None
        return found

    def _named(self, full_name: str, depth: int) -> _Meaning | None:
        """What the full name of a module, or of something in one, stands for."""
        uses, inner = self.split(full_name)
        if uses is None or not inner:
            return _Meaning(_Kind.MODULE, full_name) if uses is not None else None
        if inner in uses.functions:  # which may be nested in another
            kind = _Kind.METHOD if uses.functions[inner].cls else _Kind.FUNCTION
            return _Meaning(kind, f"{uses.module}.{inner}")
        first, *rest = inner.split(".")
        found = self._in_module(first, uses, depth)
        for name in rest:
            found = self._after(found, f".{name}", depth - 1) if found is not None else None
        return found

    def _in_module(self, name: str, uses: ModuleUses, depth: int) -> _Meaning | None:
        full_name = f"{uses.module}.{name}"
        if name in uses.bases:
            return _Meaning(_Kind.CLASS, full_name)
        if name in uses.results or name in uses.functions:
            return _Meaning(_Kind.FUNCTION, full_name)
        if not depth:
            return None
        texts = [uses.names[name]] if name in uses.names else [f"{module}.{name}" for module in uses.stars]
        return next((found for text in texts if (found := self._meaning(text, depth - 1)) is not None), None)

    def _after(self, found: _Meaning, step: str, depth: int) -> _Meaning | None:
        """What a call, an element or an attribute of something stands for."""
        if step == "()":
            return self._called(found, depth)
        if found.kind is _Kind.METHOD:
            value = self._called(found, depth)  # of a property
            return self._after(value, step, depth - 1) if value is not None and depth else None
        if step == "[]" and found.kind is _Kind.CLASS:
            return found  # with type arguments: `Stack[int]`
        if step == "[]":
            return self._meaning(found.name, depth) if found.kind is _Kind.CONTAINER else None
        if found.kind is _Kind.MODULE:
            return self._named(f"{found.name}{step}", depth) if depth else None
        return self._attribute(found, step[1:], depth) if found.kind in (_Kind.CLASS, _Kind.OBJECT) else None

    def _called(self, found: _Meaning, depth: int) -> _Meaning | None:
        if found.kind is _Kind.CLASS:
            return _Meaning(_Kind.OBJECT, found.name)
        uses, inner = self.split(found.name)
        is_function = uses is not None and found.kind in (_Kind.FUNCTION, _Kind.METHOD)
        result = uses.results.get(inner) if uses is not None and is_function else None
        return self._meaning(result, depth) if result is not None else None

    def _attribute(self, owner: _Meaning, name: str, depth: int) -> _Meaning | None:
        for cls in self.lineage(owner.name):
            uses, inner = self.split(cls)
            if uses is None:
                continue
            member = f"{inner}.{name}"
            if (text := uses.declared.get(member) or uses.inferred.get(member)) is not None:
                return self._meaning(text, depth)
            if member in uses.bases:
                return _Meaning(_Kind.CLASS, f"{uses.module}.{member}")
            if member in uses.results or member in uses.functions:
                return _Meaning(_Kind.METHOD, f"{uses.module}.{member}")
        return None
