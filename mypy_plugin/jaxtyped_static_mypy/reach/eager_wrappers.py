"""Functions of the program that hand what they are given to the control flow of JAX: `my_scan(body, ...)`."""

from collections.abc import Mapping

from mypy.nodes import MypyFile

from ..facts.functions.keeping import facts_of_function
from ..facts.functions.steps import uses_of
from ..knowledge.eager_functions import EagerFunction, eager_function


def handing_function(fullname: str, modules: Mapping[str, MypyFile]) -> EagerFunction | None:
    """What makes a call of a function compile again outside of jit; None if it hands no parameter on."""
    facts = facts_of_function(uses_of(fullname), modules) or {}
    bodies: list[tuple[int, str]] = []
    rows = [
        (index, name, row) for index, name, to in facts.get("bodies", ()) if (row := eager_function(to)) is not None
    ]
    for index, name, row in rows:
        bodies += row.bodies if index is None else [(index, name)]
    if not bodies:
        return None
    return EagerFunction(
        tuple(dict.fromkeys(bodies)),
        is_compared=all(row.is_compared for _, _, row in rows),
        chooses=all(row.chooses for _, _, row in rows),
    )
