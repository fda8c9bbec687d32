"""The leaves of a tree: what `jax.tree.map` passes to a function, and `jax.tree.leaves` lists."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mypy.nodes import CallExpr

from ...knowledge.full_names import JAX, TREE_MAPS
from ...knowledge.jax_functions import jax_name
from ...reach.description import named_function
from ...source.parameters import parameters
from ...syntax.arguments import unpacks
from ...syntax.names import callee_name
from .frame import Frame, PassedValues
from .helpers import helper_named
from .joining import joined
from .values import Each, Entries, Items, Traced, Tree, Value, computed, present

_LISTING: Final = ("tree.leaves", "tree_util.tree_leaves")
_FLATTENING: Final = ("tree.flatten", "tree_util.tree_flatten")


def record_leaves(call: CallExpr, values: Sequence[Value], frame: Frame, *, is_traced: bool) -> None:
    """Records the use of a function that a call of `jax.tree.map` applies to all leaves.

    What `is_leaf` keeps whole is none. `is_traced`: whether what the call runs is traced.
    """
    walk = frame.walk
    if f"{JAX}{jax_name(callee_name(call))}" not in TREE_MAPS or unpacks(call) or any(call.arg_names):
        return
    trees = [leaf_of(value) if number == 0 else _beside(value) for number, value in enumerate(values[1:])]
    if not trees:
        return
    function = named_function(call.args[0], walk.file)
    if function in walk.nested and function is not None:
        names = (parameter.name for parameter in parameters(function) if not parameter.is_star)
        walk.record_use(function, call.args[0], PassedValues(dict(zip(names, trees, strict=False)), frame.staged))
    elif is_traced and trees[0] is not None and (helper := helper_named(call.args[0], walk)) is not None:
        names = (parameter.name for parameter in parameters(helper) if not parameter.is_star)
        walk.record_helper(helper, PassedValues(dict(zip(names, trees, strict=False)), frame.staged))


def listed_leaves(call: CallExpr, values: Sequence[Value]) -> Value:
    """What `jax.tree.leaves(tree)` and `jax.tree.flatten(tree)` return: a list of tracers, if all leaves are."""
    name = jax_name(callee_name(call))
    if name not in (*_LISTING, *_FLATTENING) or len(values) != 1 or unpacks(call):
        return None
    if (leaf := leaf_of(values[0])) is None:
        return None
    return Each(leaf) if name in _LISTING else Items((Each(leaf), None))


def leaf_of(value: Value) -> Value:
    """What every leaf of a tree is: a tracer, if all of them are."""
    value = present(value)
    if isinstance(value, Traced):
        return None if value.source.arrays_only else Traced(computed(value.source))
    if isinstance(value, Tree):
        is_whole = value.given is None and not value.replaced and not value.source.arrays_only
        return Traced(computed(value.source)) if is_whole else None
    if isinstance(value, Items):
        return joined(tuple(leaf_of(part) for part in value.values))
    if isinstance(value, Each):
        return leaf_of(value.element)
    if isinstance(value, Entries):
        others = () if value.is_closed and value.other is None else (value.other,)
        return joined(tuple(leaf_of(part) for part in (*(part for _, part in value.values), *others)))
    return None


def _beside(value: Value) -> Value:
    """What a further tree has in the place of a leaf, which may be a tree itself."""
    leaf = leaf_of(value)
    return Traced(replace(leaf.source, may_be_tree=True)) if isinstance(leaf, Traced) else None
