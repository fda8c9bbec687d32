"""jit-mutation: the body of a loop of JAX replaces its carry before it reads it, so that each step forgets the last."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    FuncDef,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    ReturnStmt,
    Statement,
    TupleExpr,
    Var,
)

from ..knowledge.jax_functions import jax_name
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile, once_per_file
from ..source.parameters import parameters
from ..syntax.arguments import argument
from ..syntax.assignments import assigned_pairs
from ..syntax.imports import full_name
from ..syntax.names import base_of
from ..syntax.trees import assignment_targets, nodes_below, statements
from . import CODES

_CODE: Final = CODES["jit-mutation"]

_FORGOTTEN: Final = Message(
    '"{name}" comes from the last step of this {loop}, and "{captured}" replaces it before it is read, so each step '
    "begins anew, and what the others have made of it is lost",
    "leave this assignment out",
    kind="carry-forgotten",
)


class _Loop(NamedTuple):
    """A loop of JAX: where its call has the body, and where the body has the carry."""

    position: int
    name: str
    carry: int
    is_paired: bool = False  # the body returns a pair, with the carry first


_LOOPS: Final[Mapping[str, _Loop]] = {
    "lax.scan": _Loop(0, "f", 0, is_paired=True),
    "lax.fori_loop": _Loop(2, "body_fun", 1),
    "lax.while_loop": _Loop(1, "body_fun", 0),
}


class _Forgotten(NamedTuple):
    place: AssignmentStmt
    name: str
    loop: str
    captured: str


def check_forgotten_carries(file: CheckedFile) -> bool:
    """Reports all of a file, and says if there is any: no type decides, and no hook is called for some of them."""
    for found in _forgotten(file):
        statement = _FORGOTTEN.fill(name=found.name, loop=found.loop, captured=found.captured)
        report(file, found.place, statement, _CODE)
    return bool(_forgotten(file))


@once_per_file
def _forgotten(file: CheckedFile) -> tuple[_Forgotten, ...]:
    return tuple(found for call in file.calls for found in _of_call(call, file))


def _of_call(call: CallExpr, file: CheckedFile) -> Iterator[_Forgotten]:
    name = jax_name(full_name(call.callee, file.tree)) or ""
    loop = _LOOPS.get(name)
    given = argument(call, loop.position, loop.name) if loop is not None else None
    body = given.node if isinstance(given, NameExpr) else None
    if loop is None or not file.defines(body):
        return
    taken = list(parameters(body))
    if len(taken) <= loop.carry:
        return
    carry, own = taken[loop.carry].variable, _bound_in(body)
    for part in _parts(carry, body):
        replaced = _replaced(part, body, own)
        if replaced is not None and _is_updated(part, replaced[0], body) and _is_returned(part, loop, body):
            yield _Forgotten(replaced[0], part.name, name.rpartition(".")[2], replaced[1])


def _bound_in(body: FuncDef) -> set[str]:
    """The names that a function binds, its parameters among them."""
    targets = (target for node in statements(body.body.body) for target in assignment_targets(node))
    names = {target.name for target in targets if isinstance(target, NameExpr)}
    return names | {parameter.name for parameter in parameters(body)}


def _parts(carry: Var, body: FuncDef) -> Iterator[Var]:
    """The carry, or what the first statement that mentions it unpacks it into, if nothing else does."""
    reading = [node for node in body.body.body if _mentions(node, carry)]
    first = reading[0] if reading else None
    if not isinstance(first, AssignmentStmt) or not _is_named(first.rvalue, carry) or len(reading) > 1:
        yield carry
        return
    targets = first.lvalues[0].items if isinstance(first.lvalues[0], TupleExpr) else first.lvalues
    yield from (target.node for target in targets if isinstance(target, NameExpr) and isinstance(target.node, Var))


def _replaced(part: Var, body: FuncDef, own: set[str]) -> tuple[AssignmentStmt, str] | None:
    """The statement that replaces a part before anything reads it, and the variable around the function that does."""
    mentioning = [node for node in body.body.body if _mentions(node, part)]
    if mentioning and _unpacks(mentioning[0], part, body):
        mentioning = mentioning[1:]
    first = mentioning[0] if mentioning else None
    if not isinstance(first, AssignmentStmt) or _mentions(first.rvalue, part):
        return None
    captured = base_of(first.rvalue)
    if not isinstance(captured, NameExpr) or not isinstance(captured.node, Var) or "." in captured.node.fullname:
        return None
    is_target = any(_is_named(target, part) for target in assignment_targets(first))
    return (first, captured.name) if is_target and captured.name not in own else None


def _unpacks(statement: Statement, part: Var, body: FuncDef) -> bool:
    """Whether a statement gives a part its value out of a parameter of the function."""
    given = statement.rvalue if isinstance(statement, AssignmentStmt) else None
    if not isinstance(given, NameExpr) or given.node is part:
        return False
    return any(given.node is one.variable for one in parameters(body))


def _is_updated(part: Var, replaced: AssignmentStmt, body: FuncDef) -> bool:
    """Whether the function makes a new value of the one that replaces a part."""
    later = body.body.body[body.body.body.index(replaced) + 1 :]
    for node in statements(later, into_definitions=False):
        if isinstance(node, OperatorAssignmentStmt) and _is_named(node.lvalue, part):
            return True
        if isinstance(node, AssignmentStmt):
            for target, value in assigned_pairs(node):
                if _is_named(target, part) and value is not None and _mentions(value, part):
                    return True
    return False


def _is_returned(part: Var, loop: _Loop, body: FuncDef) -> bool:
    """Whether the last statement returns a part in the carry."""
    last = body.body.body[-1]
    value = last.expr if isinstance(last, ReturnStmt) else None
    if loop.is_paired:
        value = value.items[0] if isinstance(value, TupleExpr) and len(value.items) == 2 else None
    return value is not None and _mentions(value, part)


def _is_named(node: Node, variable: Var) -> bool:
    return isinstance(node, NameExpr) and node.node is variable


def _mentions(node: Node, variable: Var) -> bool:
    return any(_is_named(part, variable) for part in nodes_below(node))
