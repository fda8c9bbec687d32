"""How each function of a file reaches JAX, and how often its code runs: one description, which all rules ask."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from itertools import takewhile
from typing import Final

from mypy.nodes import (
    GDEF,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    Var,
)
from mypy.types import Instance, get_proper_type

from ..classes import class_model
from ..knowledge.function_rows import Effect
from ..libraries import jit_function, known_function
from ..markers.marker import Marker, marker_of
from ..source.bindings import only_value
from ..source.checked_file import CheckedFile, once_per_file
from ..source.functions import functions_around
from ..source.named_lambdas import lambda_named, name_of_lambda
from ..source.parameters import Parameter, parameters
from ..syntax.decorators import applied
from ..syntax.literals import literal
from ..syntax.names import callee_name, function_of, is_self
from ..syntax.partials import is_partial
from .applied import what_applies
from .layers import UNREADABLE, Layer, LayerKind
from .made_functions import makers_first_used
from .program import Runs
from .runs import running
from .traced_calls import TracedCall, layers_in, traced_again, traced_calls
from .uses import FunctionUses, Naming, naming_of_attribute, uses_of

_PROPERTY: Final = "builtins.property"
_Kept = frozenset[int] | None  # positions, if a wrapper changes the arguments at others


class ParameterKind(Enum):
    """What a parameter gets when JAX calls the function."""

    STATIC = auto()
    TRACED = auto()
    EITHER = auto()  # as far as the file shows


@dataclass(frozen=True, eq=False)
class FunctionReach:
    """How one function, method or lambda of a file reaches JAX."""

    function: FuncItem
    file: CheckedFile

    @property
    def decorator(self) -> Decorator | None:
        return self.file.decorators.get(self.function) if isinstance(self.function, FuncDef) else None

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """What its decorators apply to it, innermost first."""
        return tuple(_layers(self.decorator, self.file)) if self.decorator is not None else ()

    @cached_property
    def is_as_written(self) -> bool:
        """Whether a call runs the function's own body with what it passes: no decorator does more than pass it on."""
        decorator = self.decorator
        if decorator is None:
            return True
        applied_by = (_layers_of(node, self.file) for node in decorator.original_decorators)
        passes = all(layers and all(layer.passes_calls for layer in layers) for layers in applied_by)
        return passes and not decorator.var.is_property

    @cached_property
    def takes_rules(self) -> bool:
        """Whether nothing but `custom_jvp` or its like decorates it: it is traced by what calls it, or is given it."""
        if self.decorator is None or len(self.decorator.original_decorators) != 1 or self.transformations:
            return False
        return any(Effect.TAKES_RULES in known_function(layer.function).effects for layer in self.layers)

    @cached_property
    def transformations(self) -> tuple[TracedCall, ...]:
        """How its decorators trace it, innermost first."""
        function = self.function
        return tuple(_transformations(function, self.layers, self.file)) if isinstance(function, FuncDef) else ()

    @cached_property
    def uses(self) -> FunctionUses:
        """Who calls it, and who hands it over."""
        return uses_of(self.file, self.function)

    @property
    def traced(self) -> tuple[TracedCall, ...]:
        """How JAX traces it: by its decorators, or else by the calls that hand it over.

        Nothing if the file uses a function that is as written in any other way: then a value need not be traced.
        """
        if not self.is_as_written:
            return self.transformations
        return tuple(traced for _, traced in self.uses.handing_over)

    @cached_property
    def parameters(self) -> Mapping[Var, ParameterKind]:
        """What each parameter gets when JAX calls the function."""
        return {found.variable: self.kind_of(found, self.traced) for found in parameters(self.function)}

    def kind_of(self, parameter: Parameter, traced: Sequence[TracedCall]) -> ParameterKind:
        """What a parameter gets in some of the traces of the function."""
        if marker_of(parameter.type, self.file.settings.static_markers) is Marker.STATIC:
            return ParameterKind.STATIC
        if not traced:
            return ParameterKind.EITHER
        if any(call.kept is not None and parameter.position not in call.kept for call in traced):
            return ParameterKind.EITHER  # a wrapper may have made it
        typ = get_proper_type(parameter.type)
        if isinstance(typ, Instance) and class_model.is_passed_as_is(typ.type):
            return ParameterKind.STATIC
        is_traced = [call.traces(parameter.position, parameter.name) for call in traced]
        if not any(is_traced) and all(call.others_are_static for call in traced):
            return ParameterKind.STATIC
        return ParameterKind.TRACED if all(is_traced) else ParameterKind.EITHER

    @cached_property
    def runs(self) -> Runs:
        """How often a program runs its code."""
        return running(self.file, self.function).runs

    @cached_property
    def is_checked_where_traced(self) -> bool:
        """Whether a hook of ours sees what traces it: a decorator, or the first call that hands it over."""
        if self.decorator is None or self.is_as_written or self.takes_rules:
            return self.first_call is not None
        return bool(self.transformations) and any(
            _has_hook(node, self.file) for node in self.decorator.original_decorators
        )

    @cached_property
    def first_call(self) -> CallExpr | None:
        """The first call that hands an outermost function to JAX, whatever else the file does with it."""
        return next((call for call, _ in self.uses.handed_over), None) if self._is_outermost else None

    @property
    def _is_outermost(self) -> bool:
        """Whether the module or a class defines it by its name."""
        function, file = self.function, self.file
        if isinstance(function, LambdaExpr):
            name = name_of_lambda(function, file)
            return name is not None and name.kind == GDEF
        if not file.defines(function):
            return False
        names = function.info.names if function.info else file.tree.names
        return function.name in names and names[function.name].node in (function, self.decorator)


@once_per_file
def reach_of(file: CheckedFile, function: FuncItem) -> FunctionReach:
    return FunctionReach(function, file)


def functions_handed_over(call: CallExpr, file: CheckedFile, *, with_lambdas: bool) -> Iterator[FuncItem]:
    """Yields the outermost functions and methods that this call hands to JAX, if no earlier call does; then lambdas.

    Also those that make what it hands over.
    """
    handed = traced_calls(file, call)
    given = [traced.function for traced in handed]
    named = [function_given(node, file) for node in given]
    applied = [one.function for traced in handed if (one := what_applies(traced, file)) is not None]
    for function in (*named, *applied):
        if function is not None and reach_of(file, function).first_call is call:
            yield function
    yield from makers_first_used(call, file)
    yield from (node for node in given if isinstance(node, LambdaExpr) and with_lambdas)


def function_given(node: Expression, file: CheckedFile) -> FuncItem | None:
    """The function, lambda or method that runs where a call is given this."""
    return _method(node, file) or named_function(node, file) or _taking_rules(node, file)


def named_function(node: Expression, file: CheckedFile) -> FuncItem | None:
    """The function whose body a call of this name or lambda runs, as far as its decorators are known."""
    decorated = node.node if isinstance(node, NameExpr) else None
    if isinstance(decorated, Decorator):
        return decorated.func if reach_of(file, decorated.func).is_as_written else None
    return function_of(node) or lambda_named(node, file)


def _taking_rules(node: Expression, file: CheckedFile) -> FuncItem | None:
    """The function below `custom_jvp` and its like, which may run it or a rule of it."""
    definition = node.node if isinstance(node, NameExpr) else None
    if not isinstance(definition, Decorator):
        return None
    return definition.func if reach_of(file, definition.func).takes_rules else None


def _method(node: Expression, file: CheckedFile) -> FuncDef | None:
    """The method that `self.step` names, or `model.step` of an object whose class the source shows."""
    if not isinstance(node, MemberExpr):
        return None
    methods = [function for function in file.functions_named.get(node.name, ()) if function.info]
    named = next((method for method in methods if naming_of_attribute(node, method, file) is Naming.OWN), None)
    return named or (methods[0] if methods and is_self(node.expr) else None)


# Decorators


def _transformations(function: FuncDef, layers: Iterable[Layer], file: CheckedFile) -> Iterator[TracedCall]:
    """Yields the transformations among the layers of a function, innermost first, up to the first unknown layer."""
    waiting: list[tuple[CallExpr, _Kept]] = []  # those that trace again what they wrap, in a compiled program
    kept: _Kept = None
    is_filled = False
    for layer in layers:
        is_filled = is_filled or Effect.FILLS_ARGUMENTS in known_function(layer.function).effects
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
            yield traced.keeping(kept)._replace(may_be_filled=is_filled)


def _kept(layer: Layer, function: FuncDef) -> frozenset[int]:
    """The positions of parameters for which a wrapper passes the caller's arguments on as they are."""
    keeps = literal(layer.call.args[-1]) or ()
    single = {index for index, argument in enumerate(function.arguments) if not argument.kind.is_star()}
    return frozenset(single.intersection(keeps))


def _layers(decorator: Decorator, file: CheckedFile) -> Iterator[Layer]:
    """What the decorators of a function apply to it, innermost first."""
    for node in reversed(decorator.original_decorators):
        if isinstance(node, RefExpr) and node.fullname == _PROPERTY:
            continue  # which calls the function
        layers = _layers_of(node, file)
        if len(layers) > 1 and any(map(_rewrites, layers)):
            yield from takewhile(lambda layer: not _rewrites(layer), layers)
            return  # mypy calls no hook of ours for such a helper
        yield from layers


def _layers_of(decorator: Expression, file: CheckedFile) -> tuple[Layer, ...]:
    return layers_in(applied(_bound_once(decorator, file) or decorator), file)


def _rewrites(layer: Layer) -> bool:
    return layer.kind is LayerKind.REWRITES


def _bound_once(decorator: Expression, file: CheckedFile) -> Expression | None:
    """`jit_n = partial(jax.jit, static_argnames="n")`, bound once in this file."""
    if not isinstance(decorator, RefExpr) or not isinstance(decorator.node, Var):
        return None
    bound = only_value(decorator.node, file)
    return bound if isinstance(bound, CallExpr) else None


def _has_hook(decorator: Expression, file: CheckedFile) -> bool:
    """Whether mypy calls a hook of ours for a decorator; it does for `@partial(jax.vmap, ...)`, for the partial."""
    if not isinstance(decorator, CallExpr) or is_partial(decorator):
        return isinstance(decorator, (CallExpr, RefExpr))
    layers = layers_in(applied(decorator), file)
    return any(jit_function(layer.function, file.settings.jit_functions) is not None for layer in layers)


def compiling_decorator(line: int, file: CheckedFile) -> tuple[Expression, str] | None:
    """The outermost decorator that compiles the innermost function around a line, and the full name of what it applies.

    None if no decorator does, or only one whose lists are written elsewhere.
    """
    around = functions_around(line, file)
    for decorator in around[-1].decorators if around else ():
        name = callee_name(applied(decorator))
        if jit_function(name, file.settings.jit_functions) is not None:
            return decorator, name
    return None
