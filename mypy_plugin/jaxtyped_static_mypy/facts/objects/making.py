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

    They are private, or set something up by their names. Any other public method may be called at any time.
    """
    methods = {body.name: body for body in found if body.cls}
    users = _users(found)
    making = {name for name in methods if _last(name) in MAKING or _last(name) in users}
    while others := {name for name in making if _last(name) not in MAKING and not users[_last(name)] <= making}:
        making -= others
    return frozenset(making)


def _users(found: Iterable[Body]) -> Mapping[str, set[str]]:
    """The methods that use such a name on their own object, by that name."""
    users: dict[str, set[str]] = {}
    for body in found:
        for node in body.nodes:
            if isinstance(node, MemberExpr) and _may_be_of_making(node.name):
                users.setdefault(node.name, set()).add(body.name if is_named(node.expr, body.own) else _ELSEWHERE)
    return users


def _may_be_of_making(name: str) -> bool:
    return naming.is_set_up(name) or (name.startswith("_") and not name.startswith("__"))


def _last(name: str) -> str:
    return name.rpartition(".")[2]
