"""What an attribute of a value stands for."""

import ast
from typing import Final

from . import arrays
from .calls import made_field, method_of_copies
from .classes import Class
from .expressions import ABOVE
from .scopes import Given, Running
from .values import (
    A_DTYPE,
    UNKNOWN,
    ClassValue,
    Dict,
    Function,
    Leaf,
    Library,
    ModuleValue,
    Object,
    Partial,
    Reference,
    Special,
    Text,
    Value,
)

COPY: Final = "<copy>"
OF_ARRAY: Final = "<array>."
OF_REFERENCE: Final = "<reference>"
OF_DICT: Final = "<dict>."
_AT: Final = "at"
_PROPERTIES: Final = frozenset({"cached_property", "property"})
_KINDS: Final = frozenset({"abstractmethod", "classmethod", "override", "staticmethod"}) | _PROPERTIES


def attribute_of(value: Value, name: str, running: Running) -> Value:
    if name == arrays.DTYPE and isinstance(value, Special | Leaf):
        return A_DTYPE
    match value:
        case Library():
            return Library(f"{value.name}.{name}")
        case ModuleValue():
            return running.imported(f"{value.name}.{name}")
        case Object():
            return _of_object(value, name, running)
        case ClassValue():
            return _of_class(value, name, running)
        case Leaf():
            return _of_array(value, name)
        case Reference():
            return Partial(Library(OF_REFERENCE), (value.array,))
        case Dict():
            return Partial(Library(f"{OF_DICT}{name}"), (value,))
        case Partial(function=Library(name=above)) if above == ABOVE:
            return _above(value, name, running)
    return UNKNOWN


def _of_array(value: Leaf, name: str) -> Value:
    if name == _AT:
        return Reference(value)
    found = arrays.attribute(value, name)
    return found if found is not None else Partial(Library(f"{OF_ARRAY}{name}"), (value,))


def _of_object(value: Object, name: str, running: Running) -> Value:
    if name == "__dict__":
        value.fields.update(dict.fromkeys(value.fields, UNKNOWN))  # code may set any attribute by it
        return UNKNOWN
    found = value.cls.method(name)
    if name in value.fields and (found is None or name in value.cls.fields):
        return value.fields[name]
    if method_of_copies(value, name):
        return Partial(Library(COPY), (value,))
    if found is None:
        return made_field(value, name) or UNKNOWN
    return bound(found, value, value.cls, running)


def _of_class(value: ClassValue, name: str, running: Running) -> Value:
    found = value.cls.method(name)
    return bound(found, None, value.cls, running) if found is not None else UNKNOWN


def _above(value: Partial, name: str, running: Running) -> Value:
    own, cls = value.args
    if not isinstance(own, Object) or not isinstance(cls, ClassValue):
        return UNKNOWN
    lineage = own.cls.lineage
    after = lineage[lineage.index(cls.cls) + 1 :] if cls.cls in lineage else ()
    found = next((method for base in after if (method := base.method(name)) is not None), None)
    return bound(found, own, own.cls, running) if found is not None else UNKNOWN


def bound(found: tuple[Class, ast.FunctionDef | ast.expr], owner: Object | None, cls: Class, running: Running) -> Value:
    """A method of an object, or of a class."""
    holder, node = found
    if not isinstance(node, ast.FunctionDef):
        return running.value(node, holder.scope)
    kinds = {_last(decorator) for decorator in node.decorator_list}
    function = _method(holder, node, running)
    if not kinds.isdisjoint(_PROPERTIES):
        return running.call(function, Given((owner,)), node) if owner is not None else UNKNOWN
    if "staticmethod" in kinds:
        return function
    if "classmethod" in kinds:
        return Partial(function, (ClassValue(cls),))
    return Partial(function, (owner,), is_method=True) if owner is not None else function


def _method(holder: Class, node: ast.FunctionDef, running: Running) -> Value:
    if node.name not in holder.made:
        holder.made[node.name] = running.decorated(Function(node, holder.module, holder.scope, holder), holder.scope)
    return holder.made[node.name]


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_kind(decorator: ast.expr) -> bool:
    """Whether a decorator says what kind of method it is, and changes nothing else."""
    return _last(decorator) in _KINDS


def called(name: str, given: Given) -> Value | None:
    """What a method returns that a library gives to arrays, dicts and trees; None for anything else."""
    first, rest = (given.args[0] if given.args else UNKNOWN), given.args[1:]
    if name == OF_REFERENCE:
        return first
    if name.startswith(OF_DICT):
        return _of_dict(name.removeprefix(OF_DICT), first, rest, given)
    if not name.startswith(OF_ARRAY):
        return None
    last = name.removeprefix(OF_ARRAY)
    if last == "astype":
        return arrays.of_dtype(given.get(1, arrays.DTYPE) or A_DTYPE)
    if last in ("item", "tolist"):
        return first._replace(is_array=False) if isinstance(first, Leaf) and first.is_weak else UNKNOWN
    return arrays.of_numpy("ravel" if last == "flatten" else last, given)


def _of_dict(name: str, value: Value, rest: tuple[Value, ...], given: Given) -> Value:
    if not isinstance(value, Dict):
        return UNKNOWN
    if name == "copy":
        return Dict(dict(value.items))
    if name in ("get", "pop") and rest and isinstance(rest[0], Text):
        return value.items.get(rest[0].text, UNKNOWN)
    if name == "update":
        others = rest[0].items if rest and isinstance(rest[0], Dict) else None
        if rest and others is None:
            value.items.update(dict.fromkeys(value.items, UNKNOWN))
        value.items.update({**(others or {}), **given.keywords})
    return UNKNOWN
