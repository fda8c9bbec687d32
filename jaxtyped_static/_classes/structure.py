"""Static objects as pytrees without leaves: JAX keeps them in the structure of a tree.

JAX compares that structure with the one of each compiled program. Static objects have an `__eq__` in Python, because of
private objects. So a node stands for each object in the structure: nodes are compared by identity, in C.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable
from typing import Any, Final

from jaxtyped_static._classes.registration import register_pytree
from jaxtyped_static._classes.state_dicts import register_state_dict
from jaxtyped_static._keys.interning import find, interned, publish

# No more are in use at a time; a forgotten one is found again by its key.
_MAX_REMEMBERED: Final = 4096

_registering: Final = threading.Lock()


class Node:
    """Stands for the shared object of a value in the structure of trees. Each has one node while JAX keeps it."""

    __slots__ = ("__weakref__", "value")

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        """As shown in JAX's messages."""
        return repr(self.value)

    def __copy__(self) -> Node:
        return self

    def __deepcopy__(self, _memo: object) -> Node:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return node_of, (self.value,)


# By the id of the static object, which lives as long as its node does.
_remembered: Final[dict[int, weakref.ref[Node]]] = {}


def node_of(value: Any) -> Node:
    """Returns the node of a static object; a private one shares that of its value. Pickles refer to this function."""
    return _flatten(value)[1]


def _found_or_made(value: Any) -> Node:
    key = Node, value
    node: Node = find(key) or publish(Node(value), key)
    if len(_remembered) >= _MAX_REMEMBERED:
        _remembered.clear()
    _remembered[id(value)] = weakref.ref(node)
    return node


def register_static(cls: type) -> None:
    """Registers a static class.

    Raises:
        TypeError: it is registered already.
    """
    register_pytree(cls, "@static_dataclass", flatten_with_keys=_flatten, flatten=_flatten, unflatten=_unflatten)
    register_state_dict(cls, None)


def register_subclass(cls: type) -> None:
    """Registers a subclass of a static class, unless the program or another thread has done so."""
    with contextlib.suppress(TypeError), _registering:
        register_static(cls)


def _nothing() -> None:
    """Stands in for a missing reference to a node."""


def _flatten(
    value: Any,
    remembered: Callable[[int, Callable[[], None]], Callable[[], Node | None]] = _remembered.get,
    nothing: Callable[[], None] = _nothing,
) -> tuple[tuple[()], Node]:
    """Flattens an object. It runs in every call of a compiled function, so its names are looked up in advance."""
    node = remembered(id(value), nothing)()
    return (), _found_or_made(interned(value)) if node is None else node


def _unflatten(node: Node, _no_children: object) -> Any:
    return node.value
