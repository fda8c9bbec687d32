"""The methods of a class that only run while its objects are made."""

from collections.abc import Iterable, Mapping
from typing import Final

from mypy.nodes import MemberExpr

from ...knowledge import naming
from ...syntax.trees import is_named
from ..method_facts import MAKING
from .bodies import Body

_ELSEWHERE: Final = ""  # instead of the method that uses another one on its own object


def making_methods(found: Iterable[Body]) -> frozenset[str]:
    """The constructors, and the methods that only these call, on their own object: each as `Trainer.__init__`.

    They are private, set something up by their names, or take no arguments: those compute again what they did at first.
    Any other public method may be called at any time.
    """
    methods = {body.name: body for body in found if body.cls}
    users = _users(found)
    making = {name for name, body in methods.items() if _last(name) in MAKING or _may_be_of_making(body, users)}
    while others := {name for name in making if _last(name) not in MAKING and not _users_of(name, users) <= making}:
        making -= others
    return frozenset(making)


def _users(found: Iterable[Body]) -> Mapping[str, set[str]]:
    """The methods that use such a name on their own object, by that name."""
    users: dict[str, set[str]] = {}
    for body in found:
        for node in body.nodes:
            if isinstance(node, MemberExpr):
                users.setdefault(node.name, set()).add(body.name if is_named(node.expr, body.own) else _ELSEWHERE)
    return users


def _users_of(method: str, users: Mapping[str, set[str]]) -> set[str]:
    return users[_last(method)] - {method}


def _may_be_of_making(method: Body, users: Mapping[str, set[str]]) -> bool:
    name = _last(method.name)
    is_private = name.startswith("_") and not name.startswith("__")
    takes_nothing = bool(method.own) and method.function is not None and len(method.function.arguments) == 1
    may_be = naming.is_set_up(name) or is_private or takes_nothing
    return may_be and bool(users.get(name, set()) - {method.name})


def _last(name: str) -> str:
    return name.rpartition(".")[2]
