"""What a helper does to the signature that JAX sees of its wrapper: `wrapper.__signature__ = ...` and the like.

`inspect.signature` takes `__signature__` if there is one, else the signature of what `__wrapped__` names.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import AssignmentStmt, CallExpr, DelStmt, Expression, ExpressionStmt, MemberExpr, Node, StrExpr

from ...syntax.assignments import assigned_pairs, targets_of
from ...syntax.names import dotted_name
from .expressions import step_of, value_of, with_wraps
from .scope import Changed, Scope, Wrapped

_SIGNATURE: Final = "__signature__"
_WRAPPED: Final = "__wrapped__"
_SET: Final = "setattr"
_DELETE: Final = "delattr"
_SHOWN: Final = "inspect.signature"


def sets_signature(node: Node) -> bool:
    return any(True for _ in _set_by(node))


def apply_signature(node: Node, scope: Scope) -> None:
    """What a statement makes of the wrappers whose signature it sets: those have another than the subject's, or its."""
    for wrapper, attribute, value in _set_by(node):
        name = dotted_name(wrapper)
        if name is not None:
            known = scope.values.get(name)
            scope.values[name] = with_wraps(known) if _is_of_subject(attribute, value, scope) else Changed()


def _set_by(node: Node) -> Iterator[tuple[Expression, str, Expression | None]]:
    """Each object whose signature a statement sets or deletes: the attribute and, if it is written out, its value."""
    if isinstance(node, ExpressionStmt):
        yield from _set_by_call(node.expr)
        return
    targets = ((target, None) for target in targets_of(node)) if isinstance(node, DelStmt) else ()
    for target, value in assigned_pairs(node) if isinstance(node, AssignmentStmt) else targets:
        if isinstance(target, MemberExpr) and target.name in (_SIGNATURE, _WRAPPED):
            yield target.expr, target.name, value


def _set_by_call(node: Expression) -> Iterator[tuple[Expression, str, Expression | None]]:
    if not isinstance(node, CallExpr) or dotted_name(node.callee) not in (_SET, _DELETE) or len(node.args) < 2:
        return
    attribute = node.args[1]
    if isinstance(attribute, StrExpr) and attribute.value in (_SIGNATURE, _WRAPPED):
        yield node.args[0], attribute.value, node.args[2] if len(node.args) > 2 else None


def _is_of_subject(attribute: str, value: Expression | None, scope: Scope) -> bool:
    """Whether the value is what `functools.wraps` would lead to: `f` itself, or `inspect.signature(f)`."""
    shown = value_of(value, scope)
    steps = (step_of(_SHOWN, {}),) if attribute == _SIGNATURE else ()
    return isinstance(shown, Wrapped) and shown.steps == steps
