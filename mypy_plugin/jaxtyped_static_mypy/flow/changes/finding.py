"""The assignments of one outermost function, and of those nested in it, that a trace drops or that keep a tracer."""

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, FuncItem, MypyFile, NameExpr, Node, RefExpr, SymbolNode, TypeInfo, Var
from mypy.types import Instance, ProperType, get_proper_type

from ...classes import class_model
from ...classes.array_holders import is_array
from ...syntax.trees import self_parameter
from ..checked_file import CheckedFile
from .changes import Change, Kind, changes
from .leaks import Leaks
from .names import Functions, adopt_methods
from .places import Place, place_of
from .roots import Root, find_roots, host_functions, roots_around
from .tables import MAKING_REFS, MUTABLE_CONTAINERS, SEQUENCE_METHODS, TELLING_METHODS
from .uses import goes_on

_CHANGED_IN_PLACE: Final = ("flax.nnx.", "flax.linen.")  # whose modules see to what happens to an assignment


class Harm(Enum):
    DROPPED = auto()  # the caller never sees it
    LEAKS_STATIC = auto()
    LEAKS = auto()


class Finding(NamedTuple):
    context: Node
    harm: Harm
    written: str
    root: Root
    owner: str  # the parameter or outer variable
    kind: Kind
    changed: TypeInfo | None = None  # the class of the object that is changed, if that is what the owner is


def find_mutations(functions: Functions) -> list[Finding]:
    function, roots = functions.outermost, find_roots(functions)
    if not roots:
        return []
    root = roots.get(function)
    self = self_parameter(function)
    if root is not None and self is not None and self in root.static | {root.bound}:
        adopt_methods(functions, self)
    host = host_functions(functions)
    found: list[Finding] = []
    for inner in functions.parents:
        around = roots_around(inner, functions, roots, host)
        if around:
            judged = (_judge(change, inner, around, roots, functions) for change in _outward(inner, functions))
            found += [finding for finding in judged if finding is not None]
    return found


def _outward(function: FuncItem, functions: Functions) -> Iterator[Change]:
    """Changes of what is not bound by the assignment itself."""
    for change in changes(functions.nodes[function]):
        name = change.target.node if isinstance(change.target, NameExpr) else None
        if change.kind is not Kind.NAME or (name is not None and functions.owners.get(name) is not function):
            yield change


def _judge(
    change: Change,
    function: FuncItem,
    around: list[Root],
    roots: Mapping[FuncItem, Root],
    functions: Functions,
) -> Finding | None:
    if change.kind is Kind.NAME and isinstance(change.target, NameExpr) and change.target.node is not None:
        place: Place | None = Place(change.target.node)
    else:
        place = place_of(change.target, functions)
    if place is None or _is_ref(place.root, change, functions.file) or _is_function_of_module(change, place):
        return None
    owner = functions.owners.get(place.root)
    crossed = [root for root in around if owner is None or not functions.is_inside(owner, root.function)]
    if crossed:
        return _judge_outer(change, place, crossed, functions)
    root = roots.get(owner) if owner is not None else None
    if root is None or not isinstance(place.root, Var):
        return None
    if place.root in root.static or place.root is root.bound:
        leaks = Leaks([root], functions).may_hold(change.values)
        harm = Harm.LEAKS if place.root is root.bound else Harm.LEAKS_STATIC
        return _finding(change, harm, root, place) if leaks else None
    if place.root not in root.copied or not _is_changed(change, place, root, functions):
        return None
    return None if goes_on(change, place, function, functions) else _finding(change, Harm.DROPPED, root, place)


def _finding(change: Change, harm: Harm, root: Root, place: Place) -> Finding:
    changed = _class_of(place, root)
    return Finding(change.context, harm, change.written, root, place.root.name, change.kind, changed)


def _judge_outer(change: Change, place: Place, crossed: list[Root], functions: Functions) -> Finding | None:
    """Something that is still there when the trace is over."""
    if change.kind is Kind.METHOD and change.method not in SEQUENCE_METHODS and not _is_container(place, functions):
        return None
    if sees_to_changes(_declared_class(place)) or not Leaks(crossed, functions).may_hold(change.values):
        return None
    return _finding(change, Harm.LEAKS, crossed[0], place)


def _is_container(place: Place, functions: Functions) -> bool:
    declared = _declared_class(place)
    if declared is not None:
        return any(base.fullname in MUTABLE_CONTAINERS for base in declared.mro)
    if place.path or not isinstance(place.root, Var):
        return False
    local = [binding.value for binding in functions.bindings.get(place.root, ())]
    values = local or functions.file.assigned.get(place.root, [])
    return bool(values) and all(value is not None and _makes_container(value) for value in values)


def _makes_container(value: Node) -> bool:
    if isinstance(value, CallExpr):
        return isinstance(value.callee, RefExpr) and value.callee.fullname in MUTABLE_CONTAINERS
    return type(value).__name__ in ("ListExpr", "DictExpr", "SetExpr", "ListComprehension", "DictionaryComprehension")


def _declared_type(root: SymbolNode) -> ProperType | None:
    if not isinstance(root, Var) or root.is_inferred or root.type is None:
        return None
    return get_proper_type(root.type)


def _declared_class(place: Place) -> TypeInfo | None:
    """The class of the object that is changed, where the variable itself holds it."""
    declared = _declared_type(place.root)
    if place.path or not isinstance(declared, Instance):
        return None
    return declared.type


def _class_of(place: Place, root: Root) -> TypeInfo | None:
    """The same, of `self` without an annotation, too."""
    if self_parameter(root.function) is place.root and not place.path:
        return _declared_class(place) or root.function.info or None
    return _declared_class(place)


def sees_to_changes(info: TypeInfo | None) -> bool:
    """A module of Flax."""
    return info is not None and any(base.fullname.startswith(_CHANGED_IN_PLACE) for base in info.mro)


def _is_changed(change: Change, place: Place, root: Root, functions: Functions) -> bool:
    """Whether an argument of a trace really changes: not an array, which refuses, nor a frozen object."""
    parameter = next((one for one in root.function.arguments if one.variable is place.root), None)
    if parameter is None or (parameter.kind.is_star() and not place.path):
        return False  # `*args` and `**options` are the function's own
    info = _class_of(place, root)
    if info is None:
        return change.kind is not Kind.METHOD or change.method in TELLING_METHODS
    functions.consulted.update(info.mro)
    if sees_to_changes(info) or is_array(info):
        return False
    if change.kind is Kind.METHOD:
        return any(base.fullname in MUTABLE_CONTAINERS for base in info.mro)
    declaration = class_model.declaration_of(info)
    return declaration is None or not declaration.frozen or change.is_forced


def _is_function_of_module(change: Change, place: Place) -> bool:
    """`jnp.append(x, 1)`: no method of a container."""
    return change.kind is Kind.METHOD and isinstance(place.root, MypyFile) and not place.path


def _is_ref(root: SymbolNode, change: Change, file: CheckedFile) -> bool:
    """`x_ref[i] = value`: a mutable array, which JAX threads through the program."""
    if change.kind is not Kind.ITEM:
        return False
    if isinstance(root, MypyFile) or root.name.rpartition("_")[2] in ("ref", "refs"):
        return True
    declared = _declared_type(root)
    if isinstance(declared, Instance) and declared.type.name.endswith("Ref"):
        return True
    made = file.assigned.get(root, [])
    return any(_makes_ref(value) for value in made)


def _makes_ref(value: Node) -> bool:
    called = value.callee if isinstance(value, CallExpr) else None
    return isinstance(called, RefExpr) and called.fullname.rpartition(".")[2] in MAKING_REFS
