"""That no code makes a dataclass of a class that derives from another, or that this derives from.

A dataclass that is not frozen cannot derive from one that is, nor the other way round: the definition raises. mypy sees
only dataclasses in files that are checked, and only those that are written out.
"""

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from .code import PROJECTS_KEPT, Code, Parsed, Source, last_name
from .owners import family_of

# Decorators that change nothing about how attributes are set.
_HARMLESS: Final = frozenset(
    {
        "dataclass", "final", "register_dataclass", "register_pytree_node_class", "register_pytree_with_keys_class",
        "register_static", "runtime_checkable", "total_ordering",
    }
)  # fmt: skip
_MAKING: Final = ("make_dataclass", "new_class")
_ARGUMENTS: Final = 3  # of `type(name, bases, namespace)`


def why_may_derive(cls: ast.ClassDef, code: Code) -> Iterator[str]:
    """What may make such a dataclass; or what a decorator may do that is not known."""
    for name in sorted(family_of(cls.name, code)):
        for source, node in code.classes.get(name, ()):
            yield from _of_class(node, source, is_frozen=node is cls)
    yield from (f"{place} may make a dataclass that is not frozen" for place in _made_at(code))


def _of_class(node: ast.ClassDef, source: Source, *, is_frozen: bool) -> Iterator[str]:
    for decorator in node.decorator_list:
        name = last_name(decorator)
        if name not in _HARMLESS:
            yield f'{source.place(decorator)}: what "{name}" does to "{node.name}" is not known'
        elif name == "dataclass" and not is_frozen and not _freezes(decorator):
            yield f'{source.place(node)}: "{node.name}" would have to be frozen, too'


def _freezes(decorator: ast.expr) -> bool:
    given = decorator.keywords if isinstance(decorator, ast.Call) else []
    return any(
        keyword.arg == "frozen" and isinstance(keyword.value, ast.Constant) and keyword.value.value is True
        for keyword in given
    )


@lru_cache(PROJECTS_KEPT)
def _made_at(code: Code) -> list[str]:
    return [source.place(node) for source, parsed in code.readable for node in _makers(parsed)]


def _makers(parsed: Parsed) -> list[ast.expr]:
    """Calls that make classes, and `dataclass` where it decorates none."""
    named = [*parsed.names.get("dataclass", []), *parsed.attributes.get("dataclass", [])]
    found: list[ast.expr] = [node for node in named if not _decorates(node, parsed)]
    found += [node for name in _MAKING for node in (*parsed.names.get(name, []), *parsed.attributes.get(name, []))]
    calls = parsed.all(ast.Call)
    return found + [call for call in calls if last_name(call.func) == "type" and len(call.args) == _ARGUMENTS]


def _decorates(node: ast.expr, parsed: Parsed) -> bool:
    above = parsed.parent(node)
    if isinstance(above, ast.Call) and above.func is node and not above.args:
        node, above = above, parsed.parent(above)
    return isinstance(above, ast.ClassDef) and node in above.decorator_list
