"""Whether code of a project assigns to the attributes of a class. Reads syntax, as types do not tell everything."""

import ast
import re
from collections.abc import Collection, Iterator
from typing import Final

from .proposals import Program

_CLASS: Final = re.compile(r"^[ \t]*class\s+(\w+)\s*(?:\(([^)]*)\))?", re.MULTILINE)
_ANY_ATTRIBUTE: Final = re.compile(r"\b(?:__)?(?:setattr|delattr)(?:__)?\s*\(|\bvars\s*\(|\.__dict__\b")

_Bases = tuple[str, set[str]]  # the name of a class, and the names in its list of bases


def assigns_to(class_name: str, names: Collection[str], program: Program) -> bool:
    """Whether some code may set or delete attributes of a class that is to be frozen.

    Any assignment to `self` in the class, or in one above or below it, counts. Elsewhere an attribute with one of these
    names does, whatever the object, unless it is the `self` of another class. So do `setattr` and `__dict__` in a file
    that names the class.
    """
    texts = list(program.texts())
    bases = [(found[1], set(re.findall(r"\w+", found[2] or ""))) for text in texts for found in _CLASS.finditer(text)]
    family = _above(class_name, bases) | _below(class_name, bases)
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, family))})\b")
    used = re.compile(rf"\.\s*(?:{'|'.join(map(re.escape, names))})\b") if names else None
    for text in texts:
        mentions = named.search(text) is not None
        if mentions and _ANY_ATTRIBUTE.search(text):
            return True
        if (mentions or (used is not None and used.search(text))) and any(_sets(text, names, family)):
            return True
    return False


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


def _sets(text: str, names: Collection[str], family: set[str]) -> Iterator[bool]:
    """Whether each attribute that is set or deleted may be one of the class."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        yield True
        return
    owners = {
        node: found.name for found in ast.walk(tree) if isinstance(found, ast.ClassDef) for node in ast.walk(found)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            is_of_self = isinstance(node.value, ast.Name) and node.value.id == "self"
            yield owners.get(node) in family if is_of_self else node.attr in names
