"""A call, as far as a program depends on it: as JAX sees it, or as the user of a library wrote it."""

from __future__ import annotations

import functools
import weakref
from types import FunctionType
from typing import Any, Final

from jaxtyped_static._annotations.surroundings import closure_of
from jaxtyped_static._calls.watching import Call
from jaxtyped_static._recording.functions import column_of, function_of
from jaxtyped_static._recording.user_calls import UserCall
from jaxtyped_static._traces.argument_trees import argument_tree, holds_values
from jaxtyped_static._traces.call_forms import Argument, How, form_of
from jaxtyped_static._traces.entries import (
    Entry,
    context,
    current_generation,
    entry_of,
    positional_names,
)
from jaxtyped_static._traces.jax_keys import trace_context
from jaxtyped_static._traces.snapshots import Snapshot
from jaxtyped_static._traces.value_text import in_brief, in_short

_MAX_CAPTURED: Final = 64


def entry_for(call: UserCall, name: str) -> Entry:
    """Returns what a program depends on; reports call the function by this name."""
    if call.constants:
        return _entry_of_filtered(call, name)
    lists = call.static_argnums, call.static_argnames
    return entry_of(Call(call.fun, None, call.args, dict(call.kwargs), *lists, is_ours=False), name)


def names_of(call: UserCall) -> list[str]:
    """Returns the names of the parameters that the positional arguments fill."""
    return positional_names(call.fun, len(call.args))


def _entry_of_filtered(call: UserCall, name: str) -> Entry:
    """Returns what a program of `filter_jit` depends on: it binds a call to the signature, so its form is nothing."""
    named = {**dict(zip(names_of(call), call.args, strict=True)), **call.kwargs}
    # It takes a callable pytree apart, as if it were the first argument of its method.
    named = named if isinstance(call.fun, FunctionType) else {"self": call.fun, **named}
    arguments = {
        parameter: Argument(How.NAME, False, argument_tree(value, constants=True)) for parameter, value in named.items()
    }
    return Entry(call.fun, form_of(name, arguments), arguments, context(), trace_context(), current_generation())


def referred(entry: Entry) -> Entry:
    """Returns an entry that does not keep its function alive."""
    return entry._replace(fun=reference_to(entry.fun))


def reference_to(fun: Any) -> object:
    """Returns what stands for a function, by identity, and does not keep it alive; or else its class."""
    try:
        return weakref.ref(fun)
    except TypeError:
        return type(fun)


def without_values(entry: Entry) -> Entry:
    """Returns an entry without the values of its static arguments, which JAX drops with their function."""
    arguments = {name: argument for name, argument in entry.arguments.items() if not holds_values(argument.value)}
    return entry._replace(arguments=arguments)


def statics_of(entry: Entry) -> dict[str, str]:
    """Returns the static arguments of a call, in short."""
    found = ((name, argument.value) for name, argument in entry.arguments.items() if argument.is_static)
    return {name: in_brief(value.value) for name, value in found if isinstance(value, Snapshot)}


def captured_by(fun: Any) -> dict[str, str]:
    """Returns what a function captures: numbers and the like by value, arrays by type."""
    function = function_of(fun)
    held = {} if function is None else dict(list(closure_of(function).items())[:_MAX_CAPTURED])
    if isinstance(fun, functools.partial):
        held = {**held, **{f"argument {index}": value for index, value in enumerate(fun.args)}, **fun.keywords}
    return {name: _in_short(value) for name, value in held.items()}


def _in_short(value: Any) -> str:
    try:
        if isinstance(value, FunctionType):
            return f"{in_short(value)}{_column_of(value)}"
        return str(argument_tree(value)) if hasattr(value, "shape") else in_short(value)
    except Exception:
        return type(value).__name__


def _column_of(fun: FunctionType) -> str:
    """Returns what tells a lambda from others on its line."""
    column = column_of(fun.__code__)
    return f" at column {column}" if column else ""
