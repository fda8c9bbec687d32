"""Whether an object is still only in the hands of the function that makes it, so that a change of it goes unnoticed."""

from collections.abc import Container, Sequence
from typing import Final

from mypy.nodes import AssignmentStmt, Block, CallExpr, Expression, ExpressionStmt, MemberExpr, NameExpr, Node

from ...knowledge import naming
from ...knowledge.full_names import COPYING_FUNCTIONS
from ...syntax.literals import are_written_out
from ...syntax.names import base_of, dotted_name, is_named, last_name
from ...syntax.trees import covers, nodes_below
from .bodies import Body
from .owners import Owners

_COPIES_ALL: Final = "copy.deepcopy"


def is_being_built(target: Expression, change: Node, body: Body, owners: Owners, compiled: Container[str] = ()) -> bool:
    """Whether the object below `target` was made in this function, which has not handed it on before this change.

    `compiled`: the methods and functions that the module compiles. An object of which one has been called is in use.
    """
    root = base_of(target)
    if not isinstance(root, NameExpr) or body.function is None or root.name in body.foreign:
        return False
    made = _made_before(change, root.name, body)
    if len(made) != 1 or not _makes(made[0].rvalue, body, owners):
        return False
    if target is not root and _holds_others(made[0].rvalue, _part(target), body, owners):
        return False  # `Trainer(config).config.dt = 1` changes an object that others may have
    if len(made[0].lvalues) > 1:
        return False  # `new = self.config = Config()` hands it on
    loops = [node for node in body.loops if _is_between(node, made[0], change)]
    if any(covers(loop, call.line) for loop in loops for call in body.method_calls.get(root.name, ())):
        return False  # what a method compiled, it runs again after the change
    end = max([_start(change), *(((loop.end_line or loop.line) + 1, 0) for loop in loops)])
    indices = body.whole_uses, body.compiled_methods, body.methods_asked
    uses = [use for index in indices for use in index.get(root.name, ())]
    uses += [call for call in body.method_calls.get(root.name, ()) if last_name(call.callee) in compiled]
    return not any(_start(made[0]) < _start(use) < end for use in uses)


def follows_making(around: Sequence[Node], body: Body, owners: Owners) -> bool:
    """Whether a method is called where its object has just been made: `self.net = Net()`, and then `self.net.fill()`.

    `around`: the nodes around the call, itself first. Nothing that stands between the two has to do with the object.
    """
    call, statement, block = (*around[:3], None, None)[:3]
    if not isinstance(call, CallExpr) or not isinstance(call.callee, MemberExpr):
        return False
    owner = dotted_name(call.callee.expr)
    if owner is None:
        return _makes(call.callee.expr, body, owners)  # `Net().fill()`
    if not isinstance(statement, ExpressionStmt) or not isinstance(block, Block):
        return False
    for before in reversed(block.body[: block.body.index(statement)]):
        if isinstance(before, AssignmentStmt) and [dotted_name(target) for target in before.lvalues] == [owner]:
            return _makes(before.rvalue, body, owners)
        if not isinstance(before, (AssignmentStmt, ExpressionStmt)) or _concerns(before, owner):
            return False
    return False


def _concerns(statement: Node, owner: str) -> bool:
    """Whether a statement names an object, or gives what holds it to others, or calls a method of that."""
    root, *below = owner.split(".")
    nodes = nodes_below(statement)
    called = {node.callee for node in nodes if isinstance(node, CallExpr)}
    held = {node.expr for node in nodes if isinstance(node, MemberExpr) and not (below and node in called)}
    return any(
        dotted_name(node) == owner or (is_named(node, root) and node not in held)
        for node in nodes
        if isinstance(node, (MemberExpr, NameExpr))
    )


def _made_before(change: Node, name: str, body: Body) -> list[AssignmentStmt]:
    """The assignments that a name may hold the value of where an object is changed; none if something else binds it."""
    found = body.makers.get(name, [])
    if len(found) != len(body.bound.get(name, ())):
        return []
    loops = [loop for loop in body.loops if covers(loop, change.line)]
    return [node for node in found if _start(node) < _start(change) or any(covers(loop, node.line) for loop in loops)]


def _makes(value: Expression, body: Body, owners: Owners) -> bool:
    """Whether an expression makes a new object: it calls a class, by its capital letter, or what copies."""
    if not isinstance(value, CallExpr):
        return False
    if body.is_class_method and is_named(value.callee, body.own):
        return True  # `cls(...)`
    name = owners.full_name(value.callee, body)
    return name is not None and (name in COPYING_FUNCTIONS or naming.is_class(name))


def _holds_others(made: Expression, part: str, body: Body, owners: Owners) -> bool:
    """Whether this part of a new object may be what others hold, too: a name stands in what it is made of.

    What a keyword gives is another part, if the two are named differently: `Env(size=size).map`.
    """
    if not isinstance(made, CallExpr) or owners.full_name(made.callee, body) == _COPIES_ALL:
        return False
    given = (
        value
        for keyword, value in zip(made.arg_names, made.args, strict=True)
        if keyword is None or keyword.strip("_") in part or part in keyword
    )
    return not are_written_out(given)


def _part(target: Expression) -> str:
    """The `map` of `env.map`, and of `env.map.cells`; empty if an item stands there."""
    while isinstance(target, MemberExpr) and not isinstance(target.expr, NameExpr):
        target = target.expr
    return target.name.strip("_") if isinstance(target, MemberExpr) else ""


def _is_between(loop: Node, made: Node, change: Node) -> bool:
    """Whether a loop runs the change again, and not what makes the object."""
    return covers(loop, change.line) and not covers(loop, made.line)


def _start(node: Node) -> tuple[int, int]:
    return node.line, node.column
