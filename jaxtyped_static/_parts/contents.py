"""What an object of any kind consists of, contract or not: attributes, items, captured variables."""

from __future__ import annotations

import dis
import enum
import functools
import re
import sys
import weakref
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import CodeType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any, Final, TypeAlias

import jax
import numpy as np

from jaxtyped_static._attributes.attributes import Part, attribute_parts, attributes_of
from jaxtyped_static._attributes.fields import package_of
from jaxtyped_static._class_contract.hashing import is_hashed_by_identity
from jaxtyped_static._kinds import is_static
from jaxtyped_static._parts.coarse_equality import tree_parts
from jaxtyped_static._parts.parts_in_c import array_parts, object_parts

# Objects of the standard library and of JAX are not looked into: their state does not configure a program.
_OPAQUE_PACKAGES: Final = sys.stdlib_module_names | {"jax", "jaxlib", "numpy", "ml_dtypes"}
# Nor are weak tables, whose contents others keep alive.
WEAK: Final = (weakref.WeakValueDictionary, weakref.WeakKeyDictionary, weakref.WeakSet)
_OPAQUE: Final = (type, ModuleType, *WEAK, np.ndarray, np.generic, np.dtype, jax.Array, jax.core.Tracer)
_Provider: TypeAlias = Callable[[Any], Iterable[Part] | None]
# Names of an enum's own attributes.
_RESERVED: Final = re.compile(r"_.*_")
_TEXT: Final = frozenset({int, bool, float, complex, str, bytes, type(None)})


def parts_of(value: Any) -> list[Part] | None:
    """Returns the parts of an object, each with the step that leads to it; None if it is not to be looked into."""
    provider = _provider(value)
    if provider is None:
        return None
    try:
        parts = provider(value)
        return None if parts is None else list(parts)
    except Exception:  # Foreign code, called in a way it did not expect.
        return None


class ById:
    """Stands for a part that is known by its identity, and is not to be looked into."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def _provider(value: Any) -> _Provider | None:
    if isinstance(value, np.ndarray | np.void):
        return array_parts
    if isinstance(value, _OPAQUE):
        return None
    for cls, parts in _BY_CLASS:
        if isinstance(value, cls):
            return parts
    return None if package_of(type(value)) in _OPAQUE_PACKAGES else object_parts


def _items(value: Mapping[Any, Any]) -> Iterator[Part]:
    yield from _own_attributes(value)
    if isinstance(value, defaultdict):
        yield ".default_factory", value.default_factory
    named: set[str] = set()
    for key, item in list(value.items()):
        name = _name_of_key(key)
        while name in named:  # Keys of the same hash.
            name += "'"
        named.add(name)
        yield f"[{name}]", item
        if _has_details(key):
            yield f"[{name}].<key>", key


def _is_text(key: Any) -> bool:
    return type(key) in _TEXT or (type(key) is tuple and all(type(part) in _TEXT for part in key))


def _name_of_key(key: Any) -> str:
    """Returns a name that an equal key has, too."""
    if _is_text(key):
        return repr(key)
    name = key.name if isinstance(key, enum.Enum) else getattr(key, "__qualname__", type(key).__qualname__)
    return f"{name} at {id(key):#x}" if _is_named_by_identity(key) else f"{name} #{hash(key) & 0xFFFFFFFF:x}"


def _is_named_by_identity(key: Any) -> bool:
    """Returns whether no other object is equal to a key."""
    return isinstance(key, (enum.Enum, type, FunctionType)) or is_hashed_by_identity(type(key))


def _elements(value: Iterable[Any]) -> Iterator[Part]:
    yield from _own_attributes(value)
    if isinstance(value, deque) and value.maxlen is not None:
        yield ".maxlen", value.maxlen
    names = getattr(type(value), "_fields", ())
    for index, item in enumerate(list(value)):
        yield f".{names[index]}" if index < len(names) else f"[{index}]", item


def _of_set(value: set[Any] | frozenset[Any]) -> Iterator[Part]:
    """Yields the elements that may differ from what they are equal to, if their hashes tell them apart."""
    yield from _own_attributes(value)
    named: dict[str, list[Any]] = {}
    for element in list(value):
        if _has_details(element):
            named.setdefault(_name_of_key(element), []).append(element)
    yield from ((f"[{name}]", elements[0]) for name, elements in named.items() if len(elements) == 1)


def _has_details(key: Any) -> bool:
    """Returns whether a key or an element is more than its name tells."""
    return _has_own_contents(key) or not (_is_text(key) or _is_named_by_identity(key))


def _has_own_contents(value: Any) -> bool:
    return is_hashed_by_identity(type(value)) and not isinstance(value, enum.Enum) and _provider(value) is object_parts


def _own_attributes(value: Any) -> Iterator[Part]:
    """Yields the attributes of an object of a container's subclass."""
    return attribute_parts(value) if hasattr(value, "__dict__") else iter(())


def member_parts(value: enum.Enum) -> Iterator[Part]:
    """Returns a member's value, and what else its class has set."""
    yield ".value", value._value_
    for name, item in attributes_of(value):
        if not _RESERVED.fullmatch(name):
            yield f".{name}", item


def _of_function(value: FunctionType) -> Iterator[Part]:
    code = value.__code__
    names = code.co_varnames[: code.co_argcount]
    defaults = value.__defaults__ or ()
    for name, default in zip(names[len(names) - len(defaults) :], defaults, strict=True):
        yield f".<default {name}>", default
    for name, default in (value.__kwdefaults__ or {}).items():
        yield f".<default {name}>", default
    for name, captured in captured_by(value):
        yield f".<captured {name}>", captured if is_constant(captured) else ById(captured)


def captured_by(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yields what a function captures, by variable, without its own counters and variables that are not bound yet."""
    code = function.__code__
    own_state = assigned_cells(code)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        if name in own_state:
            continue
        try:
            captured = cell.cell_contents
        except ValueError:
            continue
        yield name, captured


def is_constant(captured: Any) -> bool:
    """Returns whether it is a constant, not a counter or table in which decorators keep state."""
    if isinstance(captured, (FunctionType, functools.partial, tuple, enum.Enum, *_OPAQUE)) or type(captured) in _TEXT:
        return True
    parameters = getattr(type(captured), "__dataclass_params__", None)
    return (parameters is not None and parameters.frozen) or is_static(type(captured))


@functools.lru_cache(maxsize=4096)
def assigned_cells(code: CodeType) -> frozenset[str]:
    """Returns the captured variables that the function itself sets: its own counter or cache."""
    own = {
        instruction.argval for instruction in dis.get_instructions(code) if instruction.opname.endswith("STORE_DEREF")
    }
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return frozenset(own).union(*map(assigned_cells, inner)) & frozenset(code.co_freevars)


def _of_method(value: MethodType) -> Iterator[Part]:
    return iter(((".__self__", value.__self__), (".__func__", value.__func__)))


def _of_partial(value: functools.partial[Any]) -> Iterator[Part]:
    return iter(((".func", value.func), (".args", value.args), (".keywords", value.keywords)))


_BY_CLASS: Final[tuple[tuple[type | tuple[type, ...], _Provider], ...]] = (
    (enum.Enum, member_parts),
    (FunctionType, _of_function),
    (MethodType, _of_method),
    (functools.partial, _of_partial),
    (SimpleNamespace, attribute_parts),
    (Mapping, _items),
    ((list, tuple, deque), _elements),
    ((set, frozenset), _of_set),
    (jax.tree_util.PyTreeDef, tree_parts),
)
