"""What a compiled function holds, by the steps that lead there from it. No code of a class runs."""

from __future__ import annotations

import enum
import functools
import inspect
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from types import FunctionType, MemberDescriptorType, MethodType, ModuleType, SimpleNamespace
from typing import Any, Final, NamedTuple, TypeAlias

import jax
import numpy as np

# Stands for what is not there, or cannot be told without running code.
NOTHING: Final = object()
_CONTAINERS: Final = frozenset({list, tuple, dict, OrderedDict, defaultdict})
# How Python reads attributes; other classes may compute them.
_GETATTRIBUTES: Final[tuple[Any, ...]] = tuple(
    cls.__getattribute__ for cls in (object, type, ModuleType, SimpleNamespace)
)
_ABSENT: Final = object()
# A longer list is data, and takes long to compare.
_MAX_ITEMS: Final = 1024
# What a program may read of an array without its elements.
_OF_ARRAYS: Final = frozenset({"shape", "dtype", "ndim", "size", "nbytes", "itemsize"})


class StepKind(enum.Enum):
    """How one object leads to the next."""

    CAPTURED = enum.auto()
    BOUND = enum.auto()
    SELF = enum.auto()
    FUNCTION = enum.auto()
    ATTRIBUTE = enum.auto()
    METHOD = enum.auto()
    ITEM = enum.auto()
    EACH = enum.auto()


class Step(NamedTuple):
    """One step; `name` is a variable, an attribute, an index or a key."""

    kind: StepKind
    name: Any = None


HeldPath: TypeAlias = tuple[Step, ...]


def step_into(value: Any, step: Step) -> Any:
    """Returns what a step leads to; `NOTHING` if that is not there, or cannot be told. (`EACH` leads to several.)"""
    if value is NOTHING:
        return NOTHING
    try:
        match step.kind:
            case StepKind.CAPTURED:
                return value.__closure__[value.__code__.co_freevars.index(step.name)].cell_contents
            case StepKind.BOUND:
                return value.keywords[step.name] if isinstance(step.name, str) else value.args[step.name]
            case StepKind.SELF:
                return value.__self__ if isinstance(value, MethodType) else value
            case StepKind.FUNCTION:
                return value.func if isinstance(value, functools.partial) else value.__func__
            case StepKind.ATTRIBUTE:
                return attribute_in(value, step.name)
            case StepKind.METHOD:
                return method_in(value, step.name) or NOTHING
            case StepKind.ITEM:
                return value[step.name] if type(value) in _CONTAINERS and _has(value, step.name) else NOTHING
            case StepKind.EACH:
                return NOTHING
    except Exception:  # An empty cell, or an object of another kind than before.
        return NOTHING


def _has(container: Any, key: Any) -> bool:
    """Returns whether an item is there: asking a `defaultdict` for one that is not would add it."""
    return not isinstance(container, dict) or key in container


def elements_of(value: Any) -> list[tuple[Any, Any]] | None:
    """Returns the items of a container with their index or key; None if it is of another class, or long."""
    if type(value) not in _CONTAINERS or len(value) > _MAX_ITEMS:
        return None
    return list(value.items()) if isinstance(value, dict) else list(enumerate(value))


def attribute_in(value: Any, name: str) -> Any:
    """Returns an attribute that is plainly stored, in the object or its class, or an array's type; else `NOTHING`."""
    cls = type(value)
    if name in _OF_ARRAYS and isinstance(value, np.ndarray | jax.Array):
        return getattr(value, name)
    if cls.__getattribute__ not in _GETATTRIBUTES:
        return NOTHING
    found = _in_bases(value if isinstance(value, type) else cls, name)
    if isinstance(found, MemberDescriptorType):
        return found.__get__(value, cls)
    if isinstance(found, functools.cached_property) or inspect.isdatadescriptor(found):
        return NOTHING
    own = {} if isinstance(value, type) else own_attributes(value)
    if name in own:
        return own[name]
    return NOTHING if found is _ABSENT or hasattr(type(found), "__get__") else found


def method_in(value: Any, name: str) -> FunctionType | None:
    """Returns the function of the class that the method of an object runs."""
    cls = type(value)
    if cls.__getattribute__ not in _GETATTRIBUTES or name in own_attributes(value):
        return None
    found = _in_bases(cls, name)
    return found if isinstance(found, FunctionType) else None


def super_method_in(value: Any, owner: Any, name: str) -> FunctionType | None:
    """Returns the function that `super().name` runs in a method of the class `owner`."""
    bases = type(value).__mro__
    behind = bases[bases.index(owner) + 1 :] if owner in bases else ()
    found = next((base.__dict__[name] for base in behind if name in base.__dict__), None)
    return found if isinstance(found, FunctionType) else None


def getter_in(value: Any, name: str) -> FunctionType | None:
    """Returns the function of the class that a property runs."""
    found = _in_bases(type(value), name) if not isinstance(value, jax.Array) else None
    return found.fget if isinstance(found, property) and isinstance(found.fget, FunctionType) else None


def static_method_in(value: Any, name: str) -> FunctionType | None:
    """Returns the function that a static method runs, of an object or a class."""
    found = _in_bases(value if isinstance(value, type) else type(value), name)
    found = found.__func__ if isinstance(found, staticmethod) else None
    return found if isinstance(found, FunctionType) else None


def own_attributes(value: Any) -> dict[str, Any]:
    """Returns the attributes that are stored in an object itself."""
    try:
        own: dict[str, Any] = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return own


def _in_bases(cls: type, name: str) -> Any:
    return next((base.__dict__[name] for base in cls.__mro__ if name in base.__dict__), _ABSENT)


class HeldTree:
    """The paths that a program reads, as a tree.

    Attributes:
        children: the next steps.
        is_read: whether what is here is read itself.
        has_all: whether all items of what is here are read.
    """

    __slots__ = ("children", "has_all", "is_read")

    def __init__(self) -> None:
        self.children: dict[Step, HeldTree] = {}
        self.is_read = self.has_all = False

    def add(self, path: HeldPath) -> None:
        """Adds one path."""
        tree = self
        for step in path:
            tree.has_all |= step.kind is StepKind.EACH
            tree = tree.children.setdefault(step, HeldTree())
        tree.is_read = True


class Holding:
    """What the programs of a compiled function read of what it holds.

    Attributes:
        function: refers to the function, weakly.
        paths: the paths that are read.
        tree: the same.
    """

    __slots__ = ("function", "paths", "tree")

    def __init__(self, function: Callable[[], Any], paths: frozenset[HeldPath]) -> None:
        self.function = function
        self.paths = paths
        self.tree = HeldTree()
        for path in paths:
            self.tree.add(path)

    def roots(self) -> Iterator[tuple[str, ChosenPart]]:
        """Yields the variables that the function captured or got bound, as they are now, each with its name."""
        return _roots(self.function(), self.tree)


class ChosenPart(NamedTuple):
    """A part of what a function holds, of which only some parts count."""

    value: Any
    tree: HeldTree


_TO_ROOTS: Final = frozenset({StepKind.CAPTURED, StepKind.BOUND, StepKind.SELF, StepKind.FUNCTION})


def _roots(function: Any, tree: HeldTree) -> Iterator[tuple[str, ChosenPart]]:
    """Yields the same, and those of functions that it holds."""
    for step, child in tree.children.items():
        if step.kind in _TO_ROOTS:
            value = step_into(function, step)
            yield _root_name(step), ChosenPart(value, child)
            yield from _roots(value, child)


def _root_name(step: Step) -> str:
    if step.kind is StepKind.BOUND:
        return step.name if isinstance(step.name, str) else f"args[{step.name}]"
    return step.name if step.kind is StepKind.CAPTURED else "self"


def chosen_parts(part: ChosenPart) -> Iterator[tuple[str, ChosenPart]]:
    """Yields the parts that count of a part."""
    for step, child in part.tree.children.items():
        match step.kind:
            case StepKind.EACH:
                elements = elements_of(part.value) or ()
                yield from ((f"[{key!r}]", ChosenPart(element, child)) for key, element in elements if _is_plain(key))
            case StepKind.ATTRIBUTE | StepKind.METHOD:
                yield f".{step.name}", ChosenPart(step_into(part.value, step), child)
            case StepKind.ITEM:
                yield f"[{step.name!r}]", ChosenPart(step_into(part.value, step), child)
            case _:
                pass  # These are roots.


def _is_plain(key: Any) -> bool:
    return type(key) in (int, str)
