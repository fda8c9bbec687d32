"""Finds the position of each parameter in a call, which for a wrapper differs from its signature.

`functools.wraps` makes `inspect.signature`, and with it JAX, describe the wrapped function. Static positions count the
arguments of the call, so a wrapper that adds a leading parameter shifts them.
"""

from __future__ import annotations

import inspect
from typing import NamedTuple, TypeAlias

from jaxtyped_static._annotations.description import DeclaredParameter, Description

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_KEYWORD = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


Parameters: TypeAlias = tuple[DeclaredParameter, ...]


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


def call_shape(described: Description) -> CallShape | None:
    """Returns how a callable can be called; None if it has no signature."""
    own, claimed = described.own, described.claimed
    if claimed is None:
        return None
    shape = _shape(claimed)
    return shape if _same(own, claimed) else CallShape(_aligned(own, claimed), shape.open_ended)


def _shape(parameters: Parameters) -> CallShape:
    is_open = any(parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters)
    return CallShape(_slots(parameters), is_open)


def _slots(parameters: Parameters) -> tuple[Slot, ...]:
    return tuple(
        Slot(parameter.name, index if parameter.kind in _POSITIONAL else None, parameter.kind in _KEYWORD)
        for index, parameter in enumerate(parameters)
        if parameter.kind in _POSITIONAL or parameter.kind in _KEYWORD
    )


def _same(own: Parameters, claimed: Parameters) -> bool:
    return own is claimed or [(parameter.name, parameter.kind) for parameter in own] == [
        (parameter.name, parameter.kind) for parameter in claimed
    ]


def _aligned(real: Parameters, claimed: Parameters) -> tuple[Slot, ...]:
    """Returns the slots of a wrapper: its own parameters at their own positions, and the rest passed through."""
    own = {slot.name: slot for slot in _slots(real)}
    theirs = _slots(claimed)
    placed = [
        _checked(own[slot.name], claimed) if slot.name in own else _passed_through(slot, real, own, theirs)
        for slot in theirs
    ]
    added = [_checked(slot, claimed) for name, slot in own.items() if name not in {slot.name for slot in theirs}]
    return tuple(slot for slot in (*placed, *added) if slot is not None)


def _passed_through(slot: Slot, real: Parameters, own: dict[str, Slot], theirs: tuple[Slot, ...]) -> Slot | None:
    kinds = {parameter.kind for parameter in real}
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


def _checked(slot: Slot, claimed: Parameters) -> Slot:
    """Checks a slot against the claimed signature, by which JAX validates positions and names."""
    kinds = [parameter.kind for parameter in claimed]
    positions = sum(kind in _POSITIONAL for kind in kinds)
    fits = slot.position is None or slot.position < positions or inspect.Parameter.VAR_POSITIONAL in kinds
    named = not slot.keyword or slot.name in {other.name for other in _slots(claimed) if other.keyword}
    if fits and (named or inspect.Parameter.VAR_KEYWORD in kinds):
        return slot
    return Slot(slot.name, None, False, problem="the signature that functools.wraps claims has no such place")
