"""Whether code of a project assigns to the attributes of a class. Reads syntax, as types do not tell everything."""

import ast
import re
from collections.abc import Collection, Iterator
from typing import Final

from .proposals import Program

_CLASS: Final = re.compile(r"^[ \t]*class\s+(\w+)\s*\(([^)]*)\)", re.MULTILINE)
_ANY_ATTRIBUTE: Final = re.compile(r"\b(?:__)?(?:setattr|delattr)(?:__)?\s*\(|\bvars\s*\(|\.__dict__\b")


def assigns_to(class_name: str, names: Collection[str], program: Program) -> bool:
    """Whether some code may set or delete one of these attributes of a class.

    An attribute of this name counts, whatever the object, unless it is the `self` of another class. So do `setattr` and
    `__dict__` in a file that names the class.
    """
    texts = list(program.texts())
    family = _with_subclasses(class_name, texts)
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, family))})\b")
    used = re.compile(rf"\.\s*(?:{'|'.join(map(re.escape, names))})\b") if names else None
    for text in texts:
        if named.search(text) and _ANY_ATTRIBUTE.search(text):
            return True
        if used is not None and used.search(text) and any(_sets(text, names, family)):
            return True
    return False


def _with_subclasses(name: str, texts: list[str]) -> set[str]:
    """The name of a class and those of the classes below it."""
    bases = [(found[1], set(re.findall(r"\w+", found[2]))) for text in texts for found in _CLASS.finditer(text)]
    family = {name}
    while new := {below for below, above in bases if above & family} - family:
        family |= new
    return family


def _sets(text: str, names: Collection[str], family: set[str]) -> Iterator[bool]:
    """Whether each attribute with one of the names that is set or deleted may be of the family."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        yield True
        return
    others = {
        node
        for found in ast.walk(tree)
        if isinstance(found, ast.ClassDef) and found.name not in family
        for node in ast.walk(found)
    }
    for node in ast.walk(tree):
        target = node.value if isinstance(node, ast.Subscript) else node
        is_set = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
        if is_set and isinstance(target, ast.Attribute) and target.attr in names:
            is_of_self = isinstance(target.value, ast.Name) and target.value.id == "self"
            yield not (is_of_self and node in others)
