"""Where JAX takes objects of a class apart and builds new ones, as far as a file shows: they cross a jit boundary."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    Decorator,
    DictExpr,
    Expression,
    FuncDef,
    FuncItem,
    ListExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    SymbolNode,
    TupleExpr,
    TypeInfo,
)
from mypy.types import CallableType, get_proper_type
from mypy.typevars import fill_typevars_with_any

from ..classes.held_classes import held_classes
from ..classes.roles import user_bases
from ..classes.self_uses import reached_from, uses_by_method
from ..knowledge.jax_functions import jax_name
from ..libraries import known_function
from ..reach.roots import Root, roots_of
from ..reach.traced_calls import TracedCall, traced_calls
from ..source.bindings import bindings_of, made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..source.nested_functions import Variables, all_outermost
from ..source.parameters import parameters
from ..syntax.arguments import argument
from ..syntax.names import callee_name
from ..syntax.trees import nodes_below, self_parameter
from .changes.refused import class_of

_TREES: Final = ("tree.", "tree_util.")
_BY_NAME: Final = 1 << 30  # the position of an argument that is given by its name
_JIT: Final = "jit"


class Crossing(NamedTuple):
    """A place that hands objects to JAX."""

    line: int
    through: str  # `jit`, `scan`, `tree.map`
    function: FuncItem | None = None  # which gets them there, if it is one of the file

    @property
    def order(self) -> tuple[int, str]:
        return self.line, self.through


def crossing(info: TypeInfo, file: CheckedFile, attribute: str = "") -> Crossing | None:
    """The first place where objects of a class cross, or may, as those of a base; None if the file shows none.

    `attribute`: one that reads it there comes before all others.
    """
    own = set(user_bases(info))
    related = [one for cls, found in _crossings(file).items() if cls in own or info in cls.mro for one in found]
    reading = [one for one in related if one.function is not None and _reads(one.function, attribute, info)]
    return min(reading or related, key=lambda one: one.order, default=None)


def _reads(function: FuncItem, attribute: str, info: TypeInfo) -> bool:
    """Whether a function reads an attribute of objects of a class, itself or in a method that it calls."""
    uses = uses_by_method(info)
    names = {node.name for node in nodes_below(function) if isinstance(node, MemberExpr)}
    return attribute in names or any(
        attribute in reached_from(name, uses, info).methods for name in names & uses.keys()
    )


def lifting(info: TypeInfo, file: CheckedFile) -> Root | None:
    """The first traced function that takes objects of a class, or of a base, and brings back what it does to them."""
    own = set(user_bases(info))
    roots = (root for root in roots_of(file).values() if root.lifts)
    taking = (root for root in roots if any(cls in own or info in cls.mro for cls in _of_root(root)))
    return min(taking, key=lambda root: root.function.line, default=None)


def reaches_jax(info: TypeInfo, file: CheckedFile) -> bool:
    """Whether the file shows that JAX gets objects of a class: they cross, or are the object of a compiled method, or
    a static argument.
    """
    if crossing(info, file) is not None:
        return True
    own = set(user_bases(info))
    return any(cls in own or info in cls.mro for cls in _kept_whole(file))


@once_per_file
def _kept_whole(file: CheckedFile) -> frozenset[TypeInfo]:
    """The classes of the objects that compiled functions get as they are."""
    found = set[TypeInfo]()
    for root in roots_of(file).values():
        if root.function.info and self_parameter(root.function) is not None:
            found.update(held_classes(fill_typevars_with_any(root.function.info)))
        for parameter in parameters(root.function):
            if parameter.variable in root.static:
                found.update(held_classes(parameter.type))
    return frozenset(found)


@once_per_file
def _crossings(file: CheckedFile) -> Mapping[TypeInfo, list[Crossing]]:
    found: dict[TypeInfo, list[Crossing]] = {}
    for infos, place in _all(file):
        for info in infos:
            found.setdefault(info, []).append(place)
    return found


def _all(file: CheckedFile) -> Iterator[tuple[Iterable[TypeInfo], Crossing]]:
    for root in roots_of(file).values():
        yield _of_root(root), Crossing(root.function.line, root.transformation or _JIT, root.function)
    for outermost in all_outermost(file):
        for node, _ in outermost.nodes:
            if isinstance(node, CallExpr):
                yield from _of_call(node, outermost.variables, file)


def _of_root(root: Root) -> Iterator[TypeInfo]:
    """The classes of what a traced function is declared to take and to return."""
    passed = (parameter for parameter in parameters(root.function) if parameter.variable is not root.bound)
    for parameter in passed:
        if parameter.variable not in root.static:
            yield from held_classes(parameter.type)
    signature = get_proper_type(root.function.type)
    if isinstance(signature, CallableType) and isinstance(root.function, FuncDef):
        yield from held_classes(signature.ret_type)


def _of_call(call: CallExpr, variables: Variables, file: CheckedFile) -> Iterator[tuple[Iterable[TypeInfo], Crossing]]:
    """The classes of what a call passes to a traced function, or to one of JAX that takes trees."""
    if (through := _takes_trees(call)) is not None:
        yield _classes(call.args, variables), Crossing(call.line, through)
    elif (root := root_called(call, file)) is not None:
        yield (
            _classes(given_to(root, call, are_static=False), variables),
            Crossing(call.line, root.transformation or _JIT, root.function),
        )
    elif (made := made_by(call.callee, file)) is not call.callee or isinstance(made, CallExpr):
        for traced in traced_calls(file, made) if isinstance(made, CallExpr) else ():
            yield (
                _classes(given_as(traced, call, are_static=False), variables),
                Crossing(call.line, traced.transformation or _JIT),
            )
    for traced in (one for one in traced_calls(file, call) if not one.is_later):
        yield _of_foreign(traced, file), Crossing(call.line, traced.transformation or _JIT)


def _takes_trees(call: CallExpr) -> str | None:
    """The name of a function of JAX that takes trees apart, if a call is one: `jax.tree.map`, `lax.scan`."""
    name, row = jax_name(callee_name(call)) or "", known_function(callee_name(call))
    if name.startswith(_TREES):
        return name.replace("tree_util.tree_", "tree.")
    return name.rpartition(".")[2] if row.calls is not None and row.new is None else None


def root_called(call: CallExpr, file: CheckedFile) -> Root | None:
    """The traced function of the file that a call names."""
    node = call.callee.node if isinstance(call.callee, RefExpr) else None
    function = node.func if isinstance(node, Decorator) else node
    return roots_of(file).get(function) if isinstance(function, FuncDef) else None


def given_to(root: Root, call: CallExpr, *, are_static: bool) -> Iterator[Expression]:
    """What a call of a traced function of the file gives to its static, or to its other parameters."""
    before = bool(root.function.info)
    for parameter in parameters(root.function):
        given = argument(call, parameter.position - before, parameter.name)
        if given is not None and (parameter.variable in root.static) is are_static:
            yield given


def given_as(traced: TracedCall, call: CallExpr, *, are_static: bool) -> Iterator[Expression]:
    """The same for a call of what `jax.jit(f)` and the like return."""
    for index, (given, name) in enumerate(zip(call.args, call.arg_names, strict=True)):
        if traced.traces(_BY_NAME if name is not None else index, name or "") is not are_static:
            yield given


def _of_foreign(traced: TracedCall, file: CheckedFile) -> Iterator[TypeInfo]:
    """The classes of what a function of another module is declared to take, which a call of this file traces."""
    function = traced.function.node if isinstance(traced.function, RefExpr) else None
    if not isinstance(function, FuncDef) or function in roots_of(file) or function.info:
        return
    signature = get_proper_type(function.type)  # a function that mypy took from its cache has no `arguments`
    if isinstance(signature, CallableType):
        for position, (name, declared) in enumerate(zip(signature.arg_names, signature.arg_types, strict=True)):
            if traced.traces(position, name or ""):
                yield from held_classes(declared)


def _classes(given: Iterable[Expression], variables: Variables) -> Iterator[TypeInfo]:
    """The classes of what these expressions may be: what any binding of a variable makes counts."""
    pending, followed = list(given), set[SymbolNode]()
    while pending:
        node = pending.pop()
        if isinstance(node, TupleExpr | ListExpr):
            pending += node.items
        elif isinstance(node, DictExpr):
            pending += [value for _, value in node.items]
        elif (info := class_of(node, variables)) is not None:
            yield from held_classes(fill_typevars_with_any(info))
            pending += node.args if isinstance(node, CallExpr) else []
        elif isinstance(node, NameExpr) and node.node is not None and node.node not in followed:
            followed.add(node.node)
            bound = variables.bindings.get(node.node) or bindings_of(node.node, variables.file)
            pending += [binding.whole for binding in bound if binding.whole is not None]
