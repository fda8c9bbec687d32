"""Finds the functions that JAX traces, in an outermost function, and how it treats their parameters."""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Decorator, FuncDef, FuncItem, LambdaExpr, NameExpr, RefExpr, Var

from ..libraries import LIFTING_PACKAGES
from ..source.checked_file import CheckedFile
from ..source.nested_functions import Functions
from ..source.parameters import Parameter, described, parameters
from ..syntax.trees import function_of, nodes_below, self_parameter
from .description import ParameterKind, kind_of_parameter, reach_of
from .traced_calls import TracedCall, traced_calls
from .uses import OWN, SYMBOL, uses_of

# They only ask for shapes: what is written during such a trace is often meant to be.
_ABSTRACT: Final = frozenset({"eval_shape", "make_jaxpr"})

_Judge = Callable[[Iterable[bool]], bool]


class Root(NamedTuple):
    """A function that is traced."""

    function: FuncItem
    transformation: str | None  # None: jit
    stages: bool  # the body is staged: JAX's results are traced, even of concrete values
    traced: frozenset[Var]  # parameters that hold tracers
    copied: frozenset[Var]  # those that hold a copy of what the caller passed; only if nothing else calls the function
    static: frozenset[Var]
    bound: Var | None = None  # `self` of a method that is passed on with its object

    @property
    def name(self) -> str:
        return described(self.function)


def find_roots(functions: Functions) -> dict[FuncItem, Root]:
    """Finds traced functions by their decorators, or by the calls that pass them to JAX."""
    file = functions.file
    passed: dict[FuncItem, list[TracedCall]] = {}
    mentioned: dict[FuncItem, int] = {}
    for node in chain.from_iterable(functions.nodes.values()):
        if isinstance(node, CallExpr):
            for traced in traced_calls(node, file):
                if (function := function_of(traced.function)) in functions.parents and function is not None:
                    passed.setdefault(function, []).append(traced)
        elif isinstance(node, NameExpr) and isinstance(node.node, FuncDef):
            mentioned[node.node] = mentioned.get(node.node, 0) + 1
    if functions.outermost not in functions.decorators:
        uses, namings = uses_of(file, functions.outermost), OWN if functions.outermost.info else SYMBOL
        passed[functions.outermost] = uses.traced(namings)
        mentioned[functions.outermost] = len(uses.named(namings))
    roots: dict[FuncItem, Root] = {}
    for function in functions.parents:
        decorator = functions.decorators.get(function)
        calls = passed.get(function, []) if decorator is None else list(reach_of(file, function).transformations)
        if _brings_changes_back(function, decorator, file):
            is_copied: _Judge = _never
        elif decorator is not None:
            is_copied = any  # each transforms what the next one makes of it
        else:
            only = isinstance(function, LambdaExpr) or mentioned.get(function) == len(calls)
            is_copied = all if only else _never
        if (root := _root(function, calls, file, is_copied)) is not None:
            is_bound = decorator is None and function is functions.outermost
            roots[function] = root._replace(bound=self_parameter(function)) if is_bound else root
    return roots


def _never(copies: Iterable[bool]) -> bool:
    """Judges that some call passes the object itself."""
    return False


def _brings_changes_back(function: FuncItem, decorator: Decorator | None, file: CheckedFile) -> bool:
    """Whether `nnx.jit` or one of its siblings is what traces the function."""
    if decorator is not None:
        nodes = [node for applied in decorator.original_decorators for node in nodes_below(applied)]
    else:
        nodes = [use.taken_by.callee for use in uses_of(file, function).all if use.taken_by is not None]
    return any(isinstance(node, RefExpr) and node.fullname.startswith(LIFTING_PACKAGES) for node in nodes)


def _root(
    function: FuncItem, uses: Iterable[TracedCall], file: CheckedFile, is_copied: Callable[[Iterable[bool]], bool]
) -> Root | None:
    uses = [use for use in uses if use.transformation not in _ABSTRACT]
    if not uses:
        return None
    found = list(parameters(function))
    markers = file.settings.static_markers
    static = [parameter for parameter in found if kind_of_parameter(parameter, uses, markers) is ParameterKind.STATIC]
    dynamic = [parameter for parameter in found if parameter not in static]
    traced = [parameter for parameter in dynamic if any(_traces(parameter, uses)) and not parameter.has_default]
    copied = [parameter for parameter in dynamic if is_copied(_traces(parameter, uses))]
    return Root(
        function,
        transformation=uses[0].transformation,
        stages=all(use.stages for use in uses),
        traced=frozenset(parameter.variable for parameter in traced),
        copied=frozenset(parameter.variable for parameter in copied),
        static=frozenset(parameter.variable for parameter in static),
    )


def _traces(parameter: Parameter, uses: Iterable[TracedCall]) -> list[bool]:
    return [use.traces(parameter.position, parameter.name) for use in uses]


def host_functions(functions: Functions) -> frozenset[FuncItem]:
    """The nested functions passed to a callback, which run on the host each time."""
    nested = (function for function in functions.parents if function is not functions.outermost)
    return frozenset(function for function in nested if uses_of(functions.file, function).is_callback)


def roots_around(
    function: FuncItem, functions: Functions, roots: Mapping[FuncItem, Root], host: frozenset[FuncItem]
) -> list[Root]:
    """The traces that run a function's body, innermost first."""
    chain = list(functions.chain(function))
    return [] if not host.isdisjoint(chain) else [roots[around] for around in chain if around in roots]
