"""Calls that convert what they are given to a number, a truth value or a NumPy array: a tracer has none of these."""

from collections.abc import Callable, Sequence

from mypy.nodes import CallExpr, MemberExpr, RefExpr

from ...knowledge.function_rows import Asks
from ...knowledge.members import CONVERTING_METHODS
from ...libraries import known_function
from .values import Each, Items, Source, Traced, Value, array_from, origin, present


def converted(call: CallExpr, base: Value, values: Sequence[Value]) -> tuple[str, Value] | None:
    """What kind of conversion a call is, and what it converts. `base`: the object whose method is called."""
    callee = call.callee
    if isinstance(callee, MemberExpr) and callee.name in CONVERTING_METHODS and isinstance(base, Traced):
        return callee.name, base
    if not isinstance(callee, RefExpr):
        return None
    name, asks = callee.fullname.rpartition(".")[2], known_function(callee.fullname).asks
    if asks is Asks.HOST_ARRAY:  # whatever the options say
        return "numpy", _first(
            [value for value, given in zip(values, call.arg_names, strict=True) if given is None], origin
        )
    if any(given is not None for given in call.arg_names):
        return None
    match asks:
        case Asks.NUMBER:
            return name, values[0] if len(values) == 1 else None
        case Asks.LENGTH:
            return name, _first(values, _itself)
        case Asks.FLOAT:
            return "float", _first(values, _itself)
        case Asks.TRUTH:
            return name, _compared(values, enough=1)
        case Asks.ORDER:
            return name, _compared(values, enough=2)
    return None


def _first(values: Sequence[Value], source_of: Callable[[Value], Source | None]) -> Value:
    source = next((found for value in values if (found := source_of(value)) is not None), None)
    return array_from(source) if source is not None else None


def _itself(value: Value) -> Source | None:
    return value.source if isinstance(value, Traced) else None


def _compared(values: Sequence[Value], *, enough: int) -> Value:
    """The value whose truth the call needs: an argument or, if there is only one, an element of it.

    `enough`: how many items one of known length must have for the call to test any.
    """
    if len(values) != 1:
        return _first(values, _itself)
    whole = present(values[0])
    if isinstance(whole, Each):
        return whole.element
    return _first(whole.values, _itself) if isinstance(whole, Items) and len(whole.values) >= enough else None
