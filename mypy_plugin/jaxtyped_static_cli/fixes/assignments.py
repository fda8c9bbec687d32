"""Whether code of a project assigns to the attributes of a class. Reads syntax, as types do not tell everything."""

import ast
import re
from collections.abc import Collection
from functools import lru_cache
from typing import Final, NamedTuple

from .proposals import Program

_CLASS: Final = re.compile(r"^[ \t]*class\s+(\w+)\s*(?:\(([^)]*)\))?", re.MULTILINE)
_ANY_ATTRIBUTE: Final = re.compile(r"\b(?:__)?(?:setattr|delattr)(?:__)?\s*\(|\bvars\s*\(|\.__dict__\b")
_ATTRIBUTE: Final = re.compile(r"\.\s*(\w+)")

_Bases = tuple[str, frozenset[str]]  # the name of a class, and the names in its list of bases


class _Facts(NamedTuple):
    """What the text of a file says about assignments.

    Attributes:
        classes: the classes that it defines.
        words: all words in it.
        attributes: the names behind a dot.
        sets_any: whether it may set attributes whose names it does not write out.
        sets_own: the classes whose methods assign to an attribute of `self`.
        sets: the attributes of other objects that it assigns to; None if it cannot be parsed.
    """

    classes: tuple[_Bases, ...]
    words: frozenset[str]
    attributes: frozenset[str]
    sets_any: bool
    sets_own: frozenset[str | None]
    sets: frozenset[str] | None


def assigns_to(class_name: str, names: Collection[str], program: Program) -> bool:
    """Whether some code may set or delete attributes of a class that is to be frozen.

    Any assignment to `self` in the class, or in one above or below it, counts. Elsewhere an attribute with one of these
    names does, whatever the object, unless it is the `self` of another class. So do `setattr` and `__dict__` in a file
    that names the class.
    """
    files = [_facts(text) for text in program.texts]
    bases = [one for file in files for one in file.classes]
    family = _above(class_name, bases) | _below(class_name, bases)
    return any(_may_assign(file, family, names) for file in files)


def _may_assign(file: _Facts, family: set[str], names: Collection[str]) -> bool:
    mentions = not family.isdisjoint(file.words)
    if file.sets_any and mentions:
        return True
    if file.sets is None:
        return mentions or not file.attributes.isdisjoint(names)
    return not file.sets_own.isdisjoint(family) or not file.sets.isdisjoint(names)


def _below(name: str, bases: list[_Bases]) -> set[str]:
    family = {name}
    while new := {below for below, above in bases if above & family} - family:
        family |= new
    return family


def _above(name: str, bases: list[_Bases]) -> set[str]:
    family = {name}
    defined = {below for below, _ in bases}
    while new := {one for below, above in bases if below in family for one in above & defined} - family:
        family |= new
    return family


@lru_cache(maxsize=4096)
def _facts(text: str) -> _Facts:
    classes = tuple((found[1], frozenset(re.findall(r"\w+", found[2] or ""))) for found in _CLASS.finditer(text))
    words, attributes = frozenset(re.findall(r"\w+", text)), frozenset(_ATTRIBUTE.findall(text))
    own, others = _stores(text)
    return _Facts(classes, words, attributes, _ANY_ATTRIBUTE.search(text) is not None, own, others)


def _stores(text: str) -> tuple[frozenset[str | None], frozenset[str] | None]:
    """The classes that assign to attributes of `self`, and the attributes of other objects that are assigned to."""
    try:
        # A file may begin with a byte order mark. Python runs none with a NUL, but reads the rest of it as usual.
        tree = ast.parse(text.removeprefix("\ufeff").replace("\0", " "))
    except (SyntaxError, ValueError, RecursionError):
        return frozenset(), None
    owners = {
        node: found.name for found in ast.walk(tree) if isinstance(found, ast.ClassDef) for node in ast.walk(found)
    }
    stores = [
        node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del)
    ]
    of_self = [node for node in stores if isinstance(node.value, ast.Name) and node.value.id == "self"]
    others = frozenset(node.attr for node in stores if node not in of_self)
    return frozenset(owners.get(node) for node in of_self), others
