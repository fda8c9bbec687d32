"""Whether what a method assigns to its object is lost, as far as the file shows who calls it, and when.

A cache that is only read outside of traces is kept. So is one that is filled before the object is passed into a trace,
because it is passed along with the other fields. If the file shows no read, or the first one may be in a trace, the
cache is lost.
"""

from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    FuncItem,
    MemberExpr,
    NameExpr,
    Node,
    TypeInfo,
)

from ...facts.method_facts import MAKING
from ...reach.roots import Root, roots_of
from ...reach.uses import uses_of
from ...source.checked_file import CheckedFile
from ...source.nested_functions import Outermost, all_outermost
from ...source.surroundings import surroundings
from ...syntax.arguments import argument
from ...syntax.changes import Change, ChangeKind, written
from ..declared_types import class_in, declared_type
from .access_paths import access_path
from .later_uses import is_used_later


def is_used(name: str, info: TypeInfo, file: CheckedFile) -> bool:
    """Whether the file shows who uses a method or property of a class."""
    return any(True for outermost in all_outermost(file) for _ in _reads(name, info, outermost, file))


class _Read(NamedTuple):
    node: MemberExpr
    within: FuncItem | None  # the innermost function around it
    outermost: Outermost
    root: Root | None  # the trace in which it stands

    @property
    def function(self) -> FuncItem | None:
        """The outermost function around it."""
        return self.outermost.functions.outermost if self.outermost.functions is not None else None


def may_be_lost(name: str, info: TypeInfo, file: CheckedFile, *, for_its_effect: bool) -> bool:
    """Whether the assignment may be lost, as far as the file shows.

    It may be if a use inside a trace can come first, or if the file shows no use that keeps it.

    Args:
        name: the method or property that assigns.
        for_its_effect: whether it returns nothing, so that even calls in other methods are made for the effect.
    """
    reads = [read for outermost in all_outermost(file) for read in _reads(name, info, outermost, file)]
    is_private = name.startswith("_") and not name.endswith("__")
    if is_private and all(read.function is not None and _makes(read.function) for read in reads):
        return False  # the constructors call it, perhaps those of subclasses in other files
    inside = [read for read in reads if read.root is not None]
    if inside:
        return not all(_is_handed_on(read) or _is_filled_before(read, name, file) for read in inside)
    return not any(for_its_effect or read.function is None or not read.function.info for read in reads)


def _makes(function: FuncItem) -> bool:
    """Whether a function is a method that constructs an object."""
    return bool(function.info) and function.name in MAKING


def _reads(name: str, info: TypeInfo, outermost: Outermost, file: CheckedFile) -> Iterator[_Read]:
    functions = outermost.functions
    for node, function in outermost.nodes:
        if isinstance(node, MemberExpr) and node.name == name and _may_be_of(node.expr, info):
            around = functions.chain(function) if functions is not None else ()
            root = next((root for inner in around if (root := roots_of(file).get(inner)) is not None), None)
            yield _Read(node, function, outermost, root)


def _may_be_of(receiver: Expression, info: TypeInfo) -> bool:
    """Whether the receiver may be of this class, by its declared type."""
    declared = class_in(declared_type(receiver)) if isinstance(receiver, NameExpr) else None
    return declared is None or info in declared.mro or declared in info.mro


def _is_handed_on(read: _Read) -> bool:
    """Whether the trace goes on with its own copy after the call: `epoch.advance(1); return Carry(epoch, x)`."""
    functions, within = read.outermost.functions, read.within
    if functions is None or within is None or read.root is None:
        return False
    accessed = access_path(read.node.expr, functions)
    owner = functions.owners.get(accessed.root) if accessed is not None else None
    if accessed is None or owner is None or not functions.is_inside(owner, read.root.function):
        return False  # an object that the trace captures keeps a tracer
    change = Change(read.node, ChangeKind.ATTRIBUTE, read.node.expr, written(read.node), ())
    return is_used_later(change, accessed, within, functions)


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
    return any(isinstance(found, NameExpr) and found.node is variable.node for found in objects)


def _reads_it(node: Node, variable: NameExpr, name: str) -> bool:
    receiver = node.expr if isinstance(node, MemberExpr) and node.name == name else None
    return isinstance(receiver, NameExpr) and receiver.node is variable.node
