"""What JAX looks at in a call when it searches for a program."""

from __future__ import annotations

import contextlib
import inspect
import weakref
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import jax

from jaxtyped_static._annotations.functions import signature_of
from jaxtyped_static._calls.jax_internals import generation
from jaxtyped_static._calls.static_arguments import static_positions
from jaxtyped_static._calls.watching import Call
from jaxtyped_static._traces.argument_trees import argument_tree
from jaxtyped_static._traces.call_forms import Argument, Arguments, How, form_of
from jaxtyped_static._traces.jax_keys import trace_context
from jaxtyped_static._traces.snapshots import snapshot_of

# The parts of JAX's configuration in its key that have public names.
_CONTEXT: Final = (
    *("jax_enable_x64", "jax_default_device", "jax_default_matmul_precision", "jax_numpy_dtype_promotion"),
    *("jax_numpy_rank_promotion", "jax_default_prng_impl", "jax_threefry_partitionable", "jax_debug_nans"),
    *("jax_debug_infs", "jax_disable_jit", "jax_softmax_custom_jvp", "jax_random_seed_offset"),
)


class Entry(NamedTuple):
    """One program that JAX keeps for a function, described by the call it was made for.

    Attributes:
        fun: the Python function, or a weak reference to it; a function has one such reference.
        form: how the call could be written: `step(x, n=5)`.
        arguments: by parameter, in the order of the signature.
        context: the parts of JAX's configuration that have names.
        whole_context: all of the configuration, for comparison; None if unknown.
        generation: an object that `jax.clear_caches()` replaces; None if unknown.
    """

    fun: Any
    form: str
    arguments: Arguments
    context: Mapping[str, str] = MappingProxyType({})
    whole_context: object = None
    generation: object = None

    @property
    def function(self) -> Any:
        """The Python function; None if it is only referred to, and gone."""
        return self.fun() if isinstance(self.fun, weakref.ref) else self.fun


def entry_of(call: Call, name: str) -> Entry:
    """Returns what JAX sees of a call; reports call the function by this name."""
    arguments: Arguments = {
        parameter: Argument(how, is_static, snapshot_of(value) if is_static else argument_tree(value))
        for parameter, how, is_static, value in _passed(call)
    }
    arguments = in_order(call.fun, arguments, call.static_argnames)
    return Entry(call.fun, form_of(name, arguments), arguments, context(), trace_context(), current_generation())


def context() -> dict[str, str]:
    """Returns JAX's current configuration, in this thread."""
    found = {name: str(getattr(jax.config, name, "")) for name in _CONTEXT}
    mesh = getattr(jax.sharding, "get_abstract_mesh", lambda: "")()
    return {**found, "mesh": "" if getattr(mesh, "empty", False) else str(mesh)}


def current_generation() -> object:
    """Returns the current `generation`."""
    with contextlib.suppress(Exception):
        return generation()
    return None


def _passed(call: Call) -> list[tuple[str, How, bool, Any]]:
    count = len(call.args)
    names = positional_names(call.fun, count)
    static = static_positions(call.static_argnums, count)
    return [
        *((name, How.POSITION, index in static, call.args[index]) for index, name in enumerate(names)),
        *((name, How.NAME, name in call.static_argnames, value) for name, value in sorted(call.kwargs.items())),
    ]


def positional_names(fun: Any, count: int) -> list[str]:
    """Returns the parameters that this many positional arguments fill: `x`, `args[0]`, `args[1]`."""
    names: list[str] = []
    signature = signature_of(fun)
    rest = "argument "
    for parameter in signature.parameters.values() if signature is not None else ():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            rest = parameter.name
        elif parameter.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameter.name)
    return [*names[:count], *(f"{rest}[{index}]" for index in range(count - len(names)))]


def in_order(fun: Any, passed: Arguments, static: Collection[str]) -> Arguments:
    """Returns the arguments in the order of the signature, with defaults filled in; `static` names the static ones."""
    signature = signature_of(fun)
    parameters = {} if signature is None else dict(signature.parameters)
    left_out = {
        name: Argument(How.DEFAULT, name in static, snapshot_of(parameter.default))
        for name, parameter in parameters.items()
        if name not in passed and parameter.default is not inspect.Parameter.empty
    }
    order = {name: index for index, name in enumerate(parameters)}
    everything = {**passed, **left_out}
    return dict(sorted(everything.items(), key=lambda item: order.get(item[0].partition("[")[0], len(order))))
