"""Finds what the trace of a function has read of the objects that it holds: what JAX has compiled in.

A function holds what it captures, what `functools.partial` binds, and the object of a bound method. An attribute that
the traced code itself assigns is state of its own. What cannot be told is left out: objects that go to unknown
functions, and what is read under a condition that is not known.
"""

from __future__ import annotations

import ast
import functools
from types import CodeType, FunctionType, MethodType
from typing import Any, Final

from jaxtyped_static._annotations.functions import call_method
from jaxtyped_static._annotations.syntax import find_definition
from jaxtyped_static._annotations.within_reach import is_compiled
from jaxtyped_static._calls.flows import has_attributes
from jaxtyped_static._calls.held_arguments import UNKNOWN_ARGUMENTS, HeldArguments, bound_arguments, root_arguments
from jaxtyped_static._calls.held_scopes import HeldMethod, HeldObjects, HeldScope, HeldValue, held_by
from jaxtyped_static._calls.held_statements import HeldStatements
from jaxtyped_static._calls.read_names import attributes_read, is_of_user
from jaxtyped_static._calls.watching import Call
from jaxtyped_static._parts.held import HeldPath, StepKind

# A program that calls more functions, or in more ways, is not followed to its end.
_MAX_FUNCTIONS: Final = 400
_MAX_DEPTH: Final = 24


def held_reads(call: Call, codes: frozenset[CodeType]) -> frozenset[HeldPath]:
    """Returns the paths from a compiled function to what its trace has read.

    Args:
        call: the call that was traced.
        codes: the code that ran meanwhile.
    """
    search = _HeldSearch(codes)
    try:
        search.call(HeldObjects((call.fun,), ()), root_arguments(call), 0)
    except Exception:  # Code of a form that nobody has thought of, or too deep.
        return frozenset()
    return frozenset(path for path in search.read if not _begins_with_any(path, search.changed))


@functools.lru_cache(maxsize=1 << 12)
def _is_source_of(node: ast.AST, code: CodeType) -> bool:
    """Returns whether code may come from this source; a file may have been edited since."""
    return has_attributes(node, code, attributes_read(code))


def _begins_with_any(path: HeldPath, others: set[HeldPath]) -> bool:
    return any(path[:length] in others for length in range(len(path) + 1))


class _HeldSearch:
    """Follows the calls of one trace; see `Following`."""

    def __init__(self, codes: frozenset[CodeType]) -> None:
        self.read: set[HeldPath] = set()
        self.changed: set[HeldPath] = set()
        self.codes = codes
        self.is_certain = True
        self._seen: set[object] = set()

    def call(self, callee: HeldValue, arguments: HeldArguments, depth: int) -> None:
        """Follows a call of what may be several functions."""
        if isinstance(callee, HeldMethod):
            for function in dict.fromkeys(callee.functions):
                self._function(function, None, arguments.behind(callee.holder), depth)
        elif callee is not None:
            for called in callee.objects:
                self._object(called, callee.path, arguments, depth)

    def _object(self, called: Any, path: HeldPath | None, arguments: HeldArguments, depth: int) -> None:
        def inner(kind: StepKind, name: Any = None) -> HeldObjects | None:
            return held_by(called, path, kind, name)

        if isinstance(called, FunctionType):
            self._function(called, path, arguments, depth)
        elif isinstance(called, MethodType):
            self.call(inner(StepKind.FUNCTION), arguments.behind(inner(StepKind.SELF)), depth + 1)
        elif isinstance(called, functools.partial):
            positional = [inner(StepKind.BOUND, index) for index in range(len(called.args))]
            by_name = {name: inner(StepKind.BOUND, name) for name in called.keywords}
            self.call(inner(StepKind.FUNCTION), arguments.behind(*positional, **by_name), depth + 1)
        elif is_compiled(called) or isinstance(called, type):
            return  # It has programs of its own.
        elif (method := call_method(called)) is not None and is_of_user(method.__code__):
            owner = inner(StepKind.SELF) if path == () else HeldObjects((called,), path)
            self._function(method, None, arguments.behind(owner), depth)
        else:
            for name, value in list(getattr(called, "__dict__", {}).items()):
                if callable(value):  # As in what `jax.custom_vjp` returns.
                    self.call(inner(StepKind.ATTRIBUTE, name), UNKNOWN_ARGUMENTS, depth + 1)

    def _function(self, function: FunctionType, path: HeldPath | None, arguments: HeldArguments, depth: int) -> None:
        code = function.__code__
        key = code, path, arguments.key, self.is_certain
        if code not in self.codes or key in self._seen or depth > _MAX_DEPTH or len(self._seen) > _MAX_FUNCTIONS:
            return
        self._seen.add(key)
        scope = HeldScope(function, path)
        if not is_of_user(code):
            self._given_to(scope, code, depth)
            return
        node = find_definition(code)
        if node is not None and _is_source_of(node, code):
            for name, value in bound_arguments(function, arguments).items():
                scope.bind(name, value)
            HeldStatements(self, scope, code, depth).function(node)

    def _given_to(self, scope: HeldScope, code: CodeType, depth: int) -> None:
        """Follows the functions that a transformation of JAX captures, because it calls them."""
        for name in code.co_freevars:
            found = scope.name(name)
            if isinstance(found, HeldObjects) and all(map(callable, found.objects)):
                self.call(found, UNKNOWN_ARGUMENTS, depth + 1)
