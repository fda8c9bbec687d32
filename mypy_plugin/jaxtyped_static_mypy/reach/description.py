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
from .traced_calls import TracedCall, traced_calls
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

    @property
    def decorator(self) -> Decorator | None:
        return self.file.decorators.get(self.function) if isinstance(self.function, FuncDef) else None

    @cached_property
    def layers(self) -> tuple[Layer, ...]:
        """What its decorators apply to it, innermost first."""
        return tuple(decorator_layers(self.decorator, self.file)) if self.decorator is not None else ()

    @cached_property
    def transformations(self) -> tuple[TracedCall, ...]:
        """How its decorators trace it, innermost first."""
        function = self.function
        return tuple(transformations(function, self.layers, self.file)) if isinstance(function, FuncDef) else ()

    @cached_property
    def uses(self) -> FunctionUses:
        """Who calls it, and who hands it over."""
        return uses_of(self.file, self.function)

    @property
    def traced(self) -> tuple[TracedCall, ...]:
        """How JAX traces it: by its decorators, or else by the calls that hand it over.

        Nothing if the file uses an undecorated function in any other way, so that a value need not be traced.
        """
        if self.decorator is not None:
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
        return runs(self.file, self.function)

    @cached_property
    def is_checked_where_traced(self) -> bool:
        """Whether a hook of ours sees what traces it: a decorator, or the first call that hands it over."""
        if self.decorator is None:
            return self.first_call is not None
        return bool(self.transformations) and any(
            has_hook(node, self.file) for node in self.decorator.original_decorators
        )

    @cached_property
    def first_call(self) -> CallExpr | None:
        """The first call that hands an outermost function to JAX, if the file uses it in no other way."""
        function = self.function
        if not isinstance(function, FuncDef) or function not in self.file.functions_named.get(function.name, ()):
            return None  # from another module, which may have no body to look at
        names = function.info.names if function.info else self.file.tree.names
        is_outermost = function.name in names and names[function.name].node is function
        return next((call for call, _ in self.uses.handing_over), None) if is_outermost else None


@once_per_file
def reach_of(file: CheckedFile, function: FuncItem) -> FunctionReach:
    return FunctionReach(function, file)


def functions_handed_over(call: CallExpr, file: CheckedFile, *, with_lambdas: bool) -> Iterator[FuncItem]:
    """Yields the outermost functions and methods that this call hands to JAX, if no earlier call does; then lambdas."""
    given = [traced.function for traced in traced_calls(file, call)]
    for node in given:
        function = _method(node, file) or function_of(node)
        if function is not None and reach_of(file, function).first_call is call:
            yield function
    yield from (node for node in given if isinstance(node, LambdaExpr) and with_lambdas)


def _method(node: Expression, file: CheckedFile) -> FuncDef | None:
    """The method that `self.step` names."""
    if not isinstance(node, MemberExpr) or not is_self(node.expr):
        return None
    return next((function for function in file.functions_named.get(node.name, ()) if function.info), None)
