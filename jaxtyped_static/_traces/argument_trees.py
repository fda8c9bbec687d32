"""Dynamic arguments as JAX keys them: the tree's structure and metadata, and the array type of each leaf."""

from __future__ import annotations

import contextlib
from typing import Any, Final, NamedTuple, TypeAlias

import jax
import numpy as np

from jaxtyped_static._attributes.attributes import attributes_of
from jaxtyped_static._attributes.fields import field_names
from jaxtyped_static._classes import structure
from jaxtyped_static._classes.metadata import Metadata
from jaxtyped_static._refusals.refused import class_name
from jaxtyped_static._traces.differences import Difference, Kind
from jaxtyped_static._traces.snapshots import Snapshot, snapshot_of
from jaxtyped_static._traces.static_differences import attribute_differences, metadata_differences, static_differences
from jaxtyped_static._traces.value_text import DEFINED_AGAIN, full_name, in_brief, in_short

# A deeper tree is compared without its paths.
_MAX_DEPTH: Final = 64


class Leaf(NamedTuple):
    """An array, as far as a compiled program depends on it.

    Attributes:
        shape: as JAX writes it: `float32[8]`.
        weak: whether its dtype gives way to others, as that of a Python scalar does.
        scalar: the class of a Python scalar; empty for an array.
        sharding: its sharding, if that is part of its type; otherwise empty.
    """

    shape: str
    weak: bool = False
    scalar: str = ""
    sharding: str = ""

    def __str__(self) -> str:
        if self.scalar:
            return f"a Python {self.scalar}"
        return f"{'weakly typed ' if self.weak else ''}{self.shape}"


class TreeNode(NamedTuple):
    """A pytree's node.

    Attributes:
        cls: its class.
        children: its children, each with the step that leads to it.
        metadata: what JAX compares with `==`; None for Python's own containers.
        static: the attributes that are not children; the metadata comes from these.
    """

    cls: type
    children: tuple[tuple[str, ArgumentTree], ...]
    metadata: Snapshot | None = None
    static: tuple[tuple[str, Snapshot], ...] = ()

    def __str__(self) -> str:
        if self.cls is type(None):
            return "None"
        if self.cls in (tuple, list):
            left, right = "[]" if self.cls is list else "()"
            comma = "," if len(self.children) == 1 and left == "(" else ""
            return f"{left}{', '.join(_shown(child) for _, child in self.children)}{comma}{right}"
        if issubclass(self.cls, dict):
            items = f"{{{', '.join(f'{step[1:-1]}: {_shown(child)}' for step, child in self.children)}}}"
            return items if self.cls is dict else f"{class_name(self.cls)}({items})"
        children = (f"{step.strip('.')}={_shown(child)}" for step, child in self.children)
        static = (f"{step.strip('.')}={in_brief(value.value)}" for step, value in self.static if step[1:2] != "_")
        return f"{class_name(self.cls)}({', '.join((*children, *static))})"


def _shown(tree: ArgumentTree) -> str:
    return tree.text if isinstance(tree, Snapshot) else str(tree)


ArgumentTree: TypeAlias = Leaf | TreeNode | Snapshot
_ARRAYS: Final = (jax.Array, np.ndarray, np.generic)
_LEAVES: Final = (*_ARRAYS, int, float, complex)
_CONTAINERS: Final = frozenset({tuple, list, dict, type(None)})


def argument_tree(value: Any, depth: int = 0, *, constants: bool = False) -> ArgumentTree:
    """Returns a value as a dynamic argument.

    Args:
        value: the argument.
        depth: how deep it is in the argument.
        constants: whether leaves that are no arrays are constants of the program, as in `eqx.filter_jit`.
    """
    if isinstance(value, _ARRAYS if constants else _LEAVES):
        return _leaf(value)
    structure: Any = jax.tree_util.tree_structure(value, is_leaf=lambda part: part is not value)
    data = structure.node_data()
    if data is None or depth > _MAX_DEPTH:
        return snapshot_of(value) if constants else _leaf(value)
    cls: Any = type(value)
    pairs, _ = jax.tree_util.tree_flatten_with_path(value, is_leaf=lambda part: part is not value)
    children = tuple((_step(path), argument_tree(child, depth + 1, constants=constants)) for path, child in pairs)
    if cls in _CONTAINERS or hasattr(cls, "_fields"):
        return TreeNode(cls, children)
    steps = {step for step, _ in children}
    return TreeNode(cls, children, snapshot_of(data[1]), _static_attributes(value, steps))


def holds_values(tree: ArgumentTree) -> bool:
    """Returns whether static values are part of an argument, which are objects of the program."""
    if isinstance(tree, TreeNode):
        return tree.metadata is not None or any(holds_values(child) for _, child in tree.children)
    return isinstance(tree, Snapshot)


def _step(path: tuple[Any, ...]) -> str:
    """Returns the step to a child; children without names are numbered."""
    text = jax.tree_util.keystr(path)
    return text.replace("<flat index ", "").replace(">]", "]")


def _static_attributes(value: Any, steps: set[str]) -> tuple[tuple[str, Snapshot], ...]:
    """Returns the attributes that are not children; an array is one under another name, as in Flax's variables."""
    with contextlib.suppress(Exception):
        names = field_names(type(value)) or tuple(name for name, _ in attributes_of(value))
        found = ((name, getattr(value, name)) for name in names if f".{name}" not in steps and hasattr(value, name))
        return tuple((f".{name}", snapshot_of(held)) for name, held in found if not isinstance(held, jax.Array))
    return ()


def _leaf(value: Any) -> Leaf:
    aval = value if isinstance(value, jax.core.AbstractValue) else _abstract(value)
    shape = getattr(aval, "shape", None)
    dtype = getattr(aval, "dtype", None)
    if shape is None or dtype is None:
        return Leaf(class_name(type(value)) if aval is value else str(aval))
    text = f"{dtype}[{','.join(map(str, shape))}]"
    scalar = type(value).__name__ if type(value) in (bool, int, float, complex) else ""
    return Leaf(text, bool(getattr(aval, "weak_type", False)), scalar, _sharding(aval))


def _abstract(value: Any) -> Any:
    """Returns what JAX sees of an argument; the argument itself if it is not an array."""
    with contextlib.suppress(Exception):
        return jax.typeof(value)
    with contextlib.suppress(Exception):
        return jax.core.get_aval(value)  # type: ignore[attr-defined]  # Before jax 0.5.3.
    return value


def _sharding(aval: Any) -> str:
    """Returns a sharding over named axes; without a mesh there is only one."""
    sharding: Any = getattr(aval, "sharding", None)
    mesh: Any = getattr(sharding, "mesh", None)
    if mesh is None or getattr(mesh, "empty", True):
        return ""
    kinds = [str(getattr(kind, "name", kind)) for kind in getattr(mesh, "axis_types", None) or ()]
    axes = ", ".join(f"{name}={size}" for name, size in mesh.shape.items())
    return " ".join((str(getattr(sharding, "spec", "")), f"over the mesh ({axes})", *sorted(set(kinds))))


def tree_differences(path: str, before: ArgumentTree, now: ArgumentTree) -> tuple[Difference, ...]:
    """Returns what differs between two dynamic arguments; nothing if one program serves both."""
    if isinstance(before, Leaf) and isinstance(now, Leaf):
        difference = _leaf_difference(before, now)
        return (_dynamic(path, difference),) if difference else ()
    if isinstance(before, Snapshot) and isinstance(now, Snapshot):
        return static_differences(path, before, now)
    if not isinstance(before, TreeNode) or not isinstance(now, TreeNode) or before.cls is not now.cls:
        return (_dynamic(path, _transition(before, now)),)
    old, new = dict(before.children), dict(now.children)
    if before.cls in (tuple, list) and len(old) != len(new):
        return (_dynamic(path, f"{len(old)} elements → {len(new)} elements"),)
    found = [
        *(
            difference
            for step in old
            if step in new
            for difference in tree_differences(path + step, old[step], new[step])
        ),
        *(_dynamic(path + step, f"was {_short(old[step])}, now not there") for step in old if step not in new),
        *(_dynamic(path + step, f"was not there, now {_short(new[step])}") for step in new if step not in old),
        *_metadata(path, before, now),
    ]
    return tuple(found)


def _metadata(path: str, before: TreeNode, now: TreeNode) -> tuple[Difference, ...]:
    if before.metadata is None or now.metadata is None:
        return ()
    raw = metadata_differences(f"{path} (metadata)", before.metadata, now.metadata)
    if not raw:
        return ()
    exact = isinstance(now.metadata.value, Metadata | structure.Node)
    return attribute_differences(path, before.static, now.static, exact=exact) or raw


def _leaf_difference(before: Leaf, now: Leaf) -> str:
    if before.shape != now.shape:
        old, new = (before.shape, now.shape) if str(before) == str(now) else (before, now)
        return f"{old} → {new}"
    if before.weak != now.weak:
        weak, strong = (before, now) if before.weak else (now, before)
        fix = f"; pass {_as_array(weak)} each time" if weak.scalar and not strong.scalar else ""
        return f"{before} → {now}, whose dtype is {'' if now.weak else 'not '}weak{fix}"
    if before.sharding != now.sharding:
        return f"{now.shape}, {before.sharding or 'not sharded'} → {now.sharding or 'not sharded'}"
    return ""


def _as_array(weak: Leaf) -> str:
    return f"jnp.{weak.shape.partition('[')[0]}(...)"


def _transition(before: ArgumentTree, now: ArgumentTree) -> str:
    """Returns `before → now`; classes of the same name with their modules, and without what they hold."""
    if isinstance(before, TreeNode) and isinstance(now, TreeNode) and class_name(before.cls) == class_name(now.cls):
        names = full_name(before.cls), full_name(now.cls)
        return " → ".join(names) if names[0] != names[1] else f"{_short(before)} → {DEFINED_AGAIN}"
    for show in (_short, _with_full_class):
        if show(before) != show(now):
            return f"{show(before)} → {show(now)}"
    return f"{_short(before)} → {DEFINED_AGAIN}"


def _with_full_class(tree: ArgumentTree) -> str:
    return f"{_short(tree)} ({full_name(tree.cls)})" if isinstance(tree, TreeNode) else _short(tree)


def _short(tree: ArgumentTree) -> str:
    return tree.text if isinstance(tree, Snapshot) else in_short(_Text(str(tree)))


class _Text(str):
    """Text that is shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _dynamic(path: str, says: str) -> Difference:
    return Difference(path, says, Kind.DYNAMIC)
