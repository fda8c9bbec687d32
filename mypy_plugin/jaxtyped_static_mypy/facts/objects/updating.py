"""Attributes that get what a call returns which gets their old value: `self.state = self._step(self.state)`.

What JAX compiles returns the same structure for the same structure, so None stays None there, and a state a state.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import AssignmentStmt, CallExpr, Expression, MemberExpr, NameExpr, Node

from ...syntax.assignments import targets_of
from ...syntax.names import dotted_name
from ...syntax.trees import nodes_below
from .bodies import Body

_MOST_STEPS: Final = 4  # from the attribute to the call


def updates(node: Node, owner: Expression, attribute: str, body: Body) -> bool:
    """Whether a statement gives an attribute of an object the result of a call, perhaps a part, that gets its value."""
    written = dotted_name(owner)
    if not isinstance(node, AssignmentStmt) or written is None:
        return False
    calls = list(_made_by(node.rvalue, body))
    return bool(calls) and all(call is not None and _gets(call, written, attribute) for call in calls)


def _made_by(value: Expression, body: Body, steps: int = _MOST_STEPS) -> Iterator[CallExpr | None]:
    """The calls that make a value; None for anything else that may."""
    if isinstance(value, NameExpr) and steps > 0:
        given = [
            node.rvalue
            for node in body.assignments
            if any(isinstance(target, NameExpr) and target.name == value.name for target in targets_of(node))
        ]
        if len(given) == len(body.bound.get(value.name, ())) and given:
            for one in given:
                yield from _made_by(one, body, steps - 1)
            return
    yield value if isinstance(value, CallExpr) else None


def _gets(call: CallExpr, owner: str, attribute: str) -> bool:
    below = (node for given in call.args for node in nodes_below(given))
    return any(
        isinstance(node, MemberExpr) and node.name == attribute and dotted_name(node.expr) == owner for node in below
    )
