"""What was read of each place that compiles a function: its static and dynamic parameters, or why they are unknown.

The plugin gives a compiled function the type that says what it read, so this looks at types. What makes a function a
compiled one, perhaps through helpers of the program, is read as the plugin reads it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Decorator, Expression, MemberExpr, MypyFile, NameExpr, RefExpr
from mypy.types import AnyType, CallableType, Overloaded, Type, get_proper_type

from jaxtyped_static_mypy.config.settings import Settings
from jaxtyped_static_mypy.jit.signatures import is_jitted
from jaxtyped_static_mypy.jit.sites import JitSite, parameters_listed, read_site
from jaxtyped_static_mypy.knowledge.function_rows import JitFunction
from jaxtyped_static_mypy.knowledge.jax_functions import JAX_JIT
from jaxtyped_static_mypy.libraries import known_function
from jaxtyped_static_mypy.markers.marker import Marker, marker_of
from jaxtyped_static_mypy.reach.layers import (
    LayerKind,
    Layers,
    Names,
    layers_below,
    layers_of,
    layers_of_decorator,
    subject_of,
)
from jaxtyped_static_mypy.syntax.trees import nodes_below

from ..compat.trees import CheckedProgram

_COMPUTED: Final = "its list of static parameters is computed when the program runs"
_UNTYPED: Final = "mypy does not know what is compiled: its type is Any"
_UNREAD: Final = "the type of what is compiled does not show its parameters"
_FUNCTION: Final = (None, "fun", "f")  # how the function is passed to what compiles it


class Site(NamedTuple):
    """A place where a function is compiled."""

    path: Path
    line: int
    name: str
    static: tuple[str, ...] = ()
    dynamic: tuple[str, ...] = ()
    unread: str = ""  # why the parameters are unknown


class Compiled(NamedTuple):
    """A place where a function is compiled, in mypy's trees."""

    node: Decorator | CallExpr
    name: str  # of what is compiled
    site: JitSite
    row: JitFunction
    signature: CallableType | None  # of what is compiled, as far as it is known
    static: frozenset[int] = frozenset()
    unread: str = ""  # why the static parameters are unknown
    shows_parameters: bool = True  # to JAX: the decorators below certainly pass on the function's own

    @property
    def line(self) -> int:
        return self.node.func.line if isinstance(self.node, Decorator) else self.node.line

    @property
    def donated(self) -> frozenset[int]:
        return frozenset(parameters_listed(self.site.donated, self.signature) if self.signature is not None else ())

    @property
    def names(self) -> list[str]:
        """The parameters."""
        signature = self.signature
        return [name or f"#{index}" for index, name in enumerate(signature.arg_names)] if signature is not None else []


def sites_of(file: MypyFile, path: Path, program: CheckedProgram, settings: Settings) -> list[Site]:
    return sorted(_site(compiled, path) for compiled in compiled_in(file, program, settings))


def _site(compiled: Compiled, path: Path) -> Site:
    site = Site(path, compiled.line, compiled.name, unread=compiled.unread)
    if compiled.unread:
        return site
    return site._replace(
        static=tuple(name for index, name in enumerate(compiled.names) if index in compiled.static),
        dynamic=tuple(name for index, name in enumerate(compiled.names) if index not in compiled.static),
    )


def compiled_in(file: MypyFile, program: CheckedProgram, settings: Settings) -> Iterator[Compiled]:
    """The functions that a file compiles, in no particular order."""
    names = Names(file, program.modules, settings)
    nodes = nodes_below(file)
    decorated = [node for node in nodes if isinstance(node, Decorator)]
    decorators = {decorator for node in decorated for decorator in node.original_decorators}
    for function in decorated:
        for decorator in function.original_decorators:
            if (found := _compiling(layers_of_decorator(decorator, names), names)) is not None:
                below = layers_below(function, decorator, names)
                shows = all(layer.shows_parameters for layers in below for layer in layers.layers)
                compiled = Compiled(function, function.func.name, *found, None, shows_parameters=shows)
                yield _read(compiled, function.func.type, function.var.type)
    for node in nodes:
        if not isinstance(node, CallExpr) or node in decorators or (subject := _subject(node, names)) is None:
            continue
        if (found := _compiling(layers_of(node, names), names)) is not None:
            compiled = Compiled(node, _shown(subject), *found, None)
            yield _read(compiled, program.types.get(subject), program.types.get(node))


def _compiling(layers: Layers, names: Names) -> tuple[JitSite, JitFunction] | None:
    """The jit call among the functions that are applied."""
    layer = next((layer for layer in layers.layers if layer.kind is LayerKind.JIT), None)
    if layer is None:
        return None
    own = names.settings.jit_functions
    row = JAX_JIT if layer.function in own else known_function(layer.function).compiles or JAX_JIT
    arguments = list(zip(layer.call.arg_names, layer.call.args, strict=True))
    return read_site(layer.function, row, arguments, names.file), row


def _subject(node: CallExpr, names: Names) -> Expression | None:
    """What a call compiles, if it does not return a decorator."""
    callee = node.callee
    is_named = isinstance(callee, RefExpr) and (names.is_helper(callee.fullname) or names.knows(callee.fullname))
    if not node.args or node.arg_names[0] not in _FUNCTION or not is_named:
        return None
    return subject_of(node, names)


def _read(compiled: Compiled, before: Type | None, after: Type | None) -> Compiled:
    """`before`, `after`: the types of the function, and of what it is compiled to."""
    signature, result = _signature(before), _signature(after)
    if not compiled.site.known:
        return compiled._replace(signature=signature, unread=_COMPUTED)
    if signature is not None and result is not None and compiled.shows_parameters and _hides_parameters(result):
        static = {*compiled.site.static_parameters(signature)}
        static |= _marked(signature) if compiled.row.reads_markers else set()
        return compiled._replace(signature=signature, static=frozenset(static))
    if result is not None and is_jitted(result):
        static = _marked(result)
        # The types of plain `jax.jit` leave out those of dynamic parameters.
        is_same = signature is not None and signature.arg_names == result.arg_names
        return compiled._replace(signature=signature if is_same else result, static=frozenset(static))
    if signature is not None:  # as pmap, which does not return what jit returns
        static = set(compiled.site.static_parameters(signature))
        return compiled._replace(signature=signature, static=frozenset(static))
    return compiled._replace(unread=_UNTYPED if isinstance(get_proper_type(before), AnyType) else _UNREAD)


def _hides_parameters(result: CallableType) -> bool:
    """Whether mypy sees `*args` and `**kwargs` only, which a decorator may nevertheless pass on to what JAX sees."""
    return bool(result.arg_kinds) and all(kind.is_star() for kind in result.arg_kinds)


def _marked(signature: CallableType) -> set[int]:
    """The parameters that are marked as static."""
    return {index for index, typ in enumerate(signature.arg_types) if marker_of(typ) is Marker.STATIC}


def _signature(typ: Type | None) -> CallableType | None:
    proper = get_proper_type(typ)
    if isinstance(proper, Overloaded):
        proper = proper.items[0]
    return proper if isinstance(proper, CallableType) else None


def _shown(node: Expression) -> str:
    return node.name if isinstance(node, (NameExpr, MemberExpr)) else "(an expression)"
