"""Reads which methods of a class are cached, what computes their results, and which the constructors fill."""

from collections.abc import Iterator
from typing import Any, Final, TypedDict

from mypy.nodes import (
    CallExpr,
    DictionaryComprehension,
    FuncDef,
    GeneratorExpr,
    ListComprehension,
    MemberExpr,
    NameExpr,
    ReturnStmt,
    WithStmt,
)
from mypy.plugin import SemanticAnalyzerPluginInterface

from ..compat.resolution import resolve_name
from ..knowledge import naming
from ..knowledge.full_names import CACHED_PROPERTY, CACHES, JAX, NUMPY
from ..knowledge.function_rows import Result
from ..knowledge.jax_functions import jax_function
from ..syntax.assignments import targets_of
from ..syntax.decorators import decorator_name
from ..syntax.names import dotted_name, is_named
from ..syntax.stand_ins import is_text
from ..syntax.trees import nodes_below, statements
from .class_body import ClassBody, self_name
from .method_facts import MAKING

_AT_ONCE: Final = "ensure_compile_time_eval"
_GOING_THROUGH: Final = frozenset({"enumerate", "iter", "list", "reversed", "sorted", "tuple", "zip"})


class CacheFacts(TypedDict, total=False):
    """Facts of cached methods."""

    # Method -> full name of the decorator, whether jax visibly makes the result, and which of JAX and NumPy it calls.
    caches: dict[str, list[Any]]
    never_traced: list[str]  # of these, those that compute below `jax.ensure_compile_time_eval()`
    filled_when_made: list[str]  # the cached properties that a constructor reads on the new object
    gathered: list[str]  # those that put objects into a container which exist already: `{link.name: link for ...}`
    calculated_from: dict[str, list[str]]  # cached method -> all that it calculates with, if attributes of the object


def read_caches(body: ClassBody, api: SemanticAnalyzerPluginInterface) -> CacheFacts:
    caches = dict(_caches(body, api))
    never_traced = [name for name in caches if _is_never_traced(body.decorated[name].func)]
    properties = {name for name, (cache, *_) in caches.items() if cache == CACHED_PROPERTY}
    filled = sorted(properties & _read_when_made(body)) if properties else []
    found = {name: _calculated_from(body.decorated[name].func) for name, (*_, by) in caches.items() if not by}
    return {
        "caches": caches,
        "never_traced": never_traced,
        "filled_when_made": filled,
        "gathered": [name for name in caches if _gathers(body.decorated[name].func)],
        "calculated_from": {name: attributes for name, attributes in found.items() if attributes},
    }


def _caches(body: ClassBody, api: SemanticAnalyzerPluginInterface) -> Iterator[tuple[str, list[Any]]]:
    for node in body.decorated.values():
        for decorator in node.original_decorators:
            written = decorator_name(decorator)
            name = resolve_name(api, written, node) if written is not None and "cache" in written else None
            if name in CACHES:
                returns_jax = node.func.unanalyzed_type is None and _returns_jax(node.func, api)
                yield node.name, [name, returns_jax, _computed_by(node.func, api)]


def _returns_jax(function: FuncDef, api: SemanticAnalyzerPluginInterface) -> bool:
    body = statements(function.body.body, into_definitions=False)
    returned = (node.expr for node in body if isinstance(node, ReturnStmt))
    called = (dotted_name(expression.callee) for expression in returned if isinstance(expression, CallExpr))
    return any(_makes_arrays(resolve_name(api, name, function) or "") for name in called if name is not None)


def _makes_arrays(function: str) -> bool:
    """Not a compiled function, a `ShapeDtypeStruct` or a sharding, nor what `jax.eval_shape` returns."""
    if not function.startswith(JAX) or naming.is_class(function) or naming.compiles(function):
        return False
    return jax_function(function).result is not Result.CONCRETE


def _computed_by(function: FuncDef, api: SemanticAnalyzerPluginInterface) -> str:
    """Which of JAX and NumPy a function calls: the start of full names; JAX if it calls both, empty for none."""
    calls = (node for node in nodes_below(function.body) if isinstance(node, CallExpr))
    written = {name for call in calls if (name := dotted_name(call.callee)) is not None}
    called = [resolve_name(api, name, function) or "" for name in sorted(written) if not naming.is_class(name)]
    return next((package for package in (JAX, NUMPY) if any(name.startswith(package) for name in called)), "")


def _calculated_from(function: FuncDef) -> list[str]:
    """The attributes of the object, if a function calls nothing and takes no other value from outside."""
    nodes, own = nodes_below(function.body), self_name(function)
    read = {node.expr: node.name for node in nodes if isinstance(node, MemberExpr) and is_named(node.expr, own)}
    bound = {target.name for node in nodes for target in targets_of(node) if isinstance(target, NameExpr)}
    names = (node for node in nodes if isinstance(node, NameExpr) and node not in read)
    is_closed = all(name.name in bound for name in names) and not any(isinstance(node, CallExpr) for node in nodes)
    return sorted({*read.values()}) if is_closed else []


def _gathers(function: FuncDef) -> bool:
    """Whether a function does nothing but to put objects into a dict or list that are there: it makes none."""
    *before, last = function.body.body
    if not isinstance(last, ReturnStmt) or not all(map(is_text, before)):
        return False
    match last.expr:
        case DictionaryComprehension(value=held) as made:
            pass
        case ListComprehension(generator=GeneratorExpr(left_expr=held) as made):
            pass
        case _:
            return False
    bound = {part.name for index in made.indices for part in nodes_below(index) if isinstance(part, NameExpr)}
    calls = (part.callee for one in made.sequences for part in nodes_below(one) if isinstance(part, CallExpr))
    is_there = isinstance(held, NameExpr) and held.name in bound
    return is_there and all(isinstance(callee, NameExpr) and callee.name in _GOING_THROUGH for callee in calls)


def _is_never_traced(function: FuncDef) -> bool:
    """Whether a function computes what it returns at once, even in a trace."""
    managers = (node.expr for node in statements(function.body.body) if isinstance(node, WithStmt))
    made = (manager.callee for several in managers for manager in several if isinstance(manager, CallExpr))
    return any((dotted_name(callee) or "").rpartition(".")[2] == _AT_ONCE for callee in made)


def _read_when_made(body: ClassBody) -> set[str]:
    """The attributes of the new object that constructors mention."""
    makers = [function for name, function in body.methods.items() if name in MAKING]
    return {
        node.name
        for function in makers
        for node in nodes_below(function.body)
        if isinstance(node, MemberExpr) and is_named(node.expr, self_name(function))
    }
