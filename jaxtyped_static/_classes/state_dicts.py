"""Flax's state dictionaries: the data fields of an object by name, if the program uses `flax.serialization`.

This does not import Flax. Flax looks a class up by its exact type, so every class must be registered with it:
immediately if the module is imported already, otherwise as soon as it is.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final, Protocol

from jaxtyped_static._refusals.refused import class_name

_MODULE: Final = "flax.serialization"
_REGISTER: Final = "register_serialization_state"


class HasData(Protocol):
    """The data fields of a class, and how its objects are taken apart and made, as `Tree` has them."""

    data: tuple[str, ...]
    flatten: Callable[[Any], tuple[tuple[Any, ...], Any]]
    unflatten: Callable[[Any, Iterable[Any]], Any]


_waiting: Final[list[tuple[Any, HasData | None]]] = []


def register_state_dict(cls: Any, tree: HasData | None) -> None:
    """Lets `flax.serialization` save and restore the data fields of a class, like those of its own classes.

    A class without a `tree` has no data fields, so its objects have nothing to save.
    """
    serialization = sys.modules.get(_MODULE)
    if hasattr(serialization, _REGISTER):
        _register(cls, tree, serialization)
        return
    _waiting.append((cls, tree))
    if not any(isinstance(finder, _ImportWatcher) for finder in sys.meta_path):
        sys.meta_path.insert(0, _ImportWatcher())


def _register(cls: Any, tree: HasData | None, serialization: Any) -> None:
    register = getattr(serialization, _REGISTER)
    if tree is None:
        register(cls, lambda _: {}, lambda instance, _: instance)
    else:
        register(cls, *_of_fields(cls, tree, serialization))


def _of_fields(cls: Any, tree: HasData, serialization: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Returns a function from an object to its state, and one that puts a state into an object."""

    def to_state_dict(instance: Any) -> dict[str, Any]:
        return {name: serialization.to_state_dict(getattr(instance, name)) for name in tree.data}

    def from_state_dict(instance: Any, state: dict[str, Any]) -> Any:
        if difference := state.keys() ^ set(tree.data):
            names = ", ".join(sorted(difference))
            raise ValueError(f"the state of a {class_name(cls)} and its data fields differ in {names}")
        values, metadata = tree.flatten(instance)
        restored = [
            serialization.from_state_dict(value, state[name], name=name)
            for name, value in zip(tree.data, values, strict=True)
        ]
        return tree.unflatten(metadata, restored)

    return to_state_dict, from_state_dict


class _ImportWatcher(MetaPathFinder):
    """An import hook that waits for the module, and then removes itself."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Finds the module with the other finders; after it has run, the waiting classes are registered."""
        if name != _MODULE:
            return None
        specs = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not self)
        spec = next((spec for spec in specs if spec is not None), None)
        with contextlib.suppress(AttributeError):  # The loader cannot be watched; that is no reason not to import.
            self._watch(getattr(spec, "loader", None))
        return spec

    def _watch(self, loader: Any) -> None:
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            if module.__name__ != _MODULE or self not in sys.meta_path:
                return
            sys.meta_path.remove(self)
            while _waiting:
                _register(*_waiting.pop(), module)

        loader.exec_module = exec_module
