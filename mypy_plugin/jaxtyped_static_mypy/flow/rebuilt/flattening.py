"""What a function returns that takes a pytree apart: JAX asks for a tuple of two, the children and auxiliary data."""

from collections.abc import Iterator
from functools import reduce
from typing import Final, NamedTuple

from .faults import Fault, Found, is_left_open, name_of, wrong_parameters
from .registered import Registered
from .statements import Run, run
from .values import UNKNOWN, Entries, Items, Nothing, Object, Value, joined

_PAIR: Final = 2


class Flattened(NamedTuple):
    """What JAX passes on to the function that rebuilds the object, and what is wrong with it."""

    children: Value = UNKNOWN
    auxiliary: Value = UNKNOWN
    faults: tuple[Found, ...] = ()


def flattened(registered: Registered) -> Flattened:
    function = registered.flatten
    if function is None or is_left_open(function.node):
        return Flattened()
    if (wrong := wrong_parameters(function, 1, "one, the object")) is not None:
        return Flattened(faults=(wrong,))
    done = run(function.node, {function.node.arguments[0].variable.name: Object()})
    faults = tuple(_faults(done, registered, name_of(function)))
    pairs = [found.value for found in done.returned if not isinstance(found.value, Nothing)]
    pair = reduce(joined, pairs) if pairs else UNKNOWN
    if not isinstance(pair, Items) or not _is_pair(pair):
        return Flattened(faults=faults)
    children, auxiliary = pair.values
    return Flattened(_handed_over(children, with_keys=registered.with_keys), auxiliary, faults)


def _faults(done: Run, registered: Registered, function: str) -> Iterator[Found]:
    named = {"function": function, "cls": registered.info.name}
    if done.may_end and done.is_read and registered.flatten is not None:
        yield Found(Fault.RETURNS_NOTHING, registered.flatten.node, named, is_certain=not done.returned)
    for returned in done.returned:
        if (fault := _fault_of(returned.value)) is not None:
            yield Found(fault, returned.node, {**named, "what": _said(returned.value)}, returned.is_certain)


def _fault_of(value: Value) -> Fault | None:
    if isinstance(value, Nothing):
        return Fault.RETURNS_NOTHING
    if isinstance(value, Entries) or (isinstance(value, Items) and not _is_pair(value)):
        return Fault.NO_PAIR
    children = value.values[0] if isinstance(value, Items) else UNKNOWN
    if isinstance(children, Nothing):
        return Fault.NO_CHILDREN
    return Fault.CHILDREN_OF_DICT if isinstance(children, Entries) and children.values else None


def _is_pair(value: Items) -> bool:
    return value.is_tuple and len(value.values) == _PAIR


def _said(value: Value) -> str:
    if isinstance(value, Items):
        return f"a tuple of {len(value.values)}" if value.is_tuple else "a list"
    return "a dict"


def _handed_over(children: Value, *, with_keys: bool) -> Value:
    """The children as JAX hands them over: without their keys, and in a tuple."""
    if not isinstance(children, Items):
        return UNKNOWN
    return Items(tuple(map(_without_key, children.values)) if with_keys else children.values)


def _without_key(child: Value) -> Value:
    return child.values[1] if isinstance(child, Items) and len(child.values) == _PAIR else UNKNOWN
