"""How to make a class a pytree: with our decorators if the file uses them, or else with JAX's."""

from collections.abc import Iterable

from mypy.nodes import MypyFile, TypeInfo

from ..knowledge.full_names import PACKAGE
from ..libraries.dataclasses import DECORATORS
from ..libraries.jaxtyped_static import DYNAMIC_DATACLASS, STATIC_DATACLASS
from ..syntax.imports import imports_package
from .roles import registrations


def registration(info: TypeInfo, file: MypyFile, static: Iterable[str]) -> str:
    """How to make a class a pytree. `static`: its fields that cannot be traced."""
    if knows_ours(file) or _extends_ours(info):
        how = "a @dynamic_dataclass"
    elif any(name in DECORATORS for base in info.mro for name, _ in registrations(base)):
        how = "a pytree with @jax.tree_util.register_dataclass"
    else:
        return "a pytree with @jax.tree_util.register_pytree_node_class, tree_flatten and tree_unflatten"
    names = ", ".join(f'"{name}"' for name in static)
    return f"{how}, {names} as static field{'s' * (len(names.split(',')) > 1)}" if names else how


def knows_ours(file: MypyFile) -> bool:
    """Whether a file uses this package."""
    return imports_package(file, PACKAGE)


def verifies_values(info: TypeInfo) -> bool:
    """Whether the constructor raises for a static value that breaks the contract."""
    return any(name in STATIC_DATACLASS | DYNAMIC_DATACLASS for base in info.mro for name, _ in registrations(base))


def _extends_ours(info: TypeInfo) -> bool:
    return any(name in DYNAMIC_DATACLASS for base in info.mro for name, _ in registrations(base))
