"""The methods of a class that only run while its objects are made, or set up."""

from collections.abc import Iterable, Mapping
from typing import Final

from mypy.nodes import AssignmentStmt, MemberExpr, OperatorAssignmentStmt

from ...knowledge import naming
from ...syntax.names import is_named
from ..method_facts import MAKING
from .bodies import Body

_ELSEWHERE: Final = ""  # instead of the method that uses another one on its own object


def making_methods(found: Iterable[Body], users: Mapping[str, set[str]]) -> frozenset[str]:
    """The constructors, and the methods that only these call, on their own object: each as `Trainer.__init__`.

    They are private, set something up by their names, or compute the same when they are called again. Any other public
    method may be called at any time.
    """
    methods = {body.name: body for body in found if body.cls}
    making = {name for name, body in methods.items() if _last(name) in MAKING or _may_be_of_making(body, users)}
    while others := {name for name in making if _last(name) not in MAKING and not _users_of(name, users) <= making}:
        making -= others
    return frozenset(making)


def set_up_methods(found: Iterable[Body], making: frozenset[str], users: Mapping[str, set[str]]) -> frozenset[str]:
    """The private methods that only those call which set something up, by their names, or make an object.

    On their own object: each as `Trainer._build`. `making`: the methods that make objects.
    """
    methods = [body.name for body in found if body.cls]
    beginning = {name for name in methods if naming.is_set_up(_last(name))} | making
    parts = {name for name in methods if naming.is_private(_last(name)) and _users_of(name, users)} - beginning
    while others := {name for name in parts if not _users_of(name, users) <= parts | beginning}:
        parts -= others
    return frozenset(parts)


def users_of_methods(found: Iterable[Body]) -> Mapping[str, set[str]]:
    """The methods that use such a name on their own object, by that name."""
    users: dict[str, set[str]] = {}
    for body in found:
        own = body.own
        for node in body.by_kind.of(MemberExpr):
            users.setdefault(node.name, set()).add(body.name if is_named(node.expr, own) else _ELSEWHERE)
    return users


def _users_of(method: str, users: Mapping[str, set[str]]) -> set[str]:
    return users.get(_last(method), set()) - {method}


def _may_be_of_making(method: Body, users: Mapping[str, set[str]]) -> bool:
    name = _last(method.name)
    may_be = naming.is_set_up(name) or naming.is_private(name) or _computes_again(method)
    return may_be and bool(_users_of(method.name, users))


def _computes_again(method: Body) -> bool:
    """Whether a method takes no arguments, and reads none of the attributes that it assigns before it does so."""
    if not method.own or method.function is None or len(method.function.arguments) > 1:
        return False
    targets = {target for node in method.nodes if isinstance(node, AssignmentStmt) for target in node.lvalues}
    own = [node for node in method.nodes if isinstance(node, MemberExpr) and is_named(node.expr, method.own)]
    first: dict[str, int] = {}  # line of an assignment
    for node in own:
        if node in targets:
            first[node.name] = min(node.line, first.get(node.name, node.line))
    statements = (node for node in method.nodes if isinstance(node, OperatorAssignmentStmt))
    in_place = {node.lvalue.name for node in statements if isinstance(node.lvalue, MemberExpr)}  # `self.rate /= 2`
    changed = first.keys() | in_place
    return all(node in targets or node.line > first.get(node.name, node.line) for node in own if node.name in changed)


def _last(name: str) -> str:
    return name.rpartition(".")[2]
