"""Which outcome of a condition no tracer gives: `isinstance(x, jax.core.Tracer)` is False of a concrete value only."""

from collections.abc import Callable
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Expression, GeneratorExpr, ListComprehension, OpExpr, TupleExpr, UnaryExpr

from ..knowledge import naming
from .names import last_name

_ALL: Final = "builtins.all"
_OF_EACH: Final = (_ALL, "builtins.any")


class Reader(NamedTuple):
    """How names are read where a condition stands."""

    called: Callable[[CallExpr], str]  # the full name of what a call calls
    made: Callable[[Expression], Expression]  # what makes the value of a name
    asks: Callable[[CallExpr], bool | None]  # whether a function holds of tracers; False if it holds of none of them


def implies(condition: Expression, outcome: bool, shows: Callable[[Expression, bool], bool]) -> bool:
    """Whether a condition has this outcome only if a part of it has one that shows something."""
    if isinstance(condition, UnaryExpr) and condition.op == "not":
        return implies(condition.expr, not outcome, shows)
    if isinstance(condition, OpExpr) and condition.op in ("and", "or"):
        found = [implies(part, outcome, shows) for part in (condition.left, condition.right)]
        return any(found) if (condition.op == "and") == outcome else all(found)
    return shows(condition, outcome)


def excludes_tracers(condition: Expression, outcome: bool, reader: Reader) -> bool:
    """Whether a condition has this outcome for no tracer."""
    return implies(condition, outcome, lambda part, result: _is_no_tracer(part, result, reader))


def _is_no_tracer(condition: Expression, outcome: bool, reader: Reader) -> bool:
    made = reader.made(condition)
    if made is not condition:
        return excludes_tracers(made, outcome, reader)
    if not isinstance(condition, CallExpr):
        return False
    called = reader.called(condition)
    if called == "builtins.isinstance" and len(condition.args) == 2:
        return not outcome and any(naming.is_class_of_tracers(last_name(cls)) for cls in _classes(condition.args[1]))
    if called in _OF_EACH and (each := _each(condition)) is not None:
        return outcome is (called == _ALL) and excludes_tracers(each.left_expr, outcome, reader)
    by_name = naming.asks_for_tracer(last_name(condition.callee))
    asks = reader.asks(condition) if by_name is None else by_name
    return asks is (not outcome)


def _each(call: CallExpr) -> GeneratorExpr | None:
    given = call.args[0] if call.args else None
    given = given.generator if isinstance(given, ListComprehension) else given
    return given if isinstance(given, GeneratorExpr) else None


def _classes(given: Expression) -> list[Expression]:
    """`Tracer`, `(Tracer, ShapeDtypeStruct)`."""
    return given.items if isinstance(given, TupleExpr) else [given]
