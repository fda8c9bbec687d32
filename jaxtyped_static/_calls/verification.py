"""Verifies the static arguments of a call: that they keep the contract, and are what JAX's program was compiled for."""

from __future__ import annotations

import contextlib
import functools
import weakref
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, MethodType
from typing import Any, Final, NamedTuple

import jax

from jaxtyped_static._annotations.declared import declared_markers
from jaxtyped_static._annotations.description import describe
from jaxtyped_static._annotations.functions import underlying
from jaxtyped_static._calls.fingerprints import Fingerprint, fingerprint_of
from jaxtyped_static._calls.held_reads import held_reads
from jaxtyped_static._calls.jax_internals import generation
from jaxtyped_static._calls.programs import CompiledValue, Programs, reference_to
from jaxtyped_static._calls.seen_values import SeenValues
from jaxtyped_static._calls.static_arguments import Reader, StaticArgument, parameters_of, reader_of, static_arguments
from jaxtyped_static._calls.unchanged import Check, check_of
from jaxtyped_static._calls.watching import Call
from jaxtyped_static._contract import check_static
from jaxtyped_static._errors import StaticContractError
from jaxtyped_static._markers import Marker
from jaxtyped_static._parts.contents import captured_by, is_constant
from jaxtyped_static._parts.held import Holding

# JAX compares these exactly, and they hold nothing else.
_ATOMS: Final = frozenset({int, bool, str, bytes, type(None)})
# The parameters under which captured constants are kept, and what is read of the other objects that a function holds.
CAPTURED: Final = ""
HELD: Final = "."


class Function:
    """What is known of a compiled function. There is one per Python function, because JAX shares programs per function.

    Attributes:
        name: its name in messages.
        parameters: those that Python knows.
        seen: the arguments that it was called with, and their last state.
        programs: what JAX compiled for it.
        is_settled: whether each value has been in the same state for all programs.
    """

    def __init__(self, call: Call) -> None:
        named = call.fun if hasattr(call.fun, "__qualname__") else underlying(call.fun) or type(call.fun)
        self.name = str(named.__qualname__).rpartition("<locals>.")[2]
        self.parameters = parameters_of(call)
        self.seen = SeenValues()
        self.programs = Programs()
        self.is_settled = True
        self._may_capture = _may_capture(call.fun)
        self._captured: Fingerprint | None = None
        self._captured_is_unchanged: Check | None = None
        self._holding: Holding | None = None
        self._held: Fingerprint | None = None
        self._held_is_unchanged: Check | None = None
        self._inner: dict[int, tuple[CompiledValue, Check]] = {}
        self._marked: frozenset[str] | None = None
        self._readers: dict[tuple[object, ...], Reader] = {}

    def values_of(self, call: Call) -> list[Any]:
        """Returns the static arguments of a call, without their names."""
        form = (call.static_argnums, call.static_argnames, len(call.args), *call.kwargs)
        reader = self._readers.get(form)
        if reader is None:
            reader = self._readers[form] = reader_of(call, self.parameters)
        return reader(call.args, call.kwargs)

    def captured_by(self, call: Call) -> dict[str, Any]:
        """Returns the constants that the function captures now."""
        return _captured_constants(call.fun) if self._may_capture else {}

    def is_signed(self, call: Call, parameter: str) -> bool:
        """Returns whether the contract holds by the letter: in our `jit`, and where the parameter is marked."""
        if call.is_ours:
            return True
        if self._marked is None:
            self._marked = _marked_parameters(call)
        return parameter in self._marked

    def known_fingerprint(self, examined: Examined) -> Fingerprint | None:
        """Returns the last state of an argument, or of what the function captures; None if it was not seen."""
        if examined.argument.parameter == CAPTURED:
            return self._captured
        if examined.argument.parameter == HELD:
            return self._held
        return self.seen.known_fingerprint(examined.argument.value)

    def remember(self, call: Call, examined: list[Examined], inner: tuple[CompiledValue, ...]) -> None:
        """Remembers the state of all that a verified call depends on, and lets `is_unchanged` answer for it."""
        for current in examined:
            if current.argument.parameter == CAPTURED:
                self._captured = current.fingerprint
            elif current.argument.parameter == HELD:
                self._remember_held(current)
            else:
                self.seen.remember(current.argument.value, current.fingerprint)
        captured = tuple(self.captured_by(call).values())
        self._captured_is_unchanged = check_of(captured) if captured else None
        for compiled in inner:
            if (value := compiled.reference()) is not None:
                self._inner[id(value)] = compiled, check_of(value)

    def held(self) -> Examined | None:
        """Returns what any of the programs has read of the objects that the function holds, in its current state."""
        return None if self._holding is None else _examined_holding(self._holding)

    def held_in_trace(self, call: Call, codes: frozenset[CodeType] | None) -> Examined | None:
        """Returns what a trace has just read of them; None if it reads nothing, or that is not known."""
        paths = held_reads(call, codes) if self._may_capture and codes is not None else None
        if not paths:
            return None
        function = reference_to(call.fun)
        known = self._holding.paths if self._holding is not None else frozenset()
        if not paths <= known:
            self._holding = Holding(function, paths | known)
        return _examined_holding(Holding(function, paths))

    def _remember_held(self, current: Examined) -> None:
        is_all = current.argument.value is self._holding
        self._held = current.fingerprint if is_all else fingerprint_of(self._holding)
        self._held_is_unchanged = check_of(self._holding)

    def is_unchanged(self, call: Call) -> bool:
        """Returns whether nothing that a call depends on has changed for sure, or is exactly like what was seen."""
        if not self.is_settled:
            return False
        is_unchanged = self.seen.is_unchanged
        if not all(type(value) in _ATOMS or is_unchanged(value) for value in self.values_of(call)):
            return False
        if self._may_capture and not self._has_captured_the_same(call):
            return False
        if self._holding is not None and not (self._held_is_unchanged and self._held_is_unchanged(self._holding)):
            return False
        return not self._inner or all(map(_is_as_compiled, list(self._inner.values())))

    def _has_captured_the_same(self, call: Call) -> bool:
        captured = tuple(self.captured_by(call).values())
        return not captured or (self._captured_is_unchanged is not None and self._captured_is_unchanged(captured))


def _is_as_compiled(inner: tuple[CompiledValue, Check]) -> bool:
    value = inner[0].reference()
    return value is None or inner[1](value)


def _marked_parameters(call: Call) -> frozenset[str]:
    with contextlib.suppress(Exception):  # Annotations of others, which need not be readable.
        markers = declared_markers(describe(call.fun), None)
        return frozenset(name for name, marker in markers.items() if marker is Marker.STATIC)
    return frozenset()


def _captured_constants(fun: Callable[..., Any]) -> dict[str, Any]:
    """Returns, by name, the values that JAX compiles into the programs of a function without asking for them again."""
    return {name: value for name, value in _held_by(fun) if is_constant(value) and not isinstance(value, jax.Array)}


def _may_capture(fun: Callable[..., Any]) -> bool:
    """Returns whether a function could hold constants."""
    return not isinstance(fun, FunctionType) or bool(fun.__closure__)


def _held_by(fun: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(fun, functools.partial):
        yield from ((f"args[{index}]", value) for index, value in enumerate(fun.args))
        yield from fun.keywords.items()
        yield from _held_by(fun.func)
    elif isinstance(fun, MethodType):
        yield "self", fun.__self__
        yield from _held_by(fun.__func__)
    elif isinstance(fun, FunctionType):
        yield from captured_by(fun)
    else:
        yield "self", fun


class Examined(NamedTuple):
    """A static argument of a call, or what the function captures, and its state.

    Attributes:
        argument: the argument.
        fingerprint: its state.
        is_signed: whether the contract holds for it by the letter.
        captured: the names of captured values, of which the value is a tuple.
    """

    argument: StaticArgument
    fingerprint: Fingerprint
    is_signed: bool
    captured: tuple[str, ...] = ()

    def refreshed(self) -> Examined:
        """Returns the same in its current state."""
        return self._replace(fingerprint=fingerprint_of(self.argument.value))

    def compiled_in(self, function: Function) -> CompiledValue:
        """Returns the same as part of a program."""
        name, value = self.argument.parameter, self.argument.value
        return CompiledValue(function.name, name, reference_to(value), self.fingerprint, self.captured)


# By the id of the Python function. All guards share these, because JAX keeps its programs from one guard to the next.
_functions: Final[dict[int, tuple[weakref.ref[Any], Function]]] = {}
_generation: object = None


def function_of(call: Call) -> Function:
    """Returns what is known of the called function."""
    global _generation
    if generation() is not _generation:  # JAX has dropped its programs.
        _functions.clear()
        _generation = generation()
    number = id(call.fun)
    if (known := _functions.get(number)) is not None:
        return known[1]
    function = Function(call)
    _functions[number] = weakref.ref(call.fun, lambda _: _functions.pop(number, None)), function
    return function


def examine(call: Call, function: Function) -> list[Examined]:
    """Returns the static arguments of a call, and what the function captures, without those that hold nothing.

    Raises:
        StaticContractError: one breaks the contract.
    """
    return list(_examined(call, function))


def _examined(call: Call, function: Function) -> Iterator[Examined]:
    for argument in static_arguments(call, function.parameters):
        if type(argument.value) in _ATOMS:
            continue
        is_signed = function.is_signed(call, argument.parameter)
        is_new = function.seen.known_fingerprint(argument.value) is None
        if is_new and is_signed and not argument.is_default:  # JAX (seen in 0.10) never hashes a default.
            _check_contract(argument, function)
        yield Examined(argument, fingerprint_of(argument.value), is_signed)
    captured = function.captured_by(call)
    if captured:
        value = tuple(captured.values())
        yield Examined(StaticArgument(CAPTURED, value), fingerprint_of(value), False, tuple(captured))

    if (held := function.held()) is not None:
        yield held


def _examined_holding(holding: Holding) -> Examined:
    return Examined(StaticArgument(HELD, holding), fingerprint_of(holding), False)


def _check_contract(argument: StaticArgument, function: Function) -> None:
    try:
        check_static(argument.value)
    except StaticContractError as error:
        raise error.in_call(function.name, argument.parameter) from None
