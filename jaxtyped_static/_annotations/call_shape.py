"""Finds the position of each parameter in a call, which for a wrapper differs from its signature.

`functools.wraps` makes `inspect.signature`, and with it JAX, describe the wrapped function. Static positions count the
arguments of the call, so a wrapper that adds a leading parameter shifts them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, NamedTuple

from jaxtyped_static._annotations.functions import Declared, parameters_of, signature_of

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_KEYWORD = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class Slot(NamedTuple):
    """One parameter as a caller can fill it.

    Attributes:
        name: the parameter's name.
        position: its index among the positional arguments; None if it cannot be passed by position.
        keyword: whether it can be passed by name.
        problem: why its position is unknown; None if it is known.
    """

    name: str
    position: int | None
    keyword: bool
    problem: str | None = None


class CallShape(NamedTuple):
    """The parameters of a callable.

    Attributes:
        slots: the parameters a caller can fill, without `*args` and `**kwargs`.
        open_ended: whether `*args` takes further positional arguments.
    """

    slots: tuple[Slot, ...]
    open_ended: bool


def call_shape(fun: Callable[..., Any]) -> CallShape | None:
    """Returns how `fun` can be called; None if it has no signature."""
    if isinstance(fun, FunctionType) and not hasattr(fun, "__wrapped__"):
        return _shape(parameters_of(fun))
    claimed = signature_of(fun)
    if claimed is None:
        return None
    real = signature_of(fun, follow_wrapped=False) or claimed
    shape = _shape(claimed.parameters.values())
    return shape if _same(real, claimed) else CallShape(_aligned(real, claimed), shape.open_ended)


def _shape(parameters: Iterable[inspect.Parameter | Declared]) -> CallShape:
    known = tuple(parameters)
    is_open = any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in known)
    return CallShape(_slots(known), is_open)


def _slots(parameters: Iterable[inspect.Parameter | Declared]) -> tuple[Slot, ...]:
    return tuple(
        Slot(parameter.name, index if parameter.kind in _POSITIONAL else None, parameter.kind in _KEYWORD)
        for index, parameter in enumerate(parameters)
        if parameter.kind in _POSITIONAL or parameter.kind in _KEYWORD
    )


def _same(real: inspect.Signature, claimed: inspect.Signature) -> bool:
    return [(p.name, p.kind) for p in real.parameters.values()] == [
        (p.name, p.kind) for p in claimed.parameters.values()
    ]


def _aligned(real: inspect.Signature, claimed: inspect.Signature) -> tuple[Slot, ...]:
    """Returns the slots of a wrapper: its own parameters at their own positions, and the rest passed through."""
    own = {slot.name: slot for slot in _slots(real.parameters.values())}
    theirs = _slots(claimed.parameters.values())
    placed = [
        _checked(own[slot.name], claimed) if slot.name in own else _passed_through(slot, real, own, theirs)
        for slot in theirs
    ]
    added = [_checked(slot, claimed) for name, slot in own.items() if name not in {slot.name for slot in theirs}]
    return tuple(slot for slot in (*placed, *added) if slot is not None)


def _passed_through(slot: Slot, real: inspect.Signature, own: dict[str, Slot], theirs: tuple[Slot, ...]) -> Slot | None:
    kinds = {parameter.kind for parameter in real.parameters.values()}
    takes_more = inspect.Parameter.VAR_POSITIONAL in kinds or inspect.Parameter.VAR_KEYWORD in kinds
    names = [other.name for other in theirs]
    if not takes_more and own.keys() <= set(names):
        return None  # The wrapper supplies this argument itself.
    leading = [name for name, other in own.items() if other.position is not None]
    # If the wrapper takes a parameter by name only, the next one moves into its position.
    displaced = [name for name in names[: slot.position] if name in own and own[name].position is None]
    if takes_more and leading == names[: len(leading)] and not displaced:
        return slot
    others = ", ".join(f"`{name}`" for name in displaced or own)
    return Slot(slot.name, None, False, problem=f"the wrapper around it has parameters of its own ({others})")


def _checked(slot: Slot, claimed: inspect.Signature) -> Slot:
    """Checks a slot against the claimed signature, by which JAX validates positions and names."""
    kinds = [parameter.kind for parameter in claimed.parameters.values()]
    positions = sum(kind in _POSITIONAL for kind in kinds)
    fits = slot.position is None or slot.position < positions or inspect.Parameter.VAR_POSITIONAL in kinds
    named = not slot.keyword or slot.name in {
        other.name for other in _slots(claimed.parameters.values()) if other.keyword
    }
    if fits and (named or inspect.Parameter.VAR_KEYWORD in kinds):
        return slot
    return Slot(slot.name, None, False, problem="the signature that functools.wraps claims has no such place")
