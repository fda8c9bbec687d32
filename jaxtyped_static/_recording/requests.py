"""Who asked for a program, and for what: all that is kept of a call."""

from __future__ import annotations

import contextlib
from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from jaxtyped_static._errors import UnexpectedCompilationError
from jaxtyped_static._recording.calls import captured_by, entry_for, names_of, reference_to, referred, statics_of
from jaxtyped_static._recording.functions import described, function_of, is_operation
from jaxtyped_static._recording.jax_names import (
    Caller,
    Shapes,
    dynamic_of,
    mapped_by,
    options_of,
    shapes_of,
    transformation_of,
)
from jaxtyped_static._recording.placement import Placement, placements
from jaxtyped_static._recording.stacks import Places
from jaxtyped_static._recording.user_calls import UserCall, user_call
from jaxtyped_static._traces.entries import Entry
from jaxtyped_static_runs.model import Frame, Function, Reason

_MAX_LOWERED: Final = 16
_MAX_NAMES: Final = 512


class Request(NamedTuple):
    """One request for a program.

    Attributes:
        function: for which function.
        stack: who asked.
        entry: what the program depends on; None for an operation.
        captured: what the function captures, in short.
        placements: where the arguments are.
        transformation: outside of jit, what the call is inside of: `vmap`, `grad`; empty if it is in neither.
        options: those of `jit`, in short.
        base: refers to the function that the user wrote, below wrappers; a function has one such reference.
        is_backward: whether this is the backward pass of a gradient, outside of jit.
        statics: the static arguments, in short: JAX drops their values with the function.
        lowered: stands for what was lowered, to be compiled later; the same for both.
    """

    function: Function
    stack: tuple[Frame, ...]
    entry: Entry | None = None
    captured: Mapping[str, str] = MappingProxyType({})
    placements: Mapping[str, Placement] = MappingProxyType({})
    transformation: str = ""
    options: Mapping[str, str] = MappingProxyType({})
    base: object = None
    is_backward: bool = False
    statics: Mapping[str, str] = MappingProxyType({})
    lowered: object = None

    @property
    def line(self) -> Frame | None:
        """The innermost line of the program."""
        return next((frame for frame in self.stack if not frame.is_library), None)


@dataclass
class _Lowered:
    """A call that was lowered, and may be compiled later."""

    name: str
    shapes: Shapes
    request: Request
    is_compiled: bool = False

    def fits(self, name: str, shapes: Shapes) -> bool:
        """Returns whether a program of that name, for arguments of those shapes, may be its."""
        return (self.name, self.shapes) == (name, shapes)


class Requests:
    """Describes calls, and remembers those that were lowered: a program compiled ahead of time has only their name."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._last: OrderedDict[str, Request] = OrderedDict()
        self._lowered: deque[_Lowered] = deque(maxlen=_MAX_LOWERED)

    def of(self, caller: Caller, *, ahead_of_time: bool = False) -> Request:
        """Returns what a call asks for; `ahead_of_time`: whether it is only lowered, and maybe compiled later."""
        stack = self._places.stack(caller.frame)
        if caller.fun is None:
            return self._by_name(caller, stack)
        call = user_call(caller)
        function = described(call.fun, call.made_by, self._places, mapped_by(caller.frame))
        found = Request(function, stack, lowered=object() if ahead_of_time else None)
        if is_operation(function):
            return found
        name, shapes = str(getattr(caller.fun, "__name__", function.name)), Shapes()
        with contextlib.suppress(Exception):  # Code of the program may fail here; its seconds are still known.
            found, shapes = _with_call(found, caller, call), shapes_of(dynamic_of(caller))
        self._last[name] = found._replace(entry=None)  # which holds static values
        self._last.move_to_end(name)
        if len(self._last) > _MAX_NAMES:
            self._last.popitem(last=False)
        if ahead_of_time:
            self._lowered.append(_Lowered(name, shapes, found))
        return found

    def _by_name(self, caller: Caller, stack: tuple[Frame, ...]) -> Request:
        """Returns the earliest call of that name and with those shapes that was lowered, or the last of that name."""
        name = caller.name.removeprefix("jit_").removeprefix("jit(").removesuffix(")")
        fitting = [one for one in self._lowered if caller.made_by == "lower" and one.fits(name, caller.shapes)]
        if fitting:
            lowered = next((one for one in fitting if not one.is_compiled), fitting[-1])
            lowered.is_compiled = True
            return lowered.request._replace(stack=stack, options={**lowered.request.options, **caller.options})
        known = self._last.get(name)
        request = Request(Function(name or "?"), stack) if known is None else known._replace(stack=stack)
        return request._replace(is_backward=known is not None and caller.made_by != "lower")


def _with_call(request: Request, caller: Caller, call: UserCall) -> Request:
    entry = entry_for(call, request.function.name)
    return request._replace(
        entry=referred(entry),
        statics=statics_of(entry),
        captured=captured_by(call.fun),
        placements=placements(call.args, call.kwargs, names_of(call)),
        transformation=transformation_of(call.args, call.kwargs),
        options=options_of(caller.info),
        base=reference_to(function_of(call.fun)),
    )


def refusal(request: Request, reasons: tuple[Reason, ...]) -> UnexpectedCompilationError:
    """Returns the error that a program is compiled where nothing should be."""
    place = "" if request.line is None else str(request.line)
    return UnexpectedCompilationError(function=request.function.name, place=place, reasons=tuple(map(str, reasons)))
