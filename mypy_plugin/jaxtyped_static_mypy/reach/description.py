"""How each function of a file reaches JAX, and how often its code runs: one description, which all rules ask."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, FuncItem, LambdaExpr, MemberExpr, Var
from mypy.types import Instance, get_proper_type

from ..classes import class_model
from ..markers.marker import Marker, marker_of
from ..source.checked_file import CheckedFile, once_per_file
from ..source.parameters import Parameter, parameters
from ..syntax.trees import function_of, is_self
from .decorators import decorator_layers, has_hook, transformations
from .layers import Layer
from .runs import Runs, runs
from .traced_calls import HandedAs, TracedCall, traced_calls
from .uses import FunctionUses, uses_of


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

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """What its decorators apply to it, innermost first."""
        decorator = self._decorator
        return tuple(decorator_layers(decorator, self.file)) if decorator is not None else ()

    @cached_property
    def transformations(self) -> tuple[TracedCall, ...]:
        """How its decorators trace it, innermost first."""
        function = self.function
        return tuple(transformations(function, self.layers, self.file)) if isinstance(function, FuncDef) else ()

    @property
    def traced(self) -> tuple[TracedCall, ...]:
        """How JAX traces it: by its decorators, or else by the calls that hand it over.

        Nothing if the file uses an undecorated function in any other way, so that a value need not be traced.
        """
        if self._decorator is not None:
            return self.transformations
        return tuple(traced for _, traced in self.uses.handing_over)

    @property
    def has_hook(self) -> bool:
        """Whether a decorator traces it, and mypy calls a hook of ours for one of its decorators."""
        decorators = self._decorator.original_decorators if self._decorator is not None else []
        return bool(self.transformations) and any(has_hook(node, self.file) for node in decorators)

    @property
    def first_call(self) -> CallExpr | None:
        """The first call that hands it to JAX, if the file uses it in no other way."""
        return next((call for call, _ in self.uses.handing_over), None)

    @cached_property
    def handed_as(self) -> frozenset[HandedAs]:
        """As what JAX gets it; empty if the file does not show that it does."""
        callback = {HandedAs.CALLBACK} if self.uses.is_callback else set()
        return frozenset({traced.handed_as for traced in self.traced} | callback)

    @property
    def uses(self) -> FunctionUses:
        """Who calls it, and who hands it over."""
        return uses_of(self.file, self.function)

    @cached_property
    def parameters(self) -> Mapping[Var, ParameterKind]:
        """What each parameter gets when JAX calls the function."""
        markers = self.file.settings.static_markers
        return {found.variable: kind_of_parameter(found, self.traced, markers) for found in parameters(self.function)}

    @cached_property
    def runs(self) -> Runs:
        """How often a program runs its code."""
        return runs(self.file, self.function)

    @property
    def _decorator(self) -> Decorator | None:
        return self.file.decorators.get(self.function) if isinstance(self.function, FuncDef) else None


@once_per_file
def reach_of(file: CheckedFile, function: FuncItem) -> FunctionReach:
    return FunctionReach(function, file)


def kind_of_parameter(
    parameter: Parameter, traced: Sequence[TracedCall], static_markers: frozenset[str]
) -> ParameterKind:
    """What a parameter gets in these traces of its function."""
    if marker_of(parameter.type, static_markers) is Marker.STATIC:
        return ParameterKind.STATIC
    if not traced:
        return ParameterKind.EITHER
    if any(call.kept is not None and parameter.position not in call.kept for call in traced):
        return ParameterKind.EITHER  # a wrapper may have made it
    typ = get_proper_type(parameter.type)
    if isinstance(typ, Instance) and class_model.is_passed_as_is(typ.type):
        return ParameterKind.STATIC
    is_traced = [call.traces(parameter.position, parameter.name) for call in traced]
    if not any(is_traced) and all(call.transformation is None for call in traced):
        return ParameterKind.STATIC
    return ParameterKind.TRACED if all(is_traced) else ParameterKind.EITHER


# Whose body is checked where


def functions_handed_over(call: CallExpr, file: CheckedFile, *, with_lambdas: bool) -> Iterator[FuncItem]:
    """Yields the outermost functions and methods that this call hands to JAX, if no earlier call does; then lambdas."""
    given = [traced.function for traced in traced_calls(call, file)]
    for node in given:
        function = _method(node, file) or function_of(node)
        if isinstance(function, FuncDef) and first_call(file, function) is call:
            yield function
    yield from (node for node in given if isinstance(node, LambdaExpr) and with_lambdas)


def _method(node: Expression, file: CheckedFile) -> FuncDef | None:
    """The method that `self.step` names."""
    if not isinstance(node, MemberExpr) or not is_self(node.expr):
        return None
    return next((function for function in file.functions_named.get(node.name, ()) if function.info), None)


@once_per_file
def first_call(file: CheckedFile, function: FuncDef) -> CallExpr | None:
    """The first call that hands an outermost function to JAX, if the file uses it in no other way."""
    names = function.info.names if function.info else file.tree.names
    is_outermost = function.name in names and names[function.name].node is function
    if not is_outermost or function not in file.functions_named.get(function.name, ()):
        return None  # nested, or from another module, which may have no body to look at
    return reach_of(file, function).first_call
