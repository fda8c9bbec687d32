"""Which statements may set or delete attributes of objects of some classes."""

import ast
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Final

from .changing import Write, all_writes
from .code import PROJECTS_KEPT, Code, Parsed
from .owners import owner_of_self, uses_of_class

ANY: Final = ""  # instead of the name of a class


def writes(family: Collection[str], code: Code) -> Iterator[Write]:
    """Those that may be to an object of some classes; `self` of the others is left out, which most of them are to."""
    by_owner = _by_owner(code)
    for name in (ANY, *sorted(family)):
        yield from by_owner.get(name, ())


@lru_cache(PROJECTS_KEPT)
def _by_owner(code: Code) -> Mapping[str, list[Write]]:
    found: dict[str, list[Write]] = {}
    for source, parsed, node in all_writes(code):
        found.setdefault(owner_of(node.value, parsed, code), []).append((source, parsed, node))
    return found


def owner_of(node: ast.expr, parsed: Parsed, code: Code) -> str:
    """The class whose `self` an expression is, if nothing else can be."""
    owner = owner_of_self(node, parsed) if isinstance(node, ast.Name) and node.id not in parsed.binders else None
    if owner is None or not isinstance(node, ast.Name) or uses_of_class(node, owner, parsed, code):
        return ANY
    return owner.name
