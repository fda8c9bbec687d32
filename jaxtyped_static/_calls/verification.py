"""Verifies that the static arguments of a call keep the contract, and are unchanged since the function was compiled."""

from __future__ import annotations

import weakref
from typing import Any, Final, NamedTuple

from jaxtyped_static._annotations.functions import underlying
from jaxtyped_static._annotations.installed import is_in_package
from jaxtyped_static._calls.changes import Change, first_change
from jaxtyped_static._calls.fingerprints import Fingerprint, FingerprintedValue, take
from jaxtyped_static._calls.jax_internals import generation
from jaxtyped_static._calls.misplaced import MisplacedCalls
from jaxtyped_static._calls.seen_values import SeenValues
from jaxtyped_static._calls.static_arguments import Reader, StaticArgument, parameters_of, reader_of, static_arguments
from jaxtyped_static._calls.watching import Call, has_no_programs
from jaxtyped_static._contract import check_static
from jaxtyped_static._errors import StaticContractError
from jaxtyped_static._values.refusals import Refused, class_name
from jaxtyped_static._values.states import are_alike
from jaxtyped_static._values.value_keys import key_of
from jaxtyped_static._values.words import Reason

# JAX compares these exactly, and they hold nothing else.
_ATOMS: Final = frozenset({int, bool, str, bytes, type(None)})


class Function:
    """What is known of a compiled function. There is one per Python function, because JAX shares programs per function.

    Users cannot change what a library passes to its own `jax.jit`. There the contract is not verified, only what can
    give a wrong number.
    """

    def __init__(self, call: Call) -> None:
        named = call.fun if hasattr(call.fun, "__qualname__") else underlying(call.fun) or type(call.fun)
        self.name = str(named.__qualname__).rpartition("<locals>.")[2]
        self.parameters = parameters_of(call)
        self.has_contract = call.is_ours or not _is_installed(call.fun)
        self.seen = SeenValues()
        self.misplaced = MisplacedCalls()
        self._readers: dict[tuple[object, ...], Reader] = {}

    def values_of(self, call: Call) -> list[Any]:
        """Returns the static arguments of a call, without their names."""
        form = (call.static_argnums, call.static_argnames, len(call.args), *call.kwargs)
        reader = self._readers.get(form)
        if reader is None:
            reader = self._readers[form] = reader_of(call, self.parameters)
        return reader(call.args, call.kwargs)


def _is_installed(fun: object) -> bool:
    """Returns whether a function was written in an installed package."""
    function = underlying(fun)
    return function is not None and is_in_package(function)


class Verified(NamedTuple):
    """A static argument that passed verification.

    Attributes:
        value: the argument.
        taken: its fingerprint.
        is_known: whether this very object was remembered, and has not changed.
        if_shared: the error if JAX does not trace for this call.
        is_changed: whether that error is a change since the function was compiled with it.
    """

    value: Any
    taken: FingerprintedValue
    is_known: bool
    if_shared: StaticContractError | None
    is_changed: bool = False

    @property
    def is_misplaced(self) -> bool:
        """Whether JAX keeps this argument beside the program of one that was equal only for a while."""
        return self.if_shared is not None and not self.is_changed and self.if_shared.code == "static-mutable"

    def refreshed(self) -> Verified:
        """Returns the same with the argument's current state."""
        return self._replace(taken=take(self.value))

    def remember(self, seen: SeenValues) -> None:
        """Remembers it and every object in it that could change independently."""
        for found in self.taken.objects:
            seen.remember_object(found.value, found.fingerprint)
        seen.remember_argument(self.value, self.taken.whole)
        seen.expect(self.value)


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


def is_unchanged(call: Call) -> bool:
    """Returns whether the function surely was called with these arguments, or equal ones, before, and none changed."""
    function = function_of(call)
    is_unchanged = function.seen.is_unchanged
    return not function.misplaced and all(
        type(value) in _ATOMS or is_unchanged(value) for value in function.values_of(call)
    )


def verify(call: Call) -> list[Verified]:
    """Returns the verified static arguments of a call, without those that hold nothing.

    Raises:
        StaticContractError: one breaks the contract, or has changed since the function was compiled with it.
    """
    function = function_of(call)
    arguments = static_arguments(call, function.parameters)
    verified = [_verify(argument, function) for argument in arguments if type(argument.value) not in _ATOMS]
    changed = next((each.if_shared for each in verified if each.is_changed), None)
    # After `clear_cache()`, JAX traces with the current value, so it sees the change.
    if changed is not None and not has_no_programs(call):
        raise changed
    return verified


def _verify(argument: StaticArgument, function: Function) -> Verified:
    value, taken = argument.value, take(argument.value)
    was = function.seen.known_fingerprint(value)
    changed = _error_of_change(argument, taken, function)
    if was is not None or changed is not None:
        return Verified(value, taken, is_known=changed is None, if_shared=changed, is_changed=changed is not None)
    if function.has_contract and not argument.is_default:  # JAX never hashes a default.
        try:
            check_static(value)
        except StaticContractError as error:
            raise error.in_call(function.name, argument.parameter) from None
    return Verified(value, taken, is_known=False, if_shared=_error_if_shared(argument, taken, function))


def _error_of_change(
    argument: StaticArgument, taken: FingerprintedValue, function: Function
) -> StaticContractError | None:
    """Returns the error if the argument, or an object inside a new one, has changed."""
    was = function.seen.known_fingerprint(argument.value)
    if was is not None:
        looked_at = [("", was, taken.whole)]
    else:
        known = ((each, function.seen.known_fingerprint(each.value)) for each in taken.objects)
        looked_at = [(each.path, was, each.fingerprint) for each, was in known if was is not None]
    for path, before, now in looked_at:
        if (change := first_change(before, now)) is not None:
            return _error(Reason.CHANGED, change._replace(path=path + change.path), argument, function)
    return None


def _error_if_shared(
    argument: StaticArgument, taken: FingerprintedValue, function: Function
) -> StaticContractError | None:
    """Returns the error for using the program of an equal value, if every such value differs from this one."""
    error = None
    for other, was in function.seen.equal_to(argument.value):
        if (change := first_change(was, take(other).whole)) is not None:
            error = _error(Reason.EQUAL_TO_CHANGED, change, argument, function)
        elif (change := _difference(other, argument.value, was, taken.whole)) is not None:
            error = _error(Reason.EQUAL_TO_OTHER, change, argument, function)
        else:
            return None
    return error


def _difference(one: Any, other: Any, taken_of_one: Fingerprint, taken_of_other: Fingerprint) -> Change | None:
    """Returns where two equal values differ for a program."""
    try:
        is_same = are_alike(key_of(one), key_of(other))
    except Refused:  # Raised for functions whose arguments are not held to the contract.
        return None
    if is_same:
        return None
    return first_change(taken_of_one, taken_of_other) or Change("", str(taken_of_one), str(taken_of_other))


def _error(reason: Reason, change: Change, argument: StaticArgument, function: Function) -> StaticContractError:
    cls = type(argument.value)
    root = argument.parameter if cls.__module__ == "builtins" else class_name(cls)
    refused = Refused(reason, change.before, change.now, at=function.name)
    if change.path:
        refused = refused.under(change.path)
    return refused.as_error(root).in_call(function.name, argument.parameter)
