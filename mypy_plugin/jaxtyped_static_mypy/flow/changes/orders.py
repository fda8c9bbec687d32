"""Whether what a method assigns to its object is lost, as far as the file shows who calls it, and when.

A cache that is only read outside of traces is kept. So is one that is filled before the object is passed into a trace,
because it is passed along with the other fields. If the file shows no read, or the first one may be in a trace, the
cache is lost.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Decorator,
    Expression,
    FuncItem,
    MemberExpr,
    NameExpr,
    Node,
    TypeInfo,
)

from ...facts.method_facts import MAKING
from ...reach.roots import Root, find_roots
from ...reach.uses import uses_of
from ...source.checked_file import CheckedFile, once_per_file
from ...source.nested_functions import Functions, Variables, read_functions
from ...source.surroundings import surroundings
from ...syntax.arguments import argument
from ...syntax.trees import parts_of
from ..declared_types import class_in, declared_type

_Nodes = list[tuple[Node, FuncItem | None]]  # and in which function each stands


class Outermost(NamedTuple):
    """An outermost function, or the module around all of them."""

    nodes: _Nodes
    functions: Functions | None
    roots: Mapping[FuncItem, Root]
    is_method: bool
    makes: bool = False  # constructs an object

    def variables(self, file: CheckedFile) -> Variables:
        return self.functions if self.functions is not None else Variables(file)


class _Read(NamedTuple):
    node: MemberExpr
    outermost: Outermost
    root: Root | None  # the trace in which it stands


def may_be_lost(name: str, info: TypeInfo, file: CheckedFile, *, for_its_effect: bool) -> bool:
    """Whether the assignment may be lost, as far as the file shows.

    It may be if a use inside a trace can come first, or if the file shows no use that keeps it.

    Args:
        name: the method or property that assigns.
        for_its_effect: whether it returns nothing, so that even calls in other methods are made for the effect.
    """
    reads = [read for outermost in all_outermost(file) for read in _reads(name, info, outermost)]
    is_private = name.startswith("_") and not name.endswith("__")
    if is_private and all(read.outermost.makes for read in reads):
        return False  # the constructors call it, perhaps those of subclasses in other files
    inside = [read for read in reads if read.root is not None]
    if inside:
        return not all(_is_filled_before(read, name, file) for read in inside)
    return not any(for_its_effect or not read.outermost.is_method for read in reads)


def _reads(name: str, info: TypeInfo, outermost: Outermost) -> Iterator[_Read]:
    for node, function in outermost.nodes:
        if isinstance(node, MemberExpr) and node.name == name and _may_be_of(node.expr, info):
            around = outermost.functions.chain(function) if outermost.functions is not None else iter(())
            yield _Read(node, outermost, next((outermost.roots[one] for one in around if one in outermost.roots), None))


def _may_be_of(receiver: Expression, info: TypeInfo) -> bool:
    """Whether the receiver may be of this class, by its declared type."""
    declared = class_in(declared_type(receiver)) if isinstance(receiver, NameExpr) else None
    return declared is None or info in declared.mro or declared in info.mro


@once_per_file
def all_outermost(file: CheckedFile) -> list[Outermost]:
    defs = file.tree.defs
    module: _Nodes = [(node, None) for statement in defs for node in _outside_of_functions(statement)]
    found = [Outermost(module, None, {}, is_method=False)]
    for function, decorator in _outermost_functions(defs):
        functions = read_functions(function, decorator, file)
        nodes: _Nodes = [(node, inner) for inner, own in functions.nodes.items() for node in own]
        roots = find_roots(functions)
        makes = bool(function.info) and function.name in MAKING
        found.append(Outermost(nodes, functions, roots, bool(function.info), makes))
    return found


def _outermost_functions(nodes: Iterable[Node]) -> Iterator[tuple[FuncItem, Decorator | None]]:
    for node in nodes:
        if isinstance(node, Decorator):
            yield node.func, node
        elif isinstance(node, FuncItem):
            yield node, None
        else:
            yield from _outermost_functions(parts_of(node))


def _outside_of_functions(node: Node) -> Iterator[Node]:
    if not isinstance(node, FuncItem):
        yield node
        for part in parts_of(node):
            yield from _outside_of_functions(part)


def _is_filled_before(read: _Read, name: str, file: CheckedFile) -> bool:
    """Whether each call that passes an object into the trace comes after a read outside, which fills the cache."""
    root, receiver = read.root, read.node.expr
    parameters = [argument.variable for argument in root.function.arguments] if root is not None else []
    if root is None or not isinstance(receiver, NameExpr) or receiver.node not in parameters:
        return False
    index = parameters.index(receiver.node)
    uses = uses_of(file, root.function)
    calls = {use.call for use in uses.likely}.union(uses.calls_of_results())
    given = [
        (_given(node, index, root), outermost)
        for outermost in all_outermost(file)
        for node, _ in outermost.nodes
        if isinstance(node, CallExpr) and node in calls
    ]
    return bool(given) and all(_is_filled(expression, name, outermost, file) for expression, outermost in given)


def _given(call: CallExpr, index: int, root: Root) -> Expression | None:
    if isinstance(call.callee, MemberExpr) and index == 0:
        return call.callee.expr
    return None if root.function.info else argument(call, index, root.function.arguments[index].variable.name)


def _is_filled(given: Expression | None, name: str, outermost: Outermost, file: CheckedFile) -> bool:
    """Whether the object was read after it was bound, and after its fields were last assigned."""
    if not isinstance(given, NameExpr):
        return False
    around = surroundings(given, file).around
    filled = False
    for node, _ in sorted(outermost.nodes, key=lambda pair: _position(pair[0])):
        if _position(node) >= _position(given):
            break
        if _changes(node, given):
            filled = False
        elif _reads_it(node, given, name):
            filled = filled or surroundings(node, file).block in (None, *around)
    return filled


def _position(node: Node) -> tuple[int, int]:
    return node.line, node.column


def _changes(node: Node, variable: NameExpr) -> bool:
    """Whether a node rebinds the variable or assigns a field of its object, so that the cache is empty again."""
    targets = node.lvalues if isinstance(node, AssignmentStmt) else ()
    objects = (target.expr if isinstance(target, MemberExpr) else target for target in targets)
    return any(isinstance(one, NameExpr) and one.node is variable.node for one in objects)


def _reads_it(node: Node, variable: NameExpr, name: str) -> bool:
    receiver = node.expr if isinstance(node, MemberExpr) and node.name == name else None
    return isinstance(receiver, NameExpr) and receiver.node is variable.node
