"""Finds the functions that JAX traces, in an outermost function, and how it treats their parameters."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Decorator, FuncDef, FuncItem, LambdaExpr, MemberExpr, NameExpr, Node, RefExpr, Var
from mypy.types import Instance, get_proper_type

from ...classes import class_model
from ...knowledge.full_names import PARTIAL
from ...knowledge.function_rows import Effect
from ...knowledge.jax_functions import jax_function
from ...libraries import LIFTING_PACKAGES
from ...markers.marker import Marker, marker_of
from ...source.checked_file import CheckedFile
from ...syntax.trees import function_of, is_self, nodes_below, self_parameter
from ..reaching_jax import calls_of_lambda, calls_tracing, transformations
from ..traced.parameters import Parameter, described, parameters
from ..traced_calls import TracedCall, traced_calls
from .functions import Functions

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
        passed[functions.outermost], mentioned[functions.outermost] = _outermost_uses(functions.outermost, file)
    roots: dict[FuncItem, Root] = {}
    for function in functions.parents:
        decorator = functions.decorators.get(function)
        uses = list(transformations(decorator, file)) if decorator is not None else passed.get(function, [])
        if _brings_changes_back(function, decorator, file):
            is_copied: _Judge = _never
        elif decorator is not None:
            is_copied = any  # each transforms what the next one makes of it
        else:
            only = isinstance(function, LambdaExpr) or mentioned.get(function) == len(uses)
            is_copied = all if only else _never
        if (root := _root(function, uses, file, is_copied)) is not None:
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
    elif isinstance(function, LambdaExpr):
        call = file.lambda_calls.get(function)
        nodes = [call.callee] if call is not None else []
    else:
        uses = file.uses_by_name.get(function.name, ())
        nodes = [use.call.callee for use in uses if use.call is not None]
    return any(isinstance(node, RefExpr) and node.fullname.startswith(LIFTING_PACKAGES) for node in nodes)


def _outermost_uses(function: FuncItem, file: CheckedFile) -> tuple[list[TracedCall], int]:
    """How the file passes the function to JAX, and how often it uses the name."""
    if isinstance(function, LambdaExpr):
        return calls_of_lambda(function, file), 1
    named = file.uses_by_name.get(function.name, [])
    uses = [use for use in named if _stands_for(use.expression, function, file)]
    traced = (traced for use in uses for traced in calls_tracing(use, file))
    return [one.of_method() if function.info else one for one in traced], len(uses)


def _stands_for(expression: RefExpr, function: FuncItem, file: CheckedFile) -> bool:
    """Whether a name refers to the function: an attribute of another object may have the same name."""
    if not function.info:
        return isinstance(expression.node, FuncDef) and expression.node is function
    is_only = len(file.functions_named.get(function.name, [])) == 1
    return is_only and isinstance(expression, MemberExpr) and is_self(expression.expr)


def _root(
    function: FuncItem, uses: Iterable[TracedCall], file: CheckedFile, is_copied: Callable[[Iterable[bool]], bool]
) -> Root | None:
    uses = [use for use in uses if use.transformation not in _ABSTRACT]
    if not uses:
        return None
    found = list(parameters(function))
    static = [one for one in found if _is_static(one, uses, file)]
    dynamic = [one for one in found if one not in static]
    traced = [one for one in dynamic if any(_traces(one, uses)) and not one.has_default]
    copied = [one for one in dynamic if is_copied(_traces(one, uses))]
    return Root(
        function,
        transformation=uses[0].transformation,
        stages=all(use.stages for use in uses),
        traced=frozenset(one.variable for one in traced),
        copied=frozenset(one.variable for one in copied),
        static=frozenset(one.variable for one in static),
    )


def _traces(parameter: Parameter, uses: Iterable[TracedCall]) -> list[bool]:
    return [use.traces(parameter.position, parameter.name) for use in uses]


def _is_static(parameter: Parameter, uses: Iterable[TracedCall], file: CheckedFile) -> bool:
    if marker_of(parameter.type, file.settings.static_markers) is Marker.STATIC:
        return True
    if any(use.kept is not None and parameter.position not in use.kept for use in uses):
        return False  # a wrapper may have made it
    typ = get_proper_type(parameter.type)
    if isinstance(typ, Instance) and class_model.is_passed_as_is(typ.type):
        return True
    return all(use.transformation is None for use in uses) and not any(_traces(parameter, uses))


def host_functions(functions: Functions) -> frozenset[FuncItem]:
    """The functions passed to a callback, which run on the host each time."""
    calls = [node for nodes in functions.nodes.values() for node in nodes if isinstance(node, CallExpr)]
    called = (_passed_functions(call) for call in calls if _calls_the_host(call))
    return frozenset(function for one in called for function in one)


def _calls_the_host(call: CallExpr) -> bool:
    callee = call.callee
    return isinstance(callee, RefExpr) and Effect.CALLS_HOST in jax_function(callee.fullname).effects


def _passed_functions(call: CallExpr) -> Iterator[FuncItem]:
    for argument in call.args:
        inner = argument
        if isinstance(inner, CallExpr) and isinstance(inner.callee, RefExpr) and inner.callee.fullname == PARTIAL:
            inner = inner.args[0] if inner.args else inner
        if (function := function_of(inner)) is not None:
            yield function


def roots_around(
    function: FuncItem, functions: Functions, roots: Mapping[FuncItem, Root], host: frozenset[FuncItem]
) -> list[Root]:
    """The traces that run a function's body, innermost first."""
    chain = list(functions.chain(function))
    return [] if any(one in host for one in chain) else [roots[one] for one in chain if one in roots]


def calls_of(nodes: Iterable[Node], functions: Functions) -> Iterator[tuple[FuncItem, CallExpr]]:
    """Yields calls of functions by name, and of methods on `self`."""
    for node in nodes:
        if isinstance(node, CallExpr):
            called = functions.own_methods.get(node.callee) or function_of(node.callee)
            if called is not None:
                yield called, node
