"""Finds the pytrees that a file registers, with the functions that take their objects apart and rebuild them."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    ClassDef,
    Context,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    MemberExpr,
    RefExpr,
    SymbolNode,
    TypeInfo,
)

from ...facts.class_facts import facts_of
from ...knowledge.full_names import FLATTEN_METHODS, UNFLATTEN_METHOD
from ...libraries.jax import CLASS_REGISTRATIONS, FUNCTION_REGISTRATIONS
from ...source.checked_file import CheckedFile
from ...syntax.arguments import argument, unpacks
from ...syntax.decorators import last_names
from ...syntax.imports import full_name
from .recorded import recorded_method

_CLASS_METHOD: Final = "classmethod"
_BINDING: Final = (_CLASS_METHOD, "staticmethod")


class Function(NamedTuple):
    """A function that JAX calls, and how many of its parameters JAX does not give: 1 for a class method."""

    node: FuncItem
    bound: int = 0
    is_inherited: bool = False  # by the class that is registered


class Registered(NamedTuple):
    """A class that a file registers."""

    info: TypeInfo
    place: Context
    flatten: Function | None  # None if it is not read
    unflatten: Function | None
    with_keys: bool
    maker: FuncDef | None = None  # what the file shows the constructor to run


def registered_in(file: CheckedFile) -> Iterator[Registered]:
    for found in _registered_in(file):
        yield found._replace(maker=maker_of(found.info, file))


def maker_of(info: TypeInfo, file: CheckedFile) -> FuncDef | None:
    """The `__init__` that a class defines or inherits in the file, or the `__post_init__` of a dataclass."""
    init = info.get("__init__")
    symbol = info.get("__post_init__") if init is not None and init.plugin_generated else init
    return symbol.node if symbol is not None and file.defines(symbol.node) else None


def _registered_in(file: CheckedFile) -> Iterator[Registered]:
    for node in file.nodes:
        if isinstance(node, ClassDef):
            found = CLASS_REGISTRATIONS.keys() & _decorators(node, file) if node.info else ()
            yield from (_by_methods(node.info, node, CLASS_REGISTRATIONS[name], file) for name in found)
        elif isinstance(node, CallExpr) and node.args and isinstance(node.args[0], RefExpr):
            info = node.args[0].node
            if isinstance(info, TypeInfo) and not unpacks(node):
                yield from _by_call(node, info, file)


def _decorators(node: ClassDef, file: CheckedFile) -> set[str]:
    """The full names of the decorators; mypy (2.4.1) tells a plugin nothing of those of named tuples."""
    recorded = {name for name, _ in facts_of(node.info).get("decorators", ())}
    return recorded | {full_name(decorator, file.tree) for decorator in node.decorators}


def _by_call(call: CallExpr, info: TypeInfo, file: CheckedFile) -> Iterator[Registered]:
    name = full_name(call.callee, file.tree)
    if name in CLASS_REGISTRATIONS:
        yield _by_methods(info, call, CLASS_REGISTRATIONS[name], file)
    elif (taken := FUNCTION_REGISTRATIONS.get(name)) is not None:
        flatten, unflatten = (argument(call, index, key) for index, key in enumerate(taken, start=1))
        read = [_function(node, file) if node is not None else None for node in (flatten, unflatten)]
        yield Registered(info, call, read[0], read[1], with_keys="keys" in taken[0])


def _by_methods(info: TypeInfo, place: Context, keys: bool, file: CheckedFile) -> Registered:
    flatten = _method(info, FLATTEN_METHODS[keys], file, on_object=True)
    unflatten = _method(info, UNFLATTEN_METHOD, file, on_object=False)
    return Registered(info, place, flatten, unflatten, with_keys=keys)


def _function(node: Expression, file: CheckedFile) -> Function | None:
    """What is passed: a lambda, a function of the file, or a method of a class in the file."""
    if isinstance(node, LambdaExpr):
        return Function(node)
    owner = node.expr.node if isinstance(node, MemberExpr) and isinstance(node.expr, RefExpr) else None
    if isinstance(node, MemberExpr) and isinstance(owner, TypeInfo):
        return _method(owner, node.name, file, on_object=False)
    found = node.node if isinstance(node, RefExpr) else None
    return Function(found) if isinstance(found, FuncDef) and file.defines(found) else None


def _method(info: TypeInfo, name: str, file: CheckedFile, *, on_object: bool) -> Function | None:
    """A method that the file defines. `on_object`: JAX calls it on the object, and not by the class."""
    symbol = info.get(name)
    node: SymbolNode | None = symbol.node if symbol is not None else None
    binding = last_names(node) if isinstance(node, Decorator) else []
    function = node.func if isinstance(node, Decorator) else node
    owner = info.get_containing_type_info(name)
    if owner is not None and not on_object and (recorded := _elsewhere(owner, name, file)) is not None:
        return recorded
    if not file.defines(function) or len(binding) > 1 or (binding and (on_object or binding[0] not in _BINDING)):
        return None
    return Function(function, int(binding == [_CLASS_METHOD]), is_inherited=owner is not info)


def _elsewhere(owner: TypeInfo, name: str, file: CheckedFile) -> Function | None:
    recorded = recorded_method(owner, name) if owner.module_name != file.tree.fullname else None
    return Function(recorded, 1, is_inherited=True) if recorded is not None else None
