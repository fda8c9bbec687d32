"""Where an attribute gets its first value, as the source of its class says: a weak type is mended there."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from typing import Final, NamedTuple

from jaxtyped_static._recording.stacks import Places
from jaxtyped_static._traces.argument_trees import ArgumentTree, TreeNode
from jaxtyped_static._traces.entries import Entry

_LONGEST: Final = 40


class Origin(NamedTuple):
    """A line that sets an attribute: its file, its number, and the value in the source."""

    file: str
    line: int
    value: str


def origin_of(entry: Entry, path: str, places: Places) -> str:
    """Returns what sets an attribute in an argument: `jnp.array(1.0) at train.py:18`; empty if that is not known.

    Args:
        entry: the call with the argument.
        path: the place in it: `model.func.out_scale`.
        places: tells how files are called.
    """
    for name, argument in entry.arguments.items():
        if path.startswith(name) and isinstance(argument.value, TreeNode):
            found = _owner(argument.value, path[len(name) :])
            origin = None if found is None else _set_in(*found)
            if origin is not None:
                shown = places.file(origin.file)
                return f"{origin.value} at {shown[0] if shown else origin.file}:{origin.line}"
    return ""


def _owner(tree: ArgumentTree, path: str) -> tuple[type, str] | None:
    """Returns the class that has an attribute, and its name."""
    if not isinstance(tree, TreeNode):
        return None
    for step, child in tree.children:
        if path == step:
            return (tree.cls, step[1:]) if step.startswith(".") and step[1:].isidentifier() else None
        if path.startswith(step) and (found := _owner(child, path[len(step) :])) is not None:
            return found
    return None


def _set_in(cls: type, name: str) -> Origin | None:
    """Returns the first line of a class, or of its bases, that sets an attribute."""
    for base in cls.__mro__:
        try:
            lines, start = inspect.getsourcelines(base)
            file = inspect.getsourcefile(base)
            tree = ast.parse(textwrap.dedent("".join(lines)))
        except (OSError, TypeError, SyntaxError, ValueError):
            continue
        for value in _values(tree, name):
            text = ast.unparse(value)
            if file is not None and len(text) <= _LONGEST:
                return Origin(file, start + value.lineno - 1, text)
    return None


def _values(tree: ast.AST, name: str) -> Iterator[ast.expr]:
    """The values that code gives to an attribute: `self.name = value`, `name: jax.Array = value`."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(_is_named(target, name) for target in targets):
            yield node.value


def _is_named(target: ast.expr, name: str) -> bool:
    return (isinstance(target, ast.Attribute) and target.attr == name) or (
        isinstance(target, ast.Name) and target.id == name
    )
