"""Lambdas that are handed to a call, and only make an object: what that calls them for, the source does not show.

`register("CartPole", lambda: CartPole())`. Only syntax is read, so that the answer is the same in a file that mypy has
not analysed.
"""

from collections.abc import Sequence
from typing import Final

from mypy.nodes import Block, CallExpr, LambdaExpr, Node, ReturnStmt

_PARTS_OF_OBJECTS: Final = frozenset({"default_factory", "factory"})


def is_made_for_others(around: Sequence[Node]) -> bool:
    """Whether a call is all that a lambda does which another call gets, but not the factory of a field's default.

    `around`: the nodes around the call, innermost first, and itself first.
    """
    match around[1:5]:
        case [ReturnStmt(), Block(), LambdaExpr() as maker, CallExpr() as taking] if maker in taking.args:
            return taking.arg_names[taking.args.index(maker)] not in _PARTS_OF_OBJECTS
    return False
