"""What was read of each place that compiles a function: its static and dynamic parameters, or why they are unknown.

The plugin gives a compiled function the type that says what it read, so this looks at nothing but types.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Decorator, Expression, MemberExpr, MypyFile, NameExpr, RefExpr
from mypy.types import AnyType, CallableType, Overloaded, Type, get_proper_type

from jaxtyped_static_mypy.hooks.call_sites import is_jitted
from jaxtyped_static_mypy.jit.sites import read_site
from jaxtyped_static_mypy.knowledge.full_names import PARTIAL
from jaxtyped_static_mypy.knowledge.function_rows import JitFunction
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


def sites_of(file: MypyFile, path: Path, types: Mapping[Expression, Type]) -> list[Site]:
    """`types`: of the expressions of the program, as mypy exports them."""
    nodes = list(nodes_below(file))
    decorated = [node for node in nodes if isinstance(node, Decorator)]
    decorators = {decorator for node in decorated for decorator in node.original_decorators}
    sites = [
        _site(Site(path, node.func.line, node.func.name), node.var.type, decorator, file, types)
        for node in decorated
        for decorator in node.original_decorators
        if _compiling(decorator) is not None
    ]
    for node in nodes:
        if isinstance(node, CallExpr) and node not in decorators and _is_call(node):
            sites.append(_site(Site(path, node.line, _shown(node.args[0])), types.get(node), node, file, types))
    return sorted(sites)


def _site(
    site: Site, typ: Type | None, node: Expression, file: MypyFile, types: Mapping[Expression, Type]
) -> Site:
    """`typ`: of the compiled function. `node`: the call or decorator that compiles it."""
    compiling = _compiling(node)
    if isinstance(node, CallExpr) and compiling is not None:
        arguments = list(zip(node.arg_names, node.args, strict=True))
        if not read_site(*compiling, arguments, file).known:
            return site._replace(unread=_COMPUTED)
    proper = get_proper_type(typ)
    signature = proper.items[0] if isinstance(proper, Overloaded) else proper
    if isinstance(signature, CallableType) and is_jitted(signature):
        static, dynamic = _parameters(signature)
        return site._replace(static=static, dynamic=dynamic)
    compiled = get_proper_type(types.get(node.args[0])) if isinstance(node, CallExpr) and node.args else proper
    return site._replace(unread=_UNTYPED if isinstance(compiled, AnyType) else _UNREAD)


def _is_call(node: CallExpr) -> bool:
    """Whether a call compiles its first argument, rather than to make a decorator."""
    is_direct = isinstance(node.callee, RefExpr) and node.callee.fullname in JIT_FUNCTIONS
    return is_direct and bool(node.args) and node.arg_names[0] in (None, "fun", "f") and _compiling(node) is not None


def _compiling(node: Expression) -> tuple[str, JitFunction] | None:
    """The function that compiles, if an expression is one, calls one, or is a partial of one."""
    called = node.callee if isinstance(node, CallExpr) else node
    if isinstance(node, CallExpr) and isinstance(called, RefExpr) and called.fullname == PARTIAL and node.args:
        called = node.args[0]
    row = JIT_FUNCTIONS.get(called.fullname) if isinstance(called, RefExpr) else None
    return (called.fullname, row) if isinstance(called, RefExpr) and row is not None and row.compiles else None


def _parameters(signature: CallableType) -> tuple[tuple[str, ...], tuple[str, ...]]:
    names = [name or f"#{index}" for index, name in enumerate(signature.arg_names)]
    marked = [marker_of(typ) is Marker.STATIC for typ in signature.arg_types]
    static = tuple(name for name, is_static in zip(names, marked, strict=True) if is_static)
    return static, tuple(name for name, is_static in zip(names, marked, strict=True) if not is_static)


def _shown(node: Expression) -> str:
    return node.name if isinstance(node, (NameExpr, MemberExpr)) else "(an expression)"
