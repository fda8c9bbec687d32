"""Finds the assignments in a traced function that are lost when the trace ends, or that leak a tracer."""

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, FuncItem, MypyFile, NameExpr, Node, RefExpr, TypeInfo, Var

from ...classes import class_model
from ...classes.array_holders import is_array
from ...knowledge.members import SEQUENCE_METHODS, TELLING_METHODS, VARIABLE_ATTRIBUTES
from ...knowledge.type_rows import Trait
from ...libraries import TRACKING_PACKAGES, lifted_by, types_with
from ...reach.roots import Root, find_roots, host_functions, roots_around
from ...source.bindings import bindings_of
from ...source.expected import is_error_expected, stands_below_raises
from ...source.nested_functions import Functions, adopt_methods
from ...source.parameters import described
from ...syntax.changes import DEFAULTING, Change, ChangeKind, changes_and_defaults
from ...syntax.literals import MUTABLE_DISPLAYS
from ...syntax.trees import self_parameter
from ..declared_types import class_in, declared_type
from ..traced.array_items import are_of_array
from .access_paths import AccessPath, access_path
from .caches import adopt_filling, fills_cache, is_filled_outside
from .clearing import is_cleared
from .effects import stored_by_calls
from .filling import may_hold_another_value
from .forgotten import is_forgotten
from .later_uses import is_used_later
from .leaks import Leaks, is_computed_at_once
from .lifted_calls import handed_to_library
from .outside_traces import runs_outside_traces
from .overwritten import is_overwritten
from .refs import is_ref
from .refused import class_of_variable, refusing_class
from .set_first import is_set_first
from .shared import is_shared, shared_container
from .updated_arrays import is_read_again, updates_array
from .updating_calls import has_shared_variables, updates_by_library
from .used_up import is_used_up

_CONTAINERS: Final = types_with(Trait.CHANGED)


class Outcome(Enum):
    """What becomes of an assignment in a trace."""

    DROPPED = auto()  # the caller never sees it
    LEAKS_STATIC = auto()
    LEAKS = auto()
    REFUSED = auto()  # by a frozen class
    ANOTHER_TRACE = auto()  # by a library whose objects only change in the trace that made them


class Mutation(NamedTuple):
    """A change in a traced function that is lost, leaks a tracer, or raises."""

    context: Node
    outcome: Outcome
    written: str
    root: Root
    owner: str  # the parameter or outer variable
    kind: ChangeKind
    changed: TypeInfo | None = None  # the class of the owner, if the owner itself is what changes
    is_compiled: bool = True  # the body does not run on each call
    library: str = ""  # the one whose transformations would bring the change back
    cached_by: str = ""  # the function, where the change fills a cache that its later calls read
    is_of_arguments: bool = False  # what that cache gets is computed from arguments


def find_mutations(functions: Functions) -> list[Mutation]:
    """The harmful changes in an outermost function and those nested in it; none if JAX traces none of them."""
    function, roots = functions.outermost, find_roots(functions)
    if not roots:
        return []
    root = roots.get(function)
    self = self_parameter(function)
    if root is not None and self is not None and self in root.static | {root.bound}:
        adopt_methods(functions, self)
    host = host_functions(functions)
    called = adopt_filling(functions, roots, host)
    adopted = set(functions.adopted.values())
    found: list[Mutation] = []
    for inner in functions.parents:
        around = roots_around(inner, functions, roots, host)
        for change in _outward(inner, functions) if around else ():
            refused = _refused(change, around[0], functions) if inner not in called else None
            judged = refused or _judge(change, inner, around, roots, functions)
            # `static-mutable` tells of the caches of static arguments.
            leaks = (Outcome.LEAKS,) if inner in called else (Outcome.LEAKS, Outcome.LEAKS_STATIC)
            is_leak = judged is not None and judged.outcome in leaks
            if judged is not None and is_leak and inner in adopted and fills_cache(change, inner, functions.file):
                found += _of_cache(judged, change, inner, around, functions)
            elif judged is not None and inner not in called:
                found.append(judged)
        found += _stored_by_calls(inner, around, roots, functions) if around else ()
    return found


def _stored_by_calls(
    function: FuncItem, around: list[Root], roots: Mapping[FuncItem, Root], functions: Functions
) -> Iterator[Mutation]:
    """The leaks into objects whose methods the function calls. A copy that changes is the rule of the class."""
    for stored in stored_by_calls(function, functions):
        judged = _judge(stored.change, function, around, roots, functions)
        if judged is not None and judged.outcome in (Outcome.LEAKS, Outcome.LEAKS_STATIC):
            yield judged._replace(written=stored.called)


def _of_cache(
    judged: Mutation, change: Change, function: FuncItem, around: list[Root], functions: Functions
) -> Iterator[Mutation]:
    """The leak into a cache by hand, if only traces fill it."""
    if is_filled_outside(change, function, functions) or may_hold_another_value(change, function, functions):
        return
    known = Leaks([root._replace(stages=False) for root in around], functions)  # what JAX computes from constants
    yield judged._replace(cached_by=described(function), is_of_arguments=known.may_hold(change.values))


def _refused(change: Change, root: Root, functions: Functions) -> Mutation | None:
    info = refusing_class(change, functions)
    if info is None:
        return None
    owner = change.written.rpartition(".")[0]
    return Mutation(change.context, Outcome.REFUSED, change.written, root, owner, change.kind, info)


def _outward(function: FuncItem, functions: Functions) -> Iterator[Change]:
    """Yields the mutations, leaving out plain assignments to the function's own variables."""
    yield from updates_by_library(functions.nodes[function], functions)
    yield from handed_to_library(functions.nodes[function], functions)
    for change in changes_and_defaults(functions.nodes[function]):
        name = change.target.node if isinstance(change.target, NameExpr) else None
        if change.kind is not ChangeKind.NAME or (name is not None and functions.owners.get(name) is not function):
            yield change


def _judge(
    change: Change,
    function: FuncItem,
    around: list[Root],
    roots: Mapping[FuncItem, Root],
    functions: Functions,
) -> Mutation | None:
    if change.kind is ChangeKind.NAME and isinstance(change.target, NameExpr) and change.target.node is not None:
        accessed: AccessPath | None = AccessPath(change.target.node)
    else:
        accessed = access_path(change.target, functions)
        accessed = (shared_container(accessed, functions) or accessed) if accessed is not None else None
    if accessed is None or is_ref(accessed.root, change, functions) or _is_function_of_module(change, accessed):
        return None
    library = _library(change, accessed, functions)
    if change.kind is ChangeKind.WHOLE and not library:
        return None  # a mutable array, which JAX threads through the program
    owner = functions.owners.get(accessed.root)
    root = roots.get(owner) if owner is not None else None
    is_bound = root is not None and accessed.root is root.bound
    crossed = [root for root in around if owner is None or not functions.is_inside(owner, root.function)]
    captured = around if is_bound else crossed
    if captured and library:
        mutation = _mutation(change, Outcome.ANOTHER_TRACE, captured, accessed, captured[0])
        return None if is_error_expected(change.context, functions.file) else mutation._replace(library=library)
    if change.kind is ChangeKind.LIFTED:
        return None  # what the trace gets, or makes, it may hand on
    if crossed and stands_below_raises(change.context, functions.file):
        return None  # it is there to raise, before it changes anything
    if crossed:
        return _judge_outer(change, accessed, crossed, roots, functions)
    if root is None or not isinstance(accessed.root, Var):
        return None
    if accessed.root in root.static or accessed.root is root.bound:
        leaks = _leaks(change, accessed, [root], functions)
        outcome = Outcome.LEAKS if accessed.root is root.bound else Outcome.LEAKS_STATIC
        return _mutation(change, outcome, around, accessed, root) if leaks else None
    if accessed.root not in root.copied or not _is_changed(change, accessed, root, functions):
        return None
    if is_used_later(change, accessed, function, functions) or is_forgotten(
        accessed.root, root.function, functions.file
    ):
        return None
    mutation = _mutation(change, Outcome.DROPPED, around, accessed, root)
    return mutation._replace(library=library)


def _mutation(change: Change, outcome: Outcome, around: list[Root], accessed: AccessPath, root: Root) -> Mutation:
    """`around`: the traces that run the code."""
    changed, is_compiled = _class_of(accessed, root), any(outer.is_compiled for outer in around)
    return Mutation(
        change.context, outcome, change.written, root, accessed.root.name, change.kind, changed, is_compiled
    )


def _judge_outer(
    change: Change,
    accessed: AccessPath,
    crossed: list[Root],
    roots: Mapping[FuncItem, Root],
    functions: Functions,
) -> Mutation | None:
    """Judges a mutation of an object that outlives the trace."""
    if (
        change.kind is ChangeKind.METHOD
        and (change.is_returned or change.method not in SEQUENCE_METHODS)
        and not _is_container(accessed, functions)
    ):
        return None
    if is_used_up(accessed, crossed, roots, functions) and not is_read_again(change, accessed, crossed[-1], functions):
        return None
    if is_set_first(change, accessed, functions) or tracks_mutation(_declared_class(accessed)):
        return None
    if not _leaks(change, accessed, crossed, functions) or is_overwritten(change, accessed, crossed, functions):
        return None
    return _mutation(change, Outcome.LEAKS, crossed, accessed, crossed[0])


def _leaks(change: Change, accessed: AccessPath, crossed: list[Root], functions: Functions) -> bool:
    """Whether the object may hold a tracer when the trace has ended."""
    leaks = Leaks(crossed, functions)
    if is_computed_at_once(change.context, functions.file) or runs_outside_traces(change.context, functions.file):
        return False
    is_computed = change.is_computed or updates_array(change, accessed, functions)
    is_kept = (is_computed and leaks.stages) or leaks.may_hold(change.values)
    return is_kept and not is_cleared(change, accessed, leaks, functions)


def _is_container(accessed: AccessPath, functions: Functions) -> bool:
    declared = _declared_class(accessed)
    if not accessed.path and is_shared(accessed.root):
        return True
    if declared is not None:
        return any(base.fullname in _CONTAINERS for base in declared.mro)
    if accessed.path or not isinstance(accessed.root, Var):
        return False
    found = functions.bindings.get(accessed.root) or bindings_of(accessed.root, functions.file)
    return bool(found) and all(bound.value is not None and _makes_container(bound.value) for bound in found)


def _makes_container(value: Node) -> bool:
    if isinstance(value, CallExpr):
        return isinstance(value.callee, RefExpr) and value.callee.fullname in _CONTAINERS
    return isinstance(value, MUTABLE_DISPLAYS)


def _declared_class(accessed: AccessPath) -> TypeInfo | None:
    """The declared class of the mutated object, if a variable holds the object directly."""
    return class_in(declared_type(accessed.root)) if not accessed.path else None


def _class_of(accessed: AccessPath, root: Root) -> TypeInfo | None:
    """The class of the mutated object, if a variable or an unannotated `self` holds the object directly."""
    if self_parameter(root.function) is accessed.root and not accessed.path:
        return _declared_class(accessed) or root.function.info or None
    return _declared_class(accessed)


def _library(change: Change, accessed: AccessPath, functions: Functions) -> str:
    """The library of an object that holds mutable variables, if one of these or an attribute of the object changes."""
    if has_shared_variables(functions.file):
        return ""
    if change.library:
        return change.library
    if change.kind is ChangeKind.ATTRIBUTE:
        is_known = not accessed.path or change.written.rpartition(".")[2] in VARIABLE_ATTRIBUTES
    else:
        is_known = change.kind is ChangeKind.WHOLE
    info = class_of_variable(accessed.root, functions) if is_known and isinstance(accessed.root, Var) else None
    return lifted_by(info) if info is not None else ""


def tracks_mutation(info: TypeInfo | None) -> bool:
    """Whether the class comes from a library that handles assignments in a trace itself, as Flax NNX does."""
    return info is not None and any(base.fullname.startswith(TRACKING_PACKAGES) for base in info.mro)


def _is_changed(change: Change, accessed: AccessPath, root: Root, functions: Functions) -> bool:
    """Whether the mutation succeeds: arrays and frozen objects refuse it."""
    if change.is_returned and change.method == DEFAULTING:
        return False  # a look-up with a default
    kinds = {argument.variable: argument.kind for argument in root.function.arguments}
    if accessed.root not in kinds or (kinds[accessed.root].is_star() and not accessed.path):
        return False  # `*args` and `**options` are the function's own
    info = _class_of(accessed, root)
    if info is None and change.item is not None and are_of_array(change.item, functions.file):
        return False  # `jit-branch` reports it
    if info is None:
        return change.kind is not ChangeKind.METHOD or (change.method in TELLING_METHODS and not change.is_returned)
    functions.consulted.update(info.mro)
    if is_array(info) or (tracks_mutation(info) and not _library(change, accessed, functions)):
        return False
    if change.kind is ChangeKind.METHOD:
        return any(base.fullname in _CONTAINERS for base in info.mro)
    declaration = class_model.declaration_of(info)
    return declaration is None or not declaration.frozen or change.is_forced


def _is_function_of_module(change: Change, accessed: AccessPath) -> bool:
    """Whether this is a function such as `jnp.append(x, 1)`, not a method of a container."""
    return change.kind is ChangeKind.METHOD and isinstance(accessed.root, MypyFile) and not accessed.path
