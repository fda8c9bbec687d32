"""Traces every program of a run again, at its end: what then differs was compiled in, and has changed since.

A global, a closure, an attribute, a static object that was changed: JAX keeps running the program of the old value. The
number of the day or of a random generator: the program depends on when it was traced.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import jax

from jaxtyped_static._calls.static_arguments import static_positions
from jaxtyped_static._calls.watching import Call
from jaxtyped_static._recording.normal_forms import differences, normal_form
from jaxtyped_static._recording.stacks import Places
from jaxtyped_static._traces.jax_keys import trace_context
from jaxtyped_static_runs.model import Changed, Function, Verified

_MAX_PROGRAMS: Final = 2_000


class _Program(NamedTuple):
    """A program, and all that is needed to trace it again."""

    function: Function
    fun: Any
    lists: tuple[tuple[int, ...], tuple[str, ...]]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    program: Any
    context: object


class Verification:
    """The programs of a run. They keep what they capture alive, until the end."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._traced: list[_Program] = []
        self._left_out = 0

    def add(self, function: Function, call: Call) -> None:
        """Remembers a program that was traced."""
        program = call.program()
        if program is None or len(self._traced) >= _MAX_PROGRAMS:
            self._left_out += 1
            return
        try:
            self._traced.append(_traced(function, call, program))
        except Exception:  # Code of the program may fail here, and must not fail the call.
            self._left_out += 1

    def verify(self) -> Verified:
        """Traces each program again, twice; what the program prints meanwhile is not shown."""
        here = trace_context()
        comparable = [traced for traced in self._traced if traced.context == here]
        left_out = self._left_out + len(self._traced) - len(comparable)
        with contextlib.redirect_stdout(io.StringIO()):
            first, second = _again(comparable), _again(comparable)
        changed = []
        for traced, one, other in zip(comparable, first, second, strict=True):
            if one is None or other is None:
                left_out += 1
                continue
            found = _changed(traced, one, other, self._places)
            if found is not None and found not in changed:
                changed.append(found)
        return Verified(len(comparable), tuple(changed), left_out)


def _traced(function: Function, call: Call, program: Any) -> _Program:
    static = static_positions(call.static_argnums, len(call.args))
    args = tuple(arg if index in static else _without_values(arg) for index, arg in enumerate(call.args))
    kwargs = {
        name: value if name in call.static_argnames else _without_values(value) for name, value in call.kwargs.items()
    }
    lists = call.static_argnums, call.static_argnames
    return _Program(function, call.fun, lists, args, kwargs, program, trace_context())


def _without_values(value: Any) -> Any:
    """Returns an argument with the types of arrays in place of them."""

    def leaf(value: Any) -> Any:
        if not isinstance(value, jax.Array):
            return value
        is_weak = bool(getattr(value, "weak_type", False))  # random keys have none
        return jax.ShapeDtypeStruct(value.shape, value.dtype, weak_type=is_weak)  # type: ignore[no-untyped-call]

    return jax.tree_util.tree_map(leaf, value)


def _again(programs: Sequence[_Program]) -> list[Any]:
    """Returns programs, traced anew; None for one whose function raises now."""
    jax.clear_caches()  # type: ignore[no-untyped-call]  # or the compiled functions that they call would stay
    found: list[Any] = []
    for traced in programs:
        argnums, argnames = traced.lists
        try:
            compiled = jax.jit(traced.fun, static_argnums=argnums, static_argnames=argnames)
            found.append(compiled.trace(*traced.args, **traced.kwargs).jaxpr)
        except Exception:
            found.append(None)
    return found


def _changed(traced: _Program, one: Any, other: Any, places: Places) -> Changed | None:
    before, now, later = (normal_form(program, places) for program in (traced.program, one, other))
    if varying := differences(now, later):
        return Changed(traced.function, False, varying)
    stale = differences(before, now)
    return Changed(traced.function, True, stale) if stale else None
