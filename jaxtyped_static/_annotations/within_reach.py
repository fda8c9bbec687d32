"""Finds the callables that a function can reach, and their static parameters, without reading any source.

Most compiled functions can reach no marked function, and are not analysed any further.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final, TypeAlias

from jaxtyped_static._annotations.functions import call_method
from jaxtyped_static._annotations.surroundings import closure_of

# Function → its static parameters; for functions that are not compiled themselves.
StaticNames: TypeAlias = Callable[[Any], frozenset[str]]

# Wrappers around wrappers; anything deeper is not examined.
MAX_DEPTH: Final = 6
# A larger container is data, not where a wrapper keeps its functions.
MAX_ITEMS: Final = 16


def is_compiled(fun: object) -> bool:
    """Returns whether the function is compiled itself: then JAX refuses a tracer for a static parameter."""
    return hasattr(fun, "eval_shape") and hasattr(fun, "lower")


def reaches_static(fun: Any, static_names: StaticNames) -> bool:
    """Returns whether a function can reach others with static parameters, directly or through what was passed to it."""
    seen: set[int] = set()
    at_hand = list(_reachable(fun))
    for _ in range(MAX_DEPTH):
        new = [callee for callee, is_captured in at_hand if is_captured or not isinstance(callee, FunctionType)]
        if any(not is_compiled(callee) and static_names(callee) for callee, _ in at_hand):
            return True
        at_hand = [found for callee in new if id(callee) not in seen for found in _reachable(callee)]
        seen.update(map(id, new))
    return False


def _reachable(fun: Any) -> Iterator[tuple[Any, bool]]:
    """Yields the callables that a function may call, and whether they were passed to it."""
    if isinstance(fun, partial):
        yield from _callables_in((fun.func, *fun.args, *fun.keywords.values()))
    elif isinstance(fun, MethodType):
        yield fun.__func__, True
        yield from _callables_in(getattr(fun.__self__, "__dict__", {}))
    elif isinstance(fun, FunctionType):
        yield from _named_in(fun)
        yield from _callables_in((*(fun.__defaults__ or ()), *(fun.__kwdefaults__ or {}).values()))
    elif (method := call_method(fun)) is not None:
        yield method, True
        yield from _callables_in(getattr(fun, "__dict__", {}))


def _named_in(fun: FunctionType) -> Iterator[tuple[Any, bool]]:
    names = frozenset(_names_in(fun.__code__))
    captured = closure_of(fun)
    yield from _callables_in(captured, limit=None)
    in_module = {name: fun.__globals__[name] for name in names if name in fun.__globals__}
    for holder in (*captured.values(), *in_module.values()):
        if isinstance(holder, ModuleType) and not _is_of_jax(holder.__name__):
            yield from _in_module(vars(holder)[name] for name in names & vars(holder).keys())
        elif not isinstance(holder, ModuleType | type | FunctionType) and hasattr(holder, "__dict__"):
            yield from _callables_in(holder.__dict__)
    yield from _in_module(in_module.values())


def _in_module(values: Iterable[Any]) -> Iterator[tuple[Any, bool]]:
    return ((fun, False) for fun, _ in _callables_in(tuple(values), limit=None))


def _names_in(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names_in(constant)


def _callables_in(values: Any, limit: int | None = MAX_ITEMS) -> Iterator[tuple[Any, bool]]:
    """Yields the callables among some values, and in small containers among them."""
    if isinstance(values, dict):
        values = values.values()
    for value in islice(values, limit):
        if isinstance(value, dict | list | tuple):
            yield from ((item, True) for item in islice(_items(value), MAX_ITEMS) if _is_function(item))
        elif _is_function(value):
            yield value, True


def _items(container: Any) -> Iterable[Any]:
    return container.values() if isinstance(container, dict) else container


def _is_function(value: Any) -> bool:
    if isinstance(value, FunctionType | MethodType | partial):
        return not _is_of_jax(getattr(value, "__module__", None))
    return callable(value) and call_method(value) is not None


def _is_of_jax(module: object) -> bool:
    return isinstance(module, str) and module.partition(".")[0] == "jax"
