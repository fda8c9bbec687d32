"""Rewrites how tests of unfrozen classes set the attributes of a new object, so that frozen ones get past it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

_CONSTRUCTORS: Final = frozenset({"__init__", "__post_init__"})


class _Edit(NamedTuple):
    begin: int
    end: int
    text: str


def set_by_force(source: str) -> str:
    """Returns tests whose constructors call `object.__setattr__(self, "x", ...)` where they have `self.x = ...`."""
    data = source.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for edit in sorted(_edits(ast.parse(source), source, starts), reverse=True):
        data = data[: edit.begin] + edit.text.encode() + data[edit.end :]
    return data.decode()


def _edits(tree: ast.Module, source: str, starts: list[int]) -> Iterator[_Edit]:
    for node in _constructors(tree):
        receiver = node.args.args[0].arg
        for statement in ast.walk(node):
            match statement:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr=attribute)], value=value):
                    written = ast.get_source_segment(source, value)
                case ast.AugAssign(
                    target=ast.Attribute(value=ast.Name(id=name), attr=attribute) as target, value=value
                ):
                    written = ast.unparse(ast.BinOp(ast.Name(f"{name}.{target.attr}"), statement.op, value))
                case _:
                    continue
            if name == receiver:
                begin = starts[statement.lineno - 1] + statement.col_offset
                end = starts[(statement.end_lineno or 0) - 1] + (statement.end_col_offset or 0)
                yield _Edit(begin, end, f"object.__setattr__({name}, {attribute!r}, {written})")


def _constructors(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree):
        for each in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(each, ast.FunctionDef) and each.name in _CONSTRUCTORS and _takes_self(each):
                yield each


def _takes_self(node: ast.FunctionDef) -> bool:
    return bool(node.args.args) and not node.decorator_list  # A decorator may make it a class method.
