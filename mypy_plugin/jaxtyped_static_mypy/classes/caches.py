"""Finds methods that a decorator of `functools` caches on the object or in the class."""

from collections.abc import Collection, Iterator
from typing import Final

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, RefExpr, TypeInfo, Var
from mypy.types import AnyType, CallableType, Instance, NoneType, TupleType, Type, UnionType, get_proper_type

from ..facts.class_facts import facts_of
from ..knowledge.full_names import CACHES, JAX, MEMOISED, MEMOISING, NUMPY
from . import class_model
from .array_holders import holds_any_arrays, holds_arrays

# Values that cost less than a look at what they are made of.
_CHEAP: Final = frozenset({f"builtins.{name}" for name in ("bool", "bytes", "complex", "float", "int", "str", "tuple")})


def caches_of_arrays(info: TypeInfo) -> Iterator[tuple[TypeInfo, str]]:
    """The cached methods of a class and its bases whose results hold arrays, each with the class that defines it.

    Not those that the constructor fills, or that are computed at once: no trace does. Nor those that gather objects
    which are there.
    """
    for base in class_model.user_bases(info):
        facts = facts_of(base)
        filled = {
            *facts.get("filled_when_made", ()),
            *facts.get("gathered", ()),
            *facts.get("never_traced", ()),
        }
        for name, (_, returns_jax, computed_by) in facts.get("caches", {}).items():
            is_in_use = info.get_containing_type_info(name) is base
            if not is_in_use or name in filled or computed_by == NUMPY or _is_calculated_by_numpy(info, base, name):
                continue  # NumPy's arrays are no tracers, whatever the annotation says
            if returns_jax or _returns_arrays(base, name):
                yield base, name


def is_costly(info: TypeInfo, name: str) -> bool:
    """Whether a class caches arrays, or what JAX or NumPy computes: not a number, a text or a tuple of such."""
    result = _result(info, name)
    if result is not None and (_is_cheap(result) or holds_any_arrays(result)):
        return not _is_cheap(result)
    _, returns_jax, computed_by = facts_of(info)["caches"][name]
    return returns_jax is True or computed_by != ""


def may_keep_tracer(info: TypeInfo, name: str) -> bool:
    """Whether what a class caches can be a tracer: by its type, or where that says nothing, by what computes it."""
    if name in facts_of(info).get("never_traced", ()):
        return False
    result = _result(info, name)
    if result is not None and (_is_cheap(result) or holds_any_arrays(result)):
        return holds_arrays(result)
    _, _, computed_by = facts_of(info)["caches"][name]
    return bool(computed_by == JAX)


def _is_cheap(typ: Type) -> bool:
    proper = get_proper_type(typ)
    if isinstance(proper, TupleType | UnionType):
        return all(map(_is_cheap, proper.items))
    if isinstance(proper, Instance):
        return proper.type.fullname in _CHEAP and all(map(_is_cheap, proper.args))
    return isinstance(proper, NoneType)


def _is_calculated_by_numpy(info: TypeInfo, owner: TypeInfo, name: str) -> bool:
    """Whether a method only calculates with arrays of NumPy and numbers that the object has: `1 / (1 - self.x**2)`."""
    read = facts_of(owner).get("calculated_from", {}).get(name, ())
    types = [_declared(info, attribute) for attribute in read]
    of_numpy = [typ for typ in types if typ is not None and holds_any_arrays(typ) and not holds_arrays(typ)]
    return bool(of_numpy) and all(typ in of_numpy or (typ is not None and _is_cheap(typ)) for typ in types)


def _returns_arrays(info: TypeInfo, name: str) -> bool:
    result = _result(info, name)
    return result is not None and holds_arrays(result)


def _declared(info: TypeInfo, name: str) -> Type | None:
    """The type of an attribute: of a property, that of its result."""
    symbol = info.get(name)
    node = symbol.node if symbol is not None else None
    owner = info.get_containing_type_info(name)
    if isinstance(node, Var):
        return node.type
    return _result(owner, name) if isinstance(node, Decorator) and owner is not None else None


def _result(info: TypeInfo, name: str) -> Type | None:
    """The declared type of what a method returns; None if there is none."""
    symbol = info.names.get(name)
    node = symbol.node if symbol is not None else None
    function = node.func if isinstance(node, Decorator) else node
    signature = get_proper_type(function.type) if isinstance(function, FuncDef) else None
    result = get_proper_type(signature.ret_type) if isinstance(signature, CallableType) else None
    return None if isinstance(result, AnyType) else result


def caching_decorator(info: TypeInfo, name: str) -> Expression | None:
    """The decorator that caches a method of the class statement being checked."""
    symbol = info.get(name)
    node = symbol.node if symbol is not None else None
    return decorator_of(node) if isinstance(node, Decorator) else None


def decorator_of(node: Decorator) -> Expression | None:
    """The decorator that caches, if there is one."""
    return next((decorator for decorator in node.original_decorators if _is_cache(decorator)), None)


def is_cached(callee: Expression) -> bool:
    """Whether what is called is a function that `functools` caches, so that its arguments are hashed."""
    node = callee.node if isinstance(callee, RefExpr) else None
    if not isinstance(node, Decorator):
        return False
    typ = get_proper_type(node.var.type)
    return hashes_arguments(node) or (isinstance(typ, Instance) and typ.type.fullname == MEMOISED)


def hashes_arguments(node: Decorator) -> bool:
    """Whether a decorator keeps one result for each argument; what a cached property returns may be called with any."""
    return any(_is_cache(decorator, MEMOISING) for decorator in node.original_decorators)


def _is_cache(decorator: Expression, caches: Collection[str] = CACHES) -> bool:
    named = decorator.callee if isinstance(decorator, CallExpr) else decorator
    return isinstance(named, RefExpr) and named.fullname in caches
