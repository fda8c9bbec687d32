"""Tells whether the program holds an object for good: in a module, in its classes, or in a memoised factory's cache.

This is asked about a callable that would otherwise be refused. The search starts from the names of modules, the
callers' first, so the size of the heap and the state of the garbage collector make no difference. Findings are
remembered.
"""

from __future__ import annotations

import functools
import gc
import sys
import weakref
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterable, Iterator
from itertools import filterfalse, repeat
from operator import is_
from types import FrameType, MappingProxyType, ModuleType, SimpleNamespace
from typing import Any, Final

from jaxtyped_static._attributes.fields import package_of
from jaxtyped_static._singletons.installed import folders

LOCAL: Final = "<locals>"
# From a module's name to the object: a table, a tuple of functions such as an optimiser, an object that holds it.
_MAX_STEPS: Final = 4
# Users hardly ever pass what a library holds deeper inside, and there are many libraries.
_MAX_STEPS_IN_LIBRARIES: Final = 2
_LIBRARIES: Final = ("stdlib", "platstdlib", "purelib", "platlib")
# A larger table is data.
_MAX_LENGTH: Final = 10_000
_CONTAINERS: Final = frozenset({dict, list, tuple, set, frozenset, OrderedDict, defaultdict, deque})
_HOLDERS: Final = frozenset(
    {
        *(*_CONTAINERS, MappingProxyType, SimpleNamespace, staticmethod, classmethod, property),
        *(functools.partial, functools.cached_property, type(functools.cache(len))),
    }
)
# Other objects of these packages are not searched.
_CLOSED_PACKAGES: Final = sys.stdlib_module_names | {"jax", "jaxlib", "numpy"}

_found: Final[weakref.WeakValueDictionary[int, Any]] = weakref.WeakValueDictionary()


def is_held_permanently(value: Any) -> bool:
    """Returns whether a module-level name or `functools.cache` leads to this very object."""
    if _found.get(id(value)) is value:
        return True
    modules = [module for module in list(sys.modules.values()) if issubclass(type(module), ModuleType)]
    own = filterfalse(_is_library, modules)
    searches = ((_callers(sys._getframe(1)), _MAX_STEPS), (own, _MAX_STEPS), (modules, _MAX_STEPS_IN_LIBRARIES))
    most = 1 if isinstance(value, type) else _MAX_STEPS
    held = any(_leads_to(value, where, min(steps, most)) for where, steps in searches)
    if held and type(value).__weakrefoffset__:
        _found[id(value)] = value
    return held


def _callers(frame: FrameType | None) -> Iterator[ModuleType]:
    while frame is not None:
        module = sys.modules.get(str(frame.f_globals.get("__name__")))
        if isinstance(module, ModuleType) and vars(module) is frame.f_globals:
            yield module
        frame = frame.f_back


def _is_library(module: ModuleType) -> bool:
    """Returns whether it is installed, or built into Python."""
    file = vars(module).get("__file__")  # Not by attribute, which would import a lazy module.
    return (file is None and vars(module).get("__name__") != "__main__") or str(file).startswith(folders(*_LIBRARIES))


def _leads_to(value: Any, modules: Iterable[ModuleType], steps: int) -> bool:
    """Returns whether an object can be reached from the names of modules, through what each object holds."""
    namespaces: list[Any] = list({id(module): vars(module) for module in modules}.values())
    seen = set(map(id, namespaces))
    frontier = [*namespaces, *map(_attributes, _classes_in(namespaces))]
    for _ in range(steps):
        held = gc.get_referents(*frontier)
        if any(map(is_, held, repeat(value))):
            return True
        opened = set(filter(_is_opened, set(map(type, held))))
        fresh = {id(holder): holder for holder in held if type(holder) in opened and not _is_data(holder)}
        frontier = [holder for number, holder in fresh.items() if number not in seen]
        seen.update(fresh)
    return False


def _classes_in(namespaces: Iterable[dict[str, Any]]) -> Iterator[type]:
    """Yields the classes that modules define, and those nested in them."""
    for namespace in namespaces:
        yield from _defined_among(namespace.values(), namespace.get("__name__"), "")


def _defined_among(values: Iterable[Any], module: str | None, prefix: str) -> Iterator[type]:
    for value in list(values):
        if not issubclass(type(value), type) or value.__module__ != module:  # Not `isinstance`, which asks proxies.
            continue
        if value.__qualname__.startswith(prefix) and LOCAL not in value.__qualname__:
            yield value
            yield from _defined_among(vars(value).values(), module, f"{value.__qualname__}.")


def _attributes(cls: type) -> list[Any]:
    return list(vars(cls).values())


def _is_opened(cls: type) -> bool:
    """Returns whether to search the objects of a class."""
    if cls in _HOLDERS:
        return True
    return not issubclass(cls, type) and package_of(cls) not in _CLOSED_PACKAGES


def _is_data(holder: Any) -> bool:
    return type(holder) in _CONTAINERS and len(holder) > _MAX_LENGTH
