"""Completes the options of `jit` with the static parameters, and refuses options that contradict them."""

from __future__ import annotations

import operator
from typing import Any, Final, NamedTuple, SupportsIndex

from jaxtyped_static._annotations.call_shape import Slot
from jaxtyped_static._annotations.functions import is_classmethod_body, place
from jaxtyped_static._errors import JitArgumentsError, MarkerError
from jaxtyped_static._markers import Marker
from jaxtyped_static._signature import Derived, as_params

_LISTS: Final = frozenset({"static_argnums", "static_argnames", "donate_argnums", "donate_argnames"})


class _Listed(NamedTuple):
    """The parameters that a pair of explicit lists names, and items that fit only `*args`, `**kwargs` or nothing."""

    slots: tuple[Slot, ...]
    argnums: tuple[int, ...]
    argnames: tuple[str, ...]


def complete_options(derived: Derived, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options for `jax.jit`: the given ones, with both static lists completed.

    Numbers and names that fit no parameter are left for JAX to accept (`*args`, `**kwargs`) or refuse.

    Raises:
        JitArgumentsError: a list contradicts the annotations, or a parameter is static and donated.
        MarkerError: the class that a class method receives is not static.
    """
    if derived.slots is None:
        return options
    options = {name: _reusable(value) if name in _LISTS else value for name, value in options.items()}
    listed = _listed(derived, options.get("static_argnums"), options.get("static_argnames"))
    if any(options.get(name) is not None for name in ("static_argnums", "static_argnames")):
        _check_agreement(derived, listed)
    names = {slot.name for slot in (*listed.slots, *derived.marked(Marker.STATIC))}
    static = tuple(slot for slot in derived.slots if slot.name in names)
    _check_donation(derived, options, static, listed)
    _check_class(derived, static)
    complete = as_params(static)
    return options | {
        "static_argnums": (*complete.argnums, *listed.argnums),
        "static_argnames": (*complete.argnames, *listed.argnames),
    }


def _listed(derived: Derived, argnums: Any, argnames: Any) -> _Listed:
    if argnums is None and argnames is None:
        return _Listed((), (), ())
    numbers = tuple(operator.index(number) for number in _as_tuple(argnums))
    names = _as_tuple(argnames)
    by_index = {slot.position: slot for slot in derived.slots or () if slot.position is not None}
    by_name = {slot.name: slot for slot in derived.slots or () if slot.keyword}
    # JAX (seen in 0.10) counts a negative number from the end of each call, so it shifts when a default is left out;
    # counted from the end of the signature it always means the same parameter. With `*args`, only the call can tell.
    shift = 0 if derived.open_ended else len(by_index)
    numbers = tuple(number + shift if -shift <= number < 0 else number for number in numbers)
    named = {by_index[number].name for number in numbers if number in by_index}
    named |= {name for name in names if name in by_name}
    return _Listed(
        slots=tuple(slot for slot in derived.slots or () if slot.name in named),
        argnums=tuple(number for number in numbers if number not in by_index),
        argnames=tuple(name for name in names if name not in by_name),
    )


def _reusable(value: Any) -> Any:
    """Returns a list option that can be read twice: JAX takes any iterable, which may be an iterator."""
    return value if value is None or isinstance(value, str | SupportsIndex) else tuple(value)


def _as_tuple(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (value,)


def _check_agreement(derived: Derived, listed: _Listed) -> None:
    for slot in derived.marked(Marker.DYNAMIC):
        if slot in listed.slots:
            raise _disagreement(
                derived,
                slot,
                "found it annotated `Dynamic[...]` and listed as static; "
                "remove it from the list, or annotate it `Static[...]`",
            )
    for slot in derived.marked(Marker.STATIC):
        if slot not in listed.slots:
            raise _disagreement(
                derived,
                slot,
                "found it annotated `Static[...]` and missing from static_argnums / static_argnames; "
                "drop the lists and annotate every static parameter, or add it",
            )


def _check_donation(derived: Derived, options: dict[str, Any], static: tuple[Slot, ...], listed: _Listed) -> None:
    # JAX (seen in 0.10) compares names only, so it misses a positional-only parameter.
    donated = _listed(derived, options.get("donate_argnums"), options.get("donate_argnames"))
    for slot in static:
        if slot in donated.slots:
            raise _disagreement(
                derived,
                slot,
                "found it both static and donated, but only arrays can be donated; "
                "remove it from donate_argnums / donate_argnames, or make it dynamic",
            )
    for number in set(listed.argnums) & set(donated.argnums):
        raise JitArgumentsError(
            f"found position {number} both static and donated; remove it from one of the lists",
            code="jit-argnames",
            function=place(derived.fun),
        )


def _check_class(derived: Derived, static: tuple[Slot, ...]) -> None:
    first = next((slot for slot in derived.slots or () if slot.position == 0), None)
    if first is None or first.name != "cls" or first in static or not is_classmethod_body(derived.fun):
        return
    owner = derived.fun.__qualname__.rpartition(".")[0].rpartition(".")[2] or "C"
    raise MarkerError(
        "found the class a @classmethod receives as a dynamic parameter, but JAX cannot trace a class: every call "
        f"would raise; write `cls: Static[type[{owner}]]`",  # Checkers refuse `Self` in an explicit `cls`.
        code="jit-self",
        function=place(derived.fun),
        parameter=first.name,
    )


def _disagreement(derived: Derived, slot: Slot, problem: str) -> JitArgumentsError:
    return JitArgumentsError(problem, code="jit-argnames", function=place(derived.fun), parameter=slot.name)
