"""Finds methods that a decorator of `functools` caches on the object or in the class."""

from collections.abc import Iterator

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, RefExpr, TypeInfo
from mypy.types import CallableType, get_proper_type

from ..facts.class_facts import facts_of
from ..knowledge.full_names import CACHES
from . import class_model
from .array_holders import holds_arrays


def caches_of_arrays(info: TypeInfo) -> Iterator[tuple[TypeInfo, str]]:
    """The cached methods of a class and its bases whose results hold arrays, each with the class that defines it."""
    for base in class_model.user_bases(info):
        for name, (_, returns_jax) in facts_of(base).get("caches", {}).items():
            is_in_use = info.get_containing_type_info(name) is base
            if is_in_use and (returns_jax or _returns_arrays(base, name)):
                yield base, name


def _returns_arrays(info: TypeInfo, name: str) -> bool:
    symbol = info.names.get(name)
    node = symbol.node if symbol is not None else None
    function = node.func if isinstance(node, Decorator) else node
    signature = get_proper_type(function.type) if isinstance(function, FuncDef) else None
    return isinstance(signature, CallableType) and holds_arrays(signature.ret_type)


def caching_decorator(info: TypeInfo, name: str) -> Expression | None:
    """The decorator that caches a method of the class statement being checked."""
    symbol = info.get(name)
    node = symbol.node if symbol is not None else None
    return decorator_of(node) if isinstance(node, Decorator) else None


def decorator_of(node: Decorator) -> Expression | None:
    """The decorator that caches, if there is one."""
    return next((decorator for decorator in node.original_decorators if _is_cache(decorator)), None)


def _is_cache(decorator: Expression) -> bool:
    named = decorator.callee if isinstance(decorator, CallExpr) else decorator
    return isinstance(named, RefExpr) and named.fullname in CACHES
