"""Walks over mypy's syntax trees. mypy's own visitors are compiled and cannot be subclassed from Python."""

from collections.abc import Iterable, Iterator
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    ClassDef,
    Decorator,
    Expression,
    FuncDef,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OverloadedFuncDef,
    StarExpr,
    Statement,
    TupleExpr,
)

# Attributes under which a node keeps the nodes below it.
_BLOCKS: Final = ("body", "else_body", "finally_body", "handlers", "bodies")
_PARTS: Final = (
    *_BLOCKS, "args", "base", "callee", "cond", "condlists", "defs", "else_expr", "expr", "exprs", "from_expr", "func",
    "generator", "if_expr", "index", "indices", "items", "key", "left", "left_expr", "lvalue", "lvalues", "msg",
    "operands", "right", "rvalue", "sequences", "subject", "target", "value", "arguments", "initializer", "guards",
)  # fmt: skip


def statements(body: Iterable[Statement], *, into_definitions: bool = True) -> Iterator[Statement]:
    """Every statement of a body and of the blocks below it, in order."""
    for node in body:
        yield node
        if isinstance(node, Decorator):
            yield from statements([node.func], into_definitions=into_definitions)
        elif isinstance(node, OverloadedFuncDef):
            yield from statements(node.items, into_definitions=into_definitions)
        elif isinstance(node, (FuncDef, ClassDef)):
            inner = node.body if isinstance(node, FuncDef) else node.defs
            if into_definitions:
                yield from statements(inner.body)
        else:
            for block in _blocks(node):
                yield from statements(block.body, into_definitions=into_definitions)


def _blocks(node: Statement) -> Iterator[Block]:
    for name in _BLOCKS:
        value = getattr(node, name, None)
        for block in value if isinstance(value, list) else (value,):
            if isinstance(block, Block):
                yield block


def assignment_targets(node: Statement) -> Iterator[Expression]:
    """The single targets that a statement assigns to."""
    if isinstance(node, AssignmentStmt):
        for target in node.lvalues:
            yield from _flatten(target)
    elif isinstance(node, OperatorAssignmentStmt):
        yield node.lvalue


def _flatten(target: Expression) -> Iterator[Expression]:
    if isinstance(target, (TupleExpr, ListExpr)):
        for item in target.items:
            yield from _flatten(item)
    else:
        yield target.expr if isinstance(target, StarExpr) else target


def mentioned_names(node: Node) -> Iterator[str]:
    """Names that are used other than by calling them."""
    if isinstance(node, (NameExpr, MemberExpr)):
        yield node.name
    for name in _PARTS:
        value = getattr(node, name, None)
        for part in value if isinstance(value, (list, tuple)) else (value,):
            called = name == "callee" and isinstance(node, CallExpr) and isinstance(part, NameExpr)
            if isinstance(part, Node) and not called:
                yield from mentioned_names(part)


def dotted_name(node: Expression) -> str | None:
    """`a.b.c` for names and attributes of names; None for anything else."""
    if isinstance(node, NameExpr):
        return node.name
    if isinstance(node, MemberExpr) and (base := dotted_name(node.expr)) is not None:
        return f"{base}.{node.name}"
    return None
