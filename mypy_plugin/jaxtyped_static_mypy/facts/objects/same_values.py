"""The attributes that never change, because all that assigns them gives them the same constant.

`self.alpha = 0.1` in the constructor and again in `restart`: no number that JAX has compiled in becomes an old one.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    ClassDef,
    Expression,
    ExpressionStmt,
    FloatExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    Node,
    StrExpr,
    TupleExpr,
    UnaryExpr,
)

from ...knowledge import naming
from ...syntax.assignments import TARGETING, assigned_pairs, targets_of
from ...syntax.changes import ChangeKind, changes
from ...syntax.names import is_named
from .bodies import Body

_ASSIGNING: Final = TARGETING | {ExpressionStmt}
_NAMED: Final = frozenset({"True", "False", "None"})

_Given = tuple[str, str | None, bool]  # the attribute, its constant if it is one, and whether each new object gets that


def same_values(found: Iterable[Body], making: frozenset[str]) -> frozenset[str]:
    """Attributes to which a module gives one constant, also where it makes the objects. `making`: the constructors."""
    constants: dict[str, set[str | None]] = {}
    made = set[str]()
    for body in found:
        for attribute, constant, is_made in (*_assigned(body, making), *_of_classes(body)):
            constants.setdefault(attribute, set()).add(constant)
            made |= {attribute} if is_made else set()
    return frozenset(name for name in made if len(constants[name]) == 1 and None not in constants[name])


def _assigned(body: Body, making: frozenset[str]) -> Iterator[_Given]:
    for node in [node for node in body.nodes if type(node) in _ASSIGNING]:
        for target, value in _pairs(node):
            if isinstance(target, MemberExpr):
                is_made = body.name in making and is_named(target.expr, body.own)
                yield target.name, _constant(value), is_made
        if isinstance(node, ExpressionStmt):  # `setattr(agent, "alpha", 0.1)`
            for change in changes([node]):
                if change.kind is ChangeKind.ATTRIBUTE:
                    value = change.values[0] if len(change.values) == 1 else None
                    yield change.written.rpartition(".")[2], _constant(value), False


def _pairs(node: Node) -> Iterable[tuple[Expression, Expression | None]]:
    """The targets of a statement with their values; none is known of `+=`, of loops and of `del`."""
    return assigned_pairs(node) if isinstance(node, AssignmentStmt) else ((target, None) for target in targets_of(node))


def _of_classes(body: Body) -> Iterator[_Given]:
    """What the bodies of classes give; the constructor of a dataclass may give a field another value."""
    for definition in body.classes.values():
        yield from _of_class(definition)


def _of_class(definition: ClassDef) -> Iterator[_Given]:
    for node in definition.defs.body:
        if isinstance(node, AssignmentStmt):
            for target, value in assigned_pairs(node):
                if isinstance(target, NameExpr):
                    yield target.name, _constant(value) if node.unanalyzed_type is None else None, True


def _constant(node: Expression | None) -> str | None:
    """A constant as text, with its type: `True` is not `1`."""
    if isinstance(node, (IntExpr, FloatExpr, StrExpr)):
        return repr(node.value)
    if isinstance(node, NameExpr):
        return node.name if node.name in _NAMED or naming.is_constant(node.name) else None
    if isinstance(node, UnaryExpr):
        inner = _constant(node.expr)
        return f"{node.op}{inner}" if inner is not None else None
    if not isinstance(node, TupleExpr):
        return None
    items = [_constant(item) for item in node.items]
    known = [item for item in items if item is not None]
    return f"({', '.join(known)},)" if len(known) == len(items) else None
