"""Finds state that a compiled function keeps, though a later call would find another value.

Only a run through code of the file counts as evidence: a call, a change, and another call, in the module, in a
function, and in what these call; or a loop around a call and a change; or a function that is run again.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, FuncDef, FuncItem, Node, Var

from ...knowledge import naming
from ...reach.roots import Root, find_roots
from ...source.bindings import bindings_of
from ...source.checked_file import CheckedFile, once_per_file
from ...source.nested_functions import Functions
from ...syntax.trees import nodes_below
from .events import Events, bodies, calls_of, events_of
from .reads import Read, reads_of
from .repeated import is_searched_over
from .replay import Replay, TooMuch
from .values import constant
from .written import writes_to

_INITIAL: Final = "initial"
TRACING_ARGUMENTS: Final = frozenset({None, "jit", "pmap"})


class KeptState(NamedTuple):
    """State that a compiled function keeps: where it reads it, and the statement that gives it another value."""

    read: Read
    written: str
    changed: Node
    root: Root


def kept_state(functions: Functions) -> Iterator[KeptState]:
    """That of an outermost function and those nested in it, once for each part."""
    file = functions.file
    if empties_caches(file):
        return
    for function, root in find_roots(functions).items():
        calls = calls_of(function, file) if root.is_compiled else frozenset[CallExpr]()
        inside = frozenset(nodes_below(function.body)) if calls else frozenset[Node]()
        for read in reads_of(function, functions) if calls else ():
            writes = [each for each in writes_to(read.slot, file) if each.statement not in inside]
            changed = _changed(read, root, events_of(function, calls, writes, file), functions) if writes else None
            if changed is not None:
                yield KeptState(read, read.slot.written, changed, root)


@once_per_file
def empties_caches(file: CheckedFile) -> bool:
    """Whether a file drops what JAX has compiled."""
    return any(naming.empties_cache(name) for name in file.uses_by_name)


def _changed(read: Read, root: Root, events: Events, functions: Functions) -> Node | None:
    """The statement that gives the state another value between two calls."""
    file, owner = functions.file, functions.owners.get(read.slot.root)
    is_by_value = root.transformation not in TRACING_ARGUMENTS  # each number of an argument is part of the key
    keys = None if is_by_value else frozenset(variable.name for variable in root.static)
    for body in bodies(events, root.function, file):
        if owner is not None and body is not owner:
            continue
        replay = Replay(read.slot, events, root.function, keys, file)
        try:
            left = replay.run(body.body.body if body is not None else file.tree.defs, _initial(read, body, file))
            if isinstance(body, FuncDef) and replay.stale is None and is_searched_over(body, file):
                replay.run_again(body, left)
        except TooMuch:
            continue
        if replay.stale is not None:
            return replay.stale
    return None


def _initial(read: Read, body: FuncItem | None, file: CheckedFile) -> str:
    """What a variable of the module holds when a function begins, if that is a constant."""
    if body is None or read.slot.path or not isinstance(read.slot.root, Var):
        return _INITIAL
    first = next((binding.value for binding in bindings_of(read.slot.root, file)), None)
    return (constant(first) if first is not None else None) or _INITIAL
