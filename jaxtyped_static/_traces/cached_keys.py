"""Reads what JAX's cache of traced programs holds for a function, if JAX can be asked."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import jax

from jaxtyped_static._calls.static_arguments import static_positions
from jaxtyped_static._traces.argument_trees import argument_tree
from jaxtyped_static._traces.call_forms import Argument, Arguments, How, form_of
from jaxtyped_static._traces.entries import Entry, context, current_generation, in_order, positional_names
from jaxtyped_static._traces.jax_keys import keys_of, trace_context
from jaxtyped_static._traces.snapshots import snapshot_of


def cached_entries(fun: Any, options: object, name: str) -> list[Entry] | None:
    """Returns the entries for a Python function compiled with these options; None if they are not known."""
    keys = None
    with contextlib.suppress(Exception):  # An entry that cannot be read is skipped.
        keys = keys_of(fun, options)
    if keys is None:
        return None
    entries, here, named = [], trace_context(), context()
    for signature, avals, whole in keys:
        with contextlib.suppress(Exception):  # A user's class may not accept array types in place of arrays.
            arguments = _arguments(fun, options, signature, avals)
            names = named if whole == here else {}
            entries.append(Entry(fun, form_of(name, arguments), arguments, names, whole, current_generation()))
    return sorted(entries, key=lambda entry: entry.form)


def _arguments(fun: Any, options: Any, signature: Any, avals: Any) -> Arguments:
    statics = len(signature.static_args) - len(signature.static_arg_names)
    by_position = len(signature.dynamic_arg_treedefs) - len(signature.dynamic_arg_names)
    static = dict(zip(signature.static_arg_names, signature.static_args[statics:], strict=True))
    trees = list(_trees(signature.dynamic_arg_treedefs, avals))
    dynamic = dict(zip(signature.dynamic_arg_names, trees[by_position:], strict=True))
    count = statics + by_position
    at = static_positions(options.static_argnums, count)
    left, traced = iter(signature.static_args), iter(trees)
    arguments = {
        parameter: Argument(How.POSITION, True, snapshot_of(next(left)))
        if index in at
        else Argument(How.POSITION, False, argument_tree(next(traced)))
        for index, parameter in enumerate(positional_names(fun, count))
    }
    arguments |= {parameter: Argument(How.NAME, True, snapshot_of(value)) for parameter, value in static.items()}
    arguments |= {parameter: Argument(How.NAME, False, argument_tree(value)) for parameter, value in dynamic.items()}
    return in_order(fun, arguments, options.static_argnames)


def _trees(structures: Any, avals: Any) -> Iterator[Any]:
    """Returns the dynamic arguments, with array types in place of arrays."""
    left = iter(avals)
    for structure in structures:
        yield jax.tree_util.tree_unflatten(structure, [next(left) for _ in range(structure.num_leaves)])
