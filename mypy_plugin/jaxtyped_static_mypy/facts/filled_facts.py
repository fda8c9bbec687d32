"""Reads which private attributes methods fill when they are first needed: each is set once, and keeps its value."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    Expression,
    FuncDef,
    IfStmt,
    IndexExpr,
    MemberExpr,
    Node,
    RaiseStmt,
    ReturnStmt,
    Statement,
    StrExpr,
    UnaryExpr,
)

from ..syntax.literals import is_none
from ..syntax.names import attribute_of, is_named
from ..syntax.trees import assignment_targets, has_kind, last_statement, nodes_below, statements
from .class_body import self_name

_ASKING: Final = frozenset({IfStmt})


def attributes_filled_once(functions: list[FuncDef]) -> list[str]:
    """The attributes of `self` that these methods assign only where they are still None or missing.

    And those that only say whether something was done: methods ask that before they do it, and nothing else does.
    """
    if not any(has_kind(statements(function.body.body), _ASKING) for function in functions):
        return []
    bodies = [(function.body.body, self_name(function)) for function in functions]
    anywhere = Counter(name for body, own in bodies for name in assigned_in(body, own))
    guarded = Counter(name for body, own in bodies for name in _filled(body, own))
    once = (name for name in guarded if name.startswith("_") and guarded[name] == anywhere[name])
    return sorted({*once, *_flags(functions, anywhere)})


def names_filled_by_item(functions: list[FuncDef]) -> Iterator[str]:
    """The attributes of `self` of which a method sets an item after it looked for one: `if key in self._memo`."""
    for function in functions:
        own, body = self_name(function), statements(function.body.body)
        targets = (target for node in body if isinstance(node, AssignmentStmt) for target in node.lvalues)
        bases = {attribute_of(target.base, own) for target in targets if isinstance(target, IndexExpr)} - {None}
        looked_up = {_looked_up(node, own) for node in nodes_below(function.body)} if bases else set()
        yield from (name for name in bases & looked_up if name is not None and name.startswith("_"))


def assigned_in(body: Sequence[Statement], own: str) -> Iterator[str]:
    """The attributes of `self`, by its own name, that a body assigns, also in nested functions."""
    found = (attribute_of(target, own) for node in statements(body) for target in assignment_targets(node))
    return (name for name in found if name is not None)


def _looked_up(node: Node, own: str) -> str | None:
    """The attribute in `key in self._x` or `self._x.get(key)`."""
    if isinstance(node, ComparisonExpr) and node.operators in (["in"], ["not in"]):
        return attribute_of(node.operands[1], own)
    callee = node.callee if isinstance(node, CallExpr) else None
    return attribute_of(callee.expr, own) if isinstance(callee, MemberExpr) and callee.name == "get" else None


def _filled(body: list[Statement], own: str) -> Iterator[str]:
    if not has_kind(statements(body), _ASKING):
        return
    returned = set[str]()  # where they were filled before
    for statement in body:
        found = list(assigned_in([statement], own))
        yield from (name for name in found if name in returned)
        yield from (name for name in _filled_below(statement, own) if name not in returned)
        returned |= {name for name in _kept(statement, own) if name not in found}


def _filled_below(statement: Statement, own: str) -> Iterator[str]:
    for node in statements([statement]):
        if isinstance(node, IfStmt):
            empty = {name for test in node.expr if (name := _tested(test, own)) is not None}
            yield from (name for name in assigned_in(node.body[0].body, own) if name in empty)


def _kept(statement: Statement, own: str) -> Iterator[str]:
    """The attribute of which a method returns what it holds, unless that is None or missing."""
    if isinstance(statement, IfStmt) and isinstance(last_statement(statement.body[0]), (RaiseStmt, ReturnStmt)):
        name = _tested(statement.expr[0], own, is_filled=True)
        yield from [name] if name is not None else []


def _tested(test: Expression, own: str, *, is_filled: bool = False) -> str | None:
    """The attribute in `self._x is None` or `not hasattr(self, "_x")`. `is_filled`: in the opposite of these."""
    if isinstance(test, ComparisonExpr) and is_none(test.operands[1]):
        is_asked = test.operators == (["is not"] if is_filled else ["is"])
        return attribute_of(test.operands[0], own) if is_asked else None
    call = test if is_filled else test.expr if isinstance(test, UnaryExpr) and test.op == "not" else None
    if isinstance(call, CallExpr) and is_named(call.callee, "hasattr") and len(call.args) == 2:
        holder, attribute = call.args
        return attribute.value if isinstance(attribute, StrExpr) and is_named(holder, own) else None
    return None


def _flags(functions: list[FuncDef], assigned: Counter[str]) -> Iterator[str]:
    """`if not self._is_made: self._make()`, and then `self._is_made = True`."""
    named, asked, set_to_true = Counter[str](), Counter[str](), Counter[str]()
    set_by = [(function, self_name(function), [*_set_to_true(function, self_name(function))]) for function in functions]
    for function, own, here in set_by if any(here for *_, here in set_by) else ():
        below = nodes_below(function.body)
        tests = [test for node in below if isinstance(node, IfStmt) for test in node.expr]
        denied = (test.expr for test in tests if isinstance(test, UnaryExpr) and test.op == "not")
        asked.update(name for node in denied if (name := attribute_of(node, own)) in here and name is not None)
        named.update(node.name for node in below if isinstance(node, MemberExpr) and is_named(node.expr, own))
        set_to_true.update(here)
    for name in asked:
        is_only_set = assigned[name] == set_to_true[name] and named[name] == asked[name] + assigned[name]
        if name.startswith("_") and is_only_set:
            yield name


def _set_to_true(function: FuncDef, own: str) -> Iterator[str]:
    for node in statements(function.body.body):
        if isinstance(node, AssignmentStmt) and len(node.lvalues) == 1 and is_named(node.rvalue, "True"):
            name = attribute_of(node.lvalues[0], own)
            yield from [name] if name is not None else []
