"""How to make a class a pytree: with our decorators if the file uses them, or else with JAX's."""

from collections.abc import Iterable
from typing import Final

from mypy.nodes import MypyFile, TypeInfo

from ..knowledge.full_names import PACKAGE
from ..libraries import PYTREE_DECORATORS
from ..libraries.dataclasses import DECORATORS
from ..libraries.jax import LIBRARY as JAX_LIBRARY
from ..libraries.jaxtyped_static import DYNAMIC_DATACLASS, STATIC_DATACLASS
from ..syntax.imports import imports_package
from .roles import is_registered_by, registrations

# Decorators that make pytrees of dataclasses, by names that a program can import.
_OF_FIELDS: Final = frozenset(name for name in PYTREE_DECORATORS - JAX_LIBRARY.pytree_decorators if "._" not in name)

WITH_REGISTER_DATACLASS: Final = "a pytree with @jax.tree_util.register_dataclass"


def registration(info: TypeInfo, file: MypyFile, static: Iterable[str]) -> str:
    """How to make a class a pytree. `static`: its fields that cannot be traced."""
    if knows_ours(file) or is_registered_by(info.mro, DYNAMIC_DATACLASS):
        how = "a @dynamic_dataclass"
    elif is_registered_by(info.mro, DECORATORS):
        how = WITH_REGISTER_DATACLASS
    elif (decorator := _registering_decorator(info)) is not None:
        return f"a pytree with @{decorator}, as its base is"
    else:
        return "a pytree with @jax.tree_util.register_pytree_node_class, tree_flatten and tree_unflatten"
    names = ", ".join(f'"{name}"' for name in static)
    return f"{how}, {names} as static field{'s' * (len(names.split(',')) > 1)}" if names else how


def _registering_decorator(info: TypeInfo) -> str | None:
    """The decorator that makes a pytree of a base."""
    names = (name for base in info.mro[1:] for name, _ in registrations(base))
    return next((name for name in names if name in _OF_FIELDS), None)


def knows_ours(file: MypyFile) -> bool:
    """Whether a file uses this package."""
    return imports_package(file, PACKAGE)


def verifies_values(info: TypeInfo) -> bool:
    """Whether the constructor raises for a static value that breaks the contract."""
    return is_registered_by(info.mro, STATIC_DATACLASS | DYNAMIC_DATACLASS)
