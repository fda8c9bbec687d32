"""Compares what a call depends on with what JAX compiled into the program that it runs."""

from __future__ import annotations

import re
from typing import Any, Final

from jaxtyped_static._calls.changes import Change, first_change
from jaxtyped_static._calls.fingerprints import Fingerprint, fingerprint_of
from jaxtyped_static._calls.programs import CompiledValue, Program
from jaxtyped_static._calls.read_names import Names, Noted, Reads
from jaxtyped_static._calls.verification import CAPTURED, HELD, Examined, Function
from jaxtyped_static._calls.watching import Call
from jaxtyped_static._errors import StaticContractError
from jaxtyped_static._keys.refined_keys import equal
from jaxtyped_static._keys.states import are_alike
from jaxtyped_static._keys.value_keys import key_of
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import Reason

_INDEX: Final = re.compile(r"^\[(\d+)\]")


def remember_trace(
    call: Call, function: Function, examined: list[Examined], inner: tuple[CompiledValue, ...], noted: Noted
) -> Program:
    """Remembers what the program depends on that JAX has just traced.

    Changes that the function made meanwhile come before the program exists.
    """
    _compare_with_last_state(function, examined)
    examined = _without_held(examined)
    refreshed = [current.refreshed() for current in examined]
    for before, now in zip(examined, refreshed, strict=True):
        if first_change(before.fingerprint, now.fingerprint) is not None:
            function.programs.take_over(now.argument.value, before.fingerprint, now.fingerprint)
    if (held := function.held_in_trace(call, noted.codes)) is not None:
        refreshed.append(held)
    return _remember(call, function, refreshed, inner, noted.reads)


def check_program(call: Call, function: Function, examined: list[Examined]) -> Program:
    """Refuses a call if the program that JAX runs for it was compiled for other values.

    Raises:
        StaticContractError: for the first such value.
    """
    program = function.programs.of(call.program())
    try:
        if program is None:  # It was traced before the guard could see it.
            _refuse_seen_otherwise(function, examined)
            return _remember(call, function, _without_held(examined), (), None)
        for current in examined:
            _refuse_stale(function, current, program)
        for compiled in program.inner:
            if (value := compiled.reference()) is not None:
                _refuse_changed(function, compiled, fingerprint_of(value), value, program.names)
    except StaticContractError:
        function.is_settled = False
        raise
    _compare_with_last_state(function, examined)
    function.remember(call, examined, program.inner)
    held = [compiled for compiled in program.values if compiled.parameter == HELD]
    return program._replace(values=(*(one.compiled_in(function) for one in _without_held(examined)), *held))


def _without_held(examined: list[Examined]) -> list[Examined]:
    """Returns all but what programs read of other objects: it is known for programs that the guard saw being traced."""
    return [current for current in examined if current.argument.parameter != HELD]


def _remember(
    call: Call, function: Function, examined: list[Examined], inner: tuple[CompiledValue, ...], reads: Reads | None
) -> Program:
    program = Program(tuple(current.compiled_in(function) for current in examined), inner, reads)
    if (key := call.program()) is not None:
        function.programs.add(key, program)
    function.remember(call, examined, inner)
    return program


def _compare_with_last_state(function: Function, examined: list[Examined]) -> None:
    """Lets each call find out which program it runs, if another one may depend on an earlier state of a value."""
    names = function.programs.names
    for current in examined:
        was = function.known_fingerprint(current)
        if was is not None and first_change(was, current.fingerprint, names) is not None:
            function.is_settled = False


def _refuse_seen_otherwise(function: Function, examined: list[Examined]) -> None:
    """Refuses a call whose program is not known, if a value was seen in another state."""
    for current in _without_held(examined):
        was = function.known_fingerprint(current)
        if was is not None:
            compiled = current.compiled_in(function)._replace(fingerprint=was)
            _refuse_changed(function, compiled, current.fingerprint, current.argument.value, None)


def _refuse_stale(function: Function, current: Examined, program: Program) -> None:
    """Refuses an argument of which the program has another state, or for which it has another value."""
    compiled = program.value_of(current.argument.parameter)
    if compiled is None:
        return
    value = current.argument.value
    if current.argument.parameter in (CAPTURED, HELD) or compiled.reference() is value:
        _refuse_changed(function, compiled, current.fingerprint, value, program.names)
    else:
        _refuse_other(function, compiled, current, program.names)


def _refuse_changed(function: Function, compiled: CompiledValue, now: Fingerprint, value: Any, names: Names) -> None:
    change = first_change(compiled.fingerprint, now, names)
    if change is not None:
        raise _error(Reason.CHANGED, change, compiled, value, function)


def _refuse_other(function: Function, compiled: CompiledValue, current: Examined, names: Names) -> None:
    """Refuses a value that runs the program of another one, because JAX takes them for equal."""
    value, other = current.argument.value, compiled.reference()
    was_changed = (
        first_change(compiled.fingerprint, fingerprint_of(other), names) if type(other) is type(value) else None
    )
    if was_changed is not None:
        raise _error(Reason.EQUAL_TO_CHANGED, was_changed, compiled, value, function)
    if (change := _difference(compiled, other, current, names)) is not None:
        # Two values that are not equal now were equal when JAX looked, because the other one had changed.
        reason = Reason.EQUAL_TO_OTHER if _are_equal(value, other) else Reason.EQUAL_TO_CHANGED
        raise _error(reason, change, compiled, value, function)


def _difference(compiled: CompiledValue, other: Any, current: Examined, names: Names) -> Change | None:
    """Returns where two equal values differ: for a program, or, where the contract holds by the letter, at all."""
    was, now = compiled.fingerprint, current.fingerprint
    change = first_change(was, now, names)
    if names is not None and (change is not None or not current.is_signed):
        return change
    # Without knowing what the program reads, only the keys can tell. They take long to make of functions.
    if (change is None and not current.is_signed) or _have_one_key(other, current.argument.value):
        return None
    return change or first_change(was, now) or Change("", str(was), str(now))


def _are_equal(one: Any, other: Any) -> bool:
    """Compares two values. JAX may never have compared them, so exceptions of their class are ignored."""
    try:
        return equal(one, other)
    except Exception:
        return False


def _have_one_key(one: Any, other: Any) -> bool:
    """Returns whether two values are exactly the same to our knowledge; those that break the contract have no key."""
    try:
        return type(one) is not type(other) or are_alike(key_of(one), key_of(other))
    except Refused:
        return True


def _error(
    reason: Reason, change: Change, compiled: CompiledValue, value: Any, function: Function
) -> StaticContractError:
    if compiled.parameter == HELD:
        refused = Refused(Reason.HELD_CHANGED, change.before, change.now, at=function.name, hint=_hint(change))
        return refused.under(change.path).as_error("").in_call(compiled.function, None)
    refused = Refused(reason, change.before, change.now, at=function.name, hint=_hint(change))
    if compiled.parameter == CAPTURED:
        path = _INDEX.sub(lambda match: compiled.captured[int(match[1])], change.path)
        return refused.under(path).as_error("").in_call(compiled.function, None)
    cls = type(value)
    if change.path:
        refused = refused.under(change.path)
    root = compiled.parameter if cls.__module__ == "builtins" else class_name(cls)
    return refused.as_error(root).in_call(compiled.function, compiled.parameter)


def _hint(change: Change) -> str:
    """Returns the way out for what a program counts or notes, which is not part of the value."""
    if change.attribute is None:
        return ""
    return f'; or, if no result depends on it, name it "{change.attribute}_cache", or keep it outside of the value'
