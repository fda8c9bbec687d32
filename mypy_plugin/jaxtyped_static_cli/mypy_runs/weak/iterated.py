"""What each pass of a loop gets, as far as weak types go."""

import ast
from collections.abc import Callable, Mapping
from typing import Any, Final

from jaxtyped_static_mypy.knowledge.members import HANDING_ON_ITEMS, PROGRESS_BARS, RANGES

from .scopes import Running, Scope
from .values import UNKNOWN, Kind, Leaf, Tuple, Value, joined, number

_COUNTED: Final = number(Kind.INTEGER)
_HANDING_ON: Final = PROGRESS_BARS | {name.rpartition(".")[2] for name in HANDING_ON_ITEMS}


def passed(node: ast.expr, scope: Scope, running: Running) -> Value:
    """One of the items of what a loop goes over."""
    called = node.func if isinstance(node, ast.Call) else None
    name = called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
    read = _OF_CALLS.get(name)
    if not isinstance(node, ast.Call) or read is None or any(isinstance(one, ast.Starred) for one in node.args):
        return _item(running.value(node, scope))
    return read([passed(one, scope, running) for one in node.args])


def _item(items: Value) -> Value:
    """An array has arrays for items."""
    if isinstance(items, Leaf):
        return items if items.is_array else UNKNOWN
    if not isinstance(items, Tuple) or not items.items:
        return UNKNOWN
    found = items.items[0]
    for item in items.items[1:]:
        found = joined(found, item)
    return found


def _first(items: list[Value]) -> Value:
    return items[0] if items else UNKNOWN


# By what they are called in all packages: what a pass gets, of the items of the arguments.
_OF_CALLS: Final[Mapping[str, Callable[[list[Any]], Value]]] = {
    **dict.fromkeys(_HANDING_ON, _first),
    **dict.fromkeys(RANGES, lambda _: _COUNTED),
    "enumerate": lambda items: Tuple((_COUNTED, _first(items))),
    "zip": lambda items: Tuple(tuple(items)),
}
