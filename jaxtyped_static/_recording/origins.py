"""Where a weakly typed value was made, as the source says: it is mended there."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import Final, cast

from jaxtyped_static._annotations.functions import signature_of
from jaxtyped_static._recording.assignments import Origin, PartStep, Passed, SourceLine, origin_in_source
from jaxtyped_static._recording.stacks import Places
from jaxtyped_static._traces.argument_trees import ArgumentTree, TreeNode
from jaxtyped_static._traces.entries import Entry
from jaxtyped_static._traces.snapshots import Snapshot
from jaxtyped_static_runs.model import Frame

_LONGEST: Final = 40


def origin_of(entry: Entry, path: str, function: str, stack: Sequence[Frame], places: Places) -> str:
    """Returns what made a part of an argument: `jnp.array(1.0) at train.py:18`; empty if that is not known.

    Args:
        entry: the call with the argument.
        path: the place in it: `model.func.out_scale`.
        function: the name of the function that was called.
        stack: the lines that were running.
        places: tells how files are called.
    """
    # `model.step(x)` passes `x` first, whatever `self` is.
    first = 1 if next(iter(entry.arguments), "") == "self" else 0
    for place, (name, argument) in enumerate(entry.arguments.items(), -first):
        if not path.startswith(name) or isinstance(argument.value, Snapshot):
            continue
        way = _way(argument.value, path[len(name) :])
        if way is None:
            continue
        steps = tuple(_step(cls, text) for cls, text in way)
        passed = Passed(function, name, place, steps)
        made = origin_in_source(passed, [*_lines(stack, places)]) if place >= 0 else None
        origin = made or (_set_in(*way[-1]) if way else None)
        if origin is not None and len(origin.value) <= _LONGEST:
            shown = places.file(origin.path)
            return f"{origin.value} at {shown[0] if shown else origin.path}:{origin.line}"
    return ""


def _lines(stack: Sequence[Frame], places: Places) -> Iterator[SourceLine]:
    """The lines of the program itself, up to the first of a library."""
    for frame in stack:
        if frame.is_library:
            return
        yield SourceLine(places.path(frame), frame.line)


def _way(tree: ArgumentTree, path: str) -> list[tuple[type, str]] | None:
    """Returns the steps to a part of an argument, each with the class that has it."""
    if not path:
        return []
    for step, child in tree.children if isinstance(tree, TreeNode) else ():
        if path.startswith(step) and (rest := _way(child, path[len(step) :])) is not None:
            return [(tree.cls, step), *rest]  # type: ignore[union-attr]
    return None


def _step(cls: type, text: str) -> PartStep:
    """Returns a step with the constructor's parameter that sets the field."""
    field, parameters = text.removeprefix("."), _parameters(cls)
    if not _is_written(_constructor(cls)):
        return PartStep(text, field, parameters.index(field)) if field in parameters else PartStep(text)
    parameter = next((value.id for _, value in _settings(cls, field) if isinstance(value, ast.Name)), "")
    return PartStep(text, parameter, parameters.index(parameter)) if parameter in parameters else PartStep(text)


def _parameters(cls: type) -> list[str]:
    """Returns the parameters of the constructor."""
    if hasattr(cls, "_fields"):
        return [*cls._fields]
    signature = signature_of(_constructor(cls))
    return [] if signature is None else [*signature.parameters][1:]


def _constructor(cls: type) -> FunctionType:
    return cast(FunctionType, inspect.getattr_static(cls, "__init__"))


def _is_written(constructor: FunctionType) -> bool:
    """Returns whether a constructor is written by hand: `dataclasses` compiles its own from text."""
    code = getattr(inspect.unwrap(constructor), "__code__", None)
    return code is not None and code.co_filename != "<string>"


def _set_in(cls: type, step: str) -> Origin | None:
    """Returns the first line of a class, or of its bases, that sets an attribute."""
    if not step.startswith("."):
        return None
    values = (origin for origin, value in _settings(cls, step[1:]) if not isinstance(value, ast.Name))
    return next((origin for origin in values if len(origin.value) <= _LONGEST), None)


def _settings(cls: type, name: str) -> Iterator[tuple[Origin, ast.expr]]:
    """The lines of a class, then of its bases, that set an attribute."""
    for base in cls.__mro__:
        try:
            lines, start = inspect.getsourcelines(base)
            file = inspect.getsourcefile(base) or ""
            tree = ast.parse(textwrap.dedent("".join(lines)))
        except (OSError, TypeError, SyntaxError, ValueError):
            continue
        for value in _values(tree, name):
            yield Origin(file, start + value.lineno - 1, ast.unparse(value)), value


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
