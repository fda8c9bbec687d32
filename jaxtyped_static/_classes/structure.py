"""Static objects as pytrees without leaves: JAX keeps them in the structure of a tree.

JAX compares that with each program that it has compiled. Static objects have an `__eq__` in Python, for the sake of
private ones, so a node stands for each in the structure: nodes are compared by identity, in C.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable
from typing import Any, Final

from jaxtyped_static._classes.registration import register_pytree
from jaxtyped_static._classes.state_dicts import register_state_dict
from jaxtyped_static._values.interning import find, publish
from jaxtyped_static._values.private_objects import interned

# Many more are not in use at once; what is forgotten is found by its key.
_MAX_REMEMBERED: Final = 4096

_registering: Final = threading.Lock()


class Node:
    """Stands for the one object of a value in the structure of trees. There is one node for each while JAX has it."""

    __slots__ = ("__weakref__", "value")

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        """As JAX's messages show it."""
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
    """The node of a static object; a private one has that of the object with its value. A pickle refers to this."""
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
    """Registers a subclass of a static class, unless it is registered already, by the program or another thread."""
    with contextlib.suppress(TypeError), _registering:
        register_static(cls)


def _nothing() -> None:
    """What stands in for the reference to a node, where there is none."""


def _flatten(
    value: Any,
    remembered: Callable[[int, Callable[[], None]], Callable[[], Node | None]] = _remembered.get,
    nothing: Callable[[], None] = _nothing,
) -> tuple[tuple[()], Node]:
    """What takes longest here takes place once for each call of a compiled function: names are looked up before."""
    node = remembered(id(value), nothing)()
    return (), _found_or_made(interned(value)) if node is None else node


def _unflatten(node: Node, _no_children: object) -> Any:
    return node.value
