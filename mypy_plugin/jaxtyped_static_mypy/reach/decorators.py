"""How the decorators of a function hand it to JAX."""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Final

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, RefExpr, Var

from ..knowledge.full_names import MEMOISING
from ..libraries import jit_function, known_function
from ..source.bindings import only_value
from ..source.checked_file import CheckedFile
from ..syntax.decorators import applied
from ..syntax.literals import literal
from .layers import UNREADABLE, Layer, LayerKind
from .traced_calls import TracedCall, layers_in, traced_again, traced_calls

_PROPERTY: Final = "builtins.property"

_Kept = frozenset[int] | None  # positions, if a wrapper changes the arguments at others


def transformations(function: FuncDef, layers: Iterable[Layer], file: CheckedFile) -> Iterator[TracedCall]:
    """Yields the transformations among the layers of a function, innermost first, up to the first unknown layer."""
    waiting: list[tuple[CallExpr, _Kept]] = []  # those that trace again what they wrap, in a compiled program
    kept: _Kept = None
    for layer in layers:
        if _rewrites(layer):
            kept = _kept(layer, function) if kept is None else kept & _kept(layer, function)
        elif layer.kind in UNREADABLE:
            break
        elif known_function(layer.function).retraces is not None:
            waiting.append((layer.call, kept))
        elif (traced := next(iter(traced_calls(file, layer.call)), None)) is not None:
            if traced.stages:
                yield from (traced_again(call).keeping(positions) for call, positions in waiting)
                waiting = []
            yield traced.keeping(kept)


def _kept(layer: Layer, function: FuncDef) -> frozenset[int]:
    """The positions of parameters for which a wrapper passes the caller's arguments on as they are."""
    keeps = literal(layer.call.args[-1]) or ()
    single = {index for index, argument in enumerate(function.arguments) if not argument.kind.is_star()}
    return frozenset(single.intersection(keeps))


def decorator_layers(decorator: Decorator, file: CheckedFile) -> Iterator[Layer]:
    """What the decorators of a function apply to it, innermost first."""
    for node in reversed(decorator.original_decorators):
        if isinstance(node, RefExpr) and node.fullname == _PROPERTY:
            continue  # which calls the function
        layers = layers_in(applied(_bound_once(node, file) or node), file)
        if len(layers) > 1 and any(map(_rewrites, layers)):
            yield from takewhile(lambda layer: not _rewrites(layer), layers)
            return  # mypy calls no hook of ours for such a helper
        yield from layers


def _rewrites(layer: Layer) -> bool:
    return layer.kind is LayerKind.REWRITES


def _bound_once(decorator: Expression, file: CheckedFile) -> Expression | None:
    """`jit_n = partial(jax.jit, static_argnames="n")`, bound once in this file."""
    if not isinstance(decorator, RefExpr) or not isinstance(decorator.node, Var):
        return None
    bound = only_value(decorator.node, file)
    return bound if isinstance(bound, CallExpr) else None


def has_hook(decorator: Expression, file: CheckedFile) -> bool:
    """Whether mypy calls a hook of ours for a decorator; not for `@partial(jax.vmap, ...)`, which compiles nothing."""
    if not isinstance(decorator, CallExpr):
        return isinstance(decorator, RefExpr)
    named = [node.fullname for node in (decorator.callee, *decorator.args[:1]) if isinstance(node, RefExpr)]
    if any(jit_function(name, file.settings.jit_functions) is not None for name in named):
        return True
    return any(layer.kind is LayerKind.JIT for layer in layers_in(applied(decorator), file))


def is_memoised(decorators: Iterable[Expression]) -> bool:
    called = (node.callee if isinstance(node, CallExpr) else node for node in decorators)
    return any(isinstance(node, RefExpr) and node.fullname in MEMOISING for node in called)
