"""Where a project sets, deletes or changes attributes, found once for all proofs."""

import ast
from collections.abc import Iterator, Mapping
from functools import lru_cache

from .code import PROJECTS_KEPT, Code, Parsed, Source

Write = tuple[Source, Parsed, ast.Attribute]


@lru_cache(PROJECTS_KEPT)
def set_at(code: Code) -> Mapping[str, str]:
    """Where some code assigns to an attribute of each name, or deletes it."""
    found: dict[str, str] = {}
    for source, _, node in all_writes(code):
        found.setdefault(node.attr, source.place(node))
    return found


@lru_cache(PROJECTS_KEPT)
def changed_at(code: Code) -> Mapping[str, str]:
    """Where some code assigns to an attribute of each name, deletes it, or changes an item of the object in it."""
    found = dict(set_at(code))
    for source, parsed in code.readable:
        for node in parsed.all(ast.Subscript):
            if isinstance(node.value, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                found.setdefault(node.value.attr, source.place(node))
    return found


def all_writes(code: Code) -> Iterator[Write]:
    for source, parsed in code.readable:
        for node in parsed.all(ast.Attribute):
            if not isinstance(node.ctx, ast.Load):
                yield source, parsed, node
