"""What was read of each place that compiles a function: its static and dynamic parameters, or why they are unknown.

The plugin gives a compiled function the type that says what it read, so this looks at nothing but types.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Decorator, Expression, MemberExpr, MypyFile, NameExpr, RefExpr
from mypy.types import AnyType, CallableType, Overloaded, Type, get_proper_type

from jaxtyped_static_mypy.jit.signatures import is_jitted
from jaxtyped_static_mypy.jit.sites import read_site
from jaxtyped_static_mypy.knowledge.full_names import PARTIAL
from jaxtyped_static_mypy.knowledge.function_rows import JitFunction
from jaxtyped_static_mypy.knowledge.jax_functions import JAX_JIT
from jaxtyped_static_mypy.libraries import JIT_FUNCTIONS
from jaxtyped_static_mypy.markers.marker import Marker, marker_of
from jaxtyped_static_mypy.syntax.trees import nodes_below

_COMPUTED: Final = "its list of static parameters is computed when the program runs"
_UNTYPED: Final = "mypy does not know what is compiled: its type is Any"
_UNREAD: Final = "the type of what is compiled does not show its parameters"


class Site(NamedTuple):
    """A place where a function is compiled."""

    path: Path
    line: int
    name: str
    static: tuple[str, ...] = ()
    dynamic: tuple[str, ...] = ()
    unread: str = ""  # why the parameters are unknown


Rows = Mapping[str, JitFunction]


def rows_with(functions: Iterable[str]) -> Rows:
    """The functions that compile, with those that the settings name."""
    rows = JIT_FUNCTIONS | dict.fromkeys(functions, JAX_JIT)
    return {name: row for name, row in rows.items() if row.compiles}


def sites_of(file: MypyFile, path: Path, types: Mapping[Expression, Type], rows: Rows) -> list[Site]:
    """`types`: of the expressions of the program, as mypy exports them."""
    nodes = list(nodes_below(file))
    decorated = [node for node in nodes if isinstance(node, Decorator)]
    decorators = {decorator for node in decorated for decorator in node.original_decorators}
    sites = [
        _read(Site(path, node.func.line, node.func.name), decorator, node.func.type, node.var.type, file, rows)
        for node in decorated
        for decorator in node.original_decorators
        if _compiling(decorator, rows) is not None
    ]
    for node in nodes:
        if isinstance(node, CallExpr) and node not in decorators and _is_call(node, rows):
            compiled = node.args[0]
            site = Site(path, node.line, _shown(compiled))
            sites.append(_read(site, node, types.get(compiled), types.get(node), file, rows))
    return sorted(sites)


def _read(site: Site, node: Expression, compiled: Type | None, result: Type | None, file: MypyFile, rows: Rows) -> Site:
    """`node`: the call or decorator that compiles. `compiled`, `result`: the types of what it gets and returns."""
    listed = None
    if isinstance(node, CallExpr) and (compiling := _compiling(node, rows)) is not None:
        listed = read_site(*compiling, list(zip(node.arg_names, node.args, strict=True)), file)
        if not listed.known:
            return site._replace(unread=_COMPUTED)
    if (signature := _signature(result)) is not None and is_jitted(signature):
        static = {index for index, typ in enumerate(signature.arg_types) if marker_of(typ) is Marker.STATIC}
    elif (signature := _signature(compiled)) is not None:  # as pmap, which does not return what jit returns
        static = set(listed.static_parameters(signature)) if listed is not None else set()
    else:
        return site._replace(unread=_UNTYPED if isinstance(get_proper_type(compiled), AnyType) else _UNREAD)
    names = [name or f"#{index}" for index, name in enumerate(signature.arg_names)]
    return site._replace(
        static=tuple(name for index, name in enumerate(names) if index in static),
        dynamic=tuple(name for index, name in enumerate(names) if index not in static),
    )


def _signature(typ: Type | None) -> CallableType | None:
    proper = get_proper_type(typ)
    if isinstance(proper, Overloaded):
        proper = proper.items[0]
    return proper if isinstance(proper, CallableType) else None


def _is_call(node: CallExpr, rows: Rows) -> bool:
    """Whether a call compiles its first argument, rather than to make a decorator."""
    is_direct = isinstance(node.callee, RefExpr) and node.callee.fullname in rows
    return is_direct and bool(node.args) and node.arg_names[0] in (None, "fun", "f")


def _compiling(node: Expression, rows: Rows) -> tuple[str, JitFunction] | None:
    """The function that compiles, if an expression is one, calls one, or is a partial of one."""
    called = node.callee if isinstance(node, CallExpr) else node
    if isinstance(node, CallExpr) and isinstance(called, RefExpr) and called.fullname == PARTIAL and node.args:
        called = node.args[0]
    row = rows.get(called.fullname) if isinstance(called, RefExpr) else None
    return (called.fullname, row) if isinstance(called, RefExpr) and row is not None else None


def _shown(node: Expression) -> str:
    return node.name if isinstance(node, (NameExpr, MemberExpr)) else "(an expression)"
