"""Who asked for a program, and for what: all that is kept of a call."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from jaxtyped_static._recording.calls import captured_by, entry_for, names_of, referred
from jaxtyped_static._recording.functions import described, is_operation
from jaxtyped_static._recording.jax_names import Caller, transformation_of
from jaxtyped_static._recording.placement import Placement, placements
from jaxtyped_static._recording.stacks import Places
from jaxtyped_static._recording.user_calls import UserCall, user_call
from jaxtyped_static._traces.entries import Entry
from jaxtyped_static_runs.model import Frame, Function


class Request(NamedTuple):
    """One request for a program.

    Attributes:
        function: for which function.
        stack: who asked.
        entry: what the program depends on; None for an operation.
        captured: what the function captures, in short.
        placements: where the arguments are.
        transformation: outside of jit, what the call is inside of: `vmap`, `grad`; empty if it is in neither.
    """

    function: Function
    stack: tuple[Frame, ...]
    entry: Entry | None = None
    captured: Mapping[str, str] = MappingProxyType({})
    placements: Mapping[str, Placement] = MappingProxyType({})
    transformation: str = ""


class Requests:
    """Describes calls, and remembers the last one of each name: a program compiled ahead of time has only that."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._named: dict[str, Request] = {}

    def of(self, caller: Caller) -> Request:
        """Returns what a call asks for."""
        stack = self._places.stack(caller.frame)
        if caller.fun is None:
            named = self._by_name(caller.name)._replace(stack=stack)
            return named if caller.made_by == "lower" else named._replace(entry=None)
        call = user_call(caller)
        function = described(call.fun, call.made_by, self._places)
        if is_operation(function):
            return Request(function, stack)
        found = Request(function, stack)
        with contextlib.suppress(Exception):  # Code of the program may fail here; its seconds are still known.
            found = _with_call(found, caller, call)
        self._named[function.name.rpartition(".")[2]] = found
        return found

    def _by_name(self, name: str) -> Request:
        short = name.removeprefix("jit_").removeprefix("jit(").removesuffix(")")
        return self._named.get(short) or Request(Function(short or "?"), ())


def _with_call(request: Request, caller: Caller, call: UserCall) -> Request:
    return request._replace(
        entry=referred(entry_for(caller, call, request.function.name)),
        captured=captured_by(call.fun),
        placements=placements(call.args, call.kwargs, names_of(call)),
        transformation=transformation_of(call.args, call.kwargs),
    )
