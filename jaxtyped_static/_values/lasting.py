"""Whether the program holds an object for good: in a module, in a class of one, or in the cache of a memoised factory.

Asked of a callable that is about to be refused. It looks at every object there is, so what it finds is remembered.
"""

from __future__ import annotations

import functools
import gc
import sys
import weakref
from types import FrameType, ModuleType
from typing import Any, Final

LOCAL: Final = "<locals>"
# Between a module's name and the object: a table, a tuple of functions such as an optimiser, an object that holds it.
_MAX_STEPS: Final = 4
_MAX_HOLDERS: Final = 64
_CACHE: Final = type(functools.cache(len))
# What holds an object for a while only, lists of this module among them.
_PASSING: Final = (FrameType, list, type, ModuleType)

_found: Final[weakref.WeakValueDictionary[int, Any]] = weakref.WeakValueDictionary()


def is_held_for_good(value: Any) -> bool:
    """Whether a module-level name or `functools.cache` leads to the very object."""
    if _found.get(id(value)) is value:
        return True
    held = _leads_to(value, steps=1 if isinstance(value, type) else _MAX_STEPS)
    if held and type(value).__weakrefoffset__:
        _found[id(value)] = value
    return held


def _leads_to(value: Any, steps: int) -> bool:
    frontier: list[Any] = [value]
    seen = {id(value)}
    for _ in range(steps):
        holders = gc.get_referrers(*frontier)
        if any(map(_is_for_good, holders)):
            return True
        frontier = [each for each in holders if not isinstance(each, _PASSING) and id(each) not in seen][:_MAX_HOLDERS]
        seen.update(map(id, frontier))
    return False


def _is_for_good(holder: Any) -> bool:
    if isinstance(holder, type):
        return LOCAL not in holder.__qualname__
    return isinstance(holder, _CACHE) or (isinstance(holder, dict) and _is_namespace(holder))


def _is_namespace(table: dict[Any, Any]) -> bool:
    """Whether a dictionary is that of an imported module."""
    name = table.get("__name__")
    module = sys.modules.get(name) if isinstance(name, str) else None
    return module is not None and vars(module) is table
