"""Finds the functions that JAX traces, in an outermost function, and how it treats their parameters."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import compress
from typing import Final, NamedTuple

from mypy.nodes import FuncItem, RefExpr, TypeInfo, Var

from ..classes import class_model
from ..knowledge import naming
from ..libraries import LIFTING_PACKAGES
from ..source.checked_file import CheckedFile, once_per_file
from ..source.nested_functions import Functions, all_outermost
from ..source.parameters import described, parameters
from ..syntax.trees import nodes_below, self_parameter
from .applied import applied_in
from .description import FunctionReach, ParameterKind, reach_of
from .traced_calls import TracedCall
from .uses import uses_of

# They only ask for shapes: what is written during such a trace is often meant to be.
_ASKING_SHAPES: Final = frozenset({"eval_shape", "make_jaxpr"})

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
    is_compiled: bool = True  # what is traced is kept for the next call, so that the body does not run again
    lifts: bool = False  # what the body does to its arguments is done to the caller's objects

    @property
    def name(self) -> str:
        return described(self.function)

    @property
    def tracer(self) -> str:
        """The name of what traces it."""
        return self.transformation or "jit"


def find_roots(functions: Functions) -> dict[FuncItem, Root]:
    """Finds traced functions by their decorators, or by the calls that pass them to JAX."""
    roots: dict[FuncItem, Root] = {}
    for function in functions.parents:
        root, consulted = _root(functions.file, function, function is functions.outermost)
        functions.consulted.update(consulted)
        if root is not None:
            roots[function] = root
    return roots


@once_per_file
def roots_of(file: CheckedFile) -> Mapping[FuncItem, Root]:
    """All functions of a file that JAX traces."""
    read = (outermost.functions for outermost in all_outermost(file))
    found = (find_roots(functions) for functions in read if functions is not None)
    return {function: root for roots in found for function, root in roots.items()}


@once_per_file
def _root(file: CheckedFile, function: FuncItem, is_outermost: bool) -> tuple[Root | None, frozenset[TypeInfo]]:
    """How a function is traced, if it is, and the classes that the answer depends on."""
    reach = reach_of(file, function)
    traced_calls = reach.uses.traced if reach.is_as_written else reach.transformations
    traced_calls = [*traced_calls, *(traced for _, traced in applied_in(file).get(function, ()) if traced.is_later)]
    # A kernel of Pallas is there to write to what it gets.
    traced_calls = [call for call in traced_calls if not call.gives_refs and call.transformation not in _ASKING_SHAPES]
    if not traced_calls:
        return None, frozenset()
    is_copied = _judge_of_copies(reach)
    is_bound = reach.is_as_written and is_outermost
    consulted = set[TypeInfo]()
    static, traced, copied = set[Var](), set[Var](), set[Var]()
    for parameter in parameters(function):
        is_traced = [call.traces(parameter.position, parameter.name) for call in traced_calls]
        if reach.kind_of(parameter, traced_calls) is ParameterKind.STATIC or (
            any(is_traced) and _is_plain_self(parameter.variable, function, traced_calls, consulted)
        ):
            static.add(parameter.variable)
            continue
        is_passed = (not call.may_be_filled for call in traced_calls)
        if any(compress(is_traced, is_passed)) and not parameter.has_default:
            traced.add(parameter.variable)
        if is_copied(is_traced):
            copied.add(parameter.variable)
    root = Root(
        function,
        transformation=traced_calls[0].transformation,
        stages=all(call.stages for call in traced_calls),
        traced=frozenset(traced),
        copied=frozenset(copied),
        static=frozenset(static),
        bound=self_parameter(function) if is_bound else None,
        is_compiled=any(compiles(call.transformation) for call in traced_calls),
        lifts=_brings_changes_back(reach),
    )
    return root, frozenset(consulted)


def compiles(transformation: str | None) -> bool:
    """`None` is `jit` itself; `jit` also stands for one around another transformation."""
    return transformation is None or naming.compiles(transformation)


def _is_plain_self(
    variable: Var, function: FuncItem, traced_calls: Iterable[TracedCall], consulted: set[TypeInfo]
) -> bool:
    """Whether it is the object of a method below `eqx.filter_jit` that is no pytree: a leaf without arrays stays."""
    if variable is not self_parameter(function) or not all(call.arrays_only for call in traced_calls):
        return False
    consulted.update(function.info.mro)
    is_unseen = class_model.has_unseen_base(function.info) or not class_model.is_readable(function.info)
    return not is_unseen and not class_model.is_pytree(function.info)


def _judge_of_copies(reach: FunctionReach) -> _Judge:
    """Whether a function gets only copies of an object, by which of its traces copy it."""
    if _brings_changes_back(reach):
        return _never
    if not reach.is_as_written:
        return any  # each transforms what the next one makes of it
    return all if len(reach.uses.traced) == len(reach.uses.certain) else _never


def _never(copies: Iterable[bool]) -> bool:
    return False


def _brings_changes_back(reach: FunctionReach) -> bool:
    """Whether `nnx.jit` or one of its siblings is what traces the function."""
    if reach.decorator is not None and not reach.is_as_written:
        nodes = [node for applied in reach.decorator.original_decorators for node in nodes_below(applied)]
    else:
        nodes = [use.taken_by.callee for use in reach.uses.all if use.taken_by is not None]
    return any(isinstance(node, RefExpr) and node.fullname.startswith(LIFTING_PACKAGES) for node in nodes)


def host_functions(functions: Functions) -> frozenset[FuncItem]:
    """The nested functions passed to a callback, which run on the host each time."""
    nested = (function for function in functions.parents if function is not functions.outermost)
    return frozenset(function for function in nested if uses_of(functions.file, function).is_callback)


def traced_code(functions: Functions) -> Iterator[tuple[FuncItem, list[Root]]]:
    """Each function of which traces run the body, with these traces, innermost first."""
    roots = find_roots(functions)
    host = host_functions(functions) if roots else frozenset()
    for inner in functions.parents if roots else ():
        if around := roots_around(inner, functions, roots, host):
            yield inner, around


def roots_around(
    function: FuncItem, functions: Functions, roots: Mapping[FuncItem, Root], host: frozenset[FuncItem]
) -> list[Root]:
    """The traces that run a function's body, innermost first."""
    chain = list(functions.chain(function))
    return [] if not host.isdisjoint(chain) else [roots[around] for around in chain if around in roots]
