"""How a class becomes what JAX can take: with our own decorators where the file knows them, else with JAX's."""

from typing import Final

from mypy.nodes import MypyFile, TypeInfo

from ..libraries.dynamic_dataclass import LIBRARY
from ..names import PACKAGE
from ..syntax import imports_package
from .roles import is_declared_static, registrations

_STATIC: Final = "@jax.tree_util.register_static"


def registration(info: TypeInfo, file: MypyFile) -> str:
    """The decorator to write above a class that is no pytree yet."""
    if is_declared_static(info, frozenset()):
        return _STATIC
    if imports_package(file, PACKAGE) or _extends_ours(info):
        return "@dynamic_dataclass"
    if "dataclass" in info.metadata:
        return "@jax.tree_util.register_dataclass"
    return "@jax.tree_util.register_pytree_node_class, with tree_flatten and tree_unflatten"


def static_instead(file: MypyFile) -> str:
    """What to make of a pytree that has no leaves."""
    if imports_package(file, PACKAGE):
        return "make it a @static_dataclass, marked Static where it is used"
    return f"make it a static class, {_STATIC} over @dataclass(frozen=True)"


def _extends_ours(info: TypeInfo) -> bool:
    return any(name in LIBRARY.pytree_decorators for base in info.mro for name, _ in registrations(base))
