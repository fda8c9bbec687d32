"""Methods of other modules that rebuild a pytree, as far as the facts of their class show what they do."""

from collections.abc import Iterator
from typing import Any, Final

from mypy.nodes import (
    ArgKind,
    Argument,
    Block,
    CallExpr,
    Expression,
    FuncDef,
    IndexExpr,
    IntExpr,
    NameExpr,
    ReturnStmt,
    StrExpr,
    TypeInfo,
    Var,
)

from ...facts.class_facts import facts_of

_NAMES: Final = ("cls", "aux_data", "children")


def recorded_method(owner: TypeInfo, name: str) -> FuncDef | None:
    """A class method that only returns `cls(...)`, written again from the facts: mypy's cache keeps no bodies."""
    arguments = facts_of(owner).get("rebuilders", {}).get(name)
    if arguments is None:
        return None
    own = [Argument(Var(parameter), None, None, ArgKind.ARG_POS) for parameter in _NAMES]
    return FuncDef(name, own, Block([ReturnStmt(_call(arguments))]))


def _call(arguments: list[list[Any]]) -> CallExpr:
    kinds = [ArgKind(kind) for kind, *_ in arguments]
    return CallExpr(NameExpr(_NAMES[0]), list(_values(arguments)), kinds, [name for _, name, *_ in arguments])


def _values(arguments: list[list[Any]]) -> Iterator[Expression]:
    for _, _, parameter, key in arguments:
        of = NameExpr(_NAMES[parameter] if parameter else "")
        yield of if key is None else IndexExpr(of, IntExpr(key) if isinstance(key, int) else StrExpr(key))
