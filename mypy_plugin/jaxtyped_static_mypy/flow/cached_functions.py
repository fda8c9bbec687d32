"""Functions behind `functools.cache` that traced code calls, and that keep one of its tracers by what they return."""

from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from mypy.nodes import ClassDef, Decorator, Expression, FuncItem, MemberExpr, NameExpr

from ..classes.caches import decorator_of
from ..reach.host_runs import runs_on_host
from ..reach.roots import Root, find_roots, host_functions, roots_around
from ..source.checked_file import CheckedFile, once_per_file
from ..source.nested_functions import Functions, adopt
from .changes.caches import adopt_leading, leading_to
from .changes.leaks import Leaks, is_computed_at_once
from .traced.objects import class_of


class FilledCache(NamedTuple):
    """A function of the file whose cache a trace fills with a tracer."""

    name: str
    decorator: Expression


def filled_by(functions: Functions) -> Iterator[FilledCache]:
    """Those that an outermost function calls, or one nested in it, by itself or through functions of the file."""
    cached = _cached(functions.file)
    roots = find_roots(functions) if cached else {}
    if not roots:
        return
    host = host_functions(functions)
    adopt_leading(functions, roots, host, leading_to(functions.file, frozenset(cached)))
    for inner in list(functions.parents):
        staged = [root for root in roots_around(inner, functions, roots, host) if root.stages]
        for node in list(functions.nodes[inner]) if staged else ():
            found = cached.get(node.name) if isinstance(node, (NameExpr, MemberExpr)) else None
            if found is None or not isinstance(node, (NameExpr, MemberExpr)):
                continue
            if _names(node, found, functions) and _is_filled(node, found, inner, staged, functions):
                decorator = decorator_of(found)
                yield FilledCache(found.name, decorator if decorator is not None else node)


@once_per_file
def _cached(file: CheckedFile) -> dict[str, Decorator]:
    """The cached functions and methods of the module, by name; of several with one name, the last."""
    bodies = (node.defs.body for node in file.tree.defs if isinstance(node, ClassDef))
    found = (node for node in chain(file.tree.defs, *bodies) if isinstance(node, Decorator))
    return {node.name: node for node in found if decorator_of(node) is not None}


def _names(named: NameExpr | MemberExpr, cached: Decorator, functions: Functions) -> bool:
    """Whether a name, or an attribute of an object of a known class, is this function."""
    if isinstance(named, NameExpr) or not cached.func.info:
        return named.node is cached
    owner = class_of(named.expr, functions.file)
    functions.consulted.update(owner.info.mro if owner is not None else ())
    symbol = owner.info.get(named.name) if owner is not None else None
    return symbol is not None and symbol.node is cached


def _is_filled(
    named: NameExpr | MemberExpr, cached: Decorator, inner: FuncItem, staged: list[Root], functions: Functions
) -> bool:
    file = functions.file
    call = file.calls_by_callee.get(named)
    if call is None or len(cached.original_decorators) > 1:
        return False
    if is_computed_at_once(call, file) or runs_on_host(file, cached.func):
        return False
    leaks = Leaks(staged, functions)
    if leaks.may_hold(call.args):
        return False  # a tracer has no hash, so that the call raises
    adopt(cached.func, named, inner, functions)
    return Leaks([root._replace(traced=frozenset()) for root in staged], functions).is_returned_by(cached.func)
