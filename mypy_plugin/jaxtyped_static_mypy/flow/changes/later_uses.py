"""Decides whether a function uses a parameter after mutating it: then the mutation is not lost."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    DelStmt,
    DictionaryComprehension,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncItem,
    GeneratorExpr,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    RefExpr,
    SymbolNode,
    Var,
    WhileStmt,
)
from mypy.types import Instance, NoneType, ProperType, TupleType, UnionType, get_proper_type

from ...knowledge.function_rows import Effect
from ...libraries import KEY_TYPES, functions_with
from ...source.bindings import Path
from ...source.nested_functions import Functions
from ...syntax.assignments import targets_of
from ...syntax.changes import SETTERS, Change, ChangeKind
from ...syntax.names import dotted_name
from ...syntax.trees import covers, parts_of, self_parameter
from ..declared_types import return_types
from .access_paths import AccessPath, access_path, begins_with

_LOOKING: Final = functions_with(Effect.LOOKS)


class ObjectUse(NamedTuple):
    """One use of an object; `node` is the longest expression that refers to a part of it."""

    node: Expression
    path: Path
    above: tuple[Node, ...]  # the nodes around it, outermost first
    function: FuncItem


def is_used_later(change: Change, accessed: AccessPath, function: FuncItem, functions: Functions) -> bool:
    """Whether the mutated object is used later: passed on as a whole or, for a container, read at all."""
    owner = functions.owners[accessed.root]
    inside = [inner for inner in functions.parents if functions.is_inside(inner, owner)]
    uses = (use for inner in inside for use in uses_in(accessed.root, inner, functions))
    later = (use for use in uses if _is_later(use, change, function))
    if change.kind is ChangeKind.ATTRIBUTE:
        return any(_hands_on(use, accessed.path, functions) for use in later)
    return any(_reads(use, accessed.path, functions) for use in later)


def uses_in(root: SymbolNode, function: FuncItem, functions: Functions) -> Iterator[ObjectUse]:
    """The uses of a variable in a function, without those nested in it, and without the targets of assignments."""
    pending: list[tuple[Node, tuple[Node, ...]]] = [(part, (function,)) for part in parts_of(function)]
    targets = {target for node in functions.nodes[function] for target in _targets(node)}
    while pending:
        node, above = pending.pop()
        if isinstance(node, FuncItem):
            continue
        if node in targets:
            pending.extend((index, above) for index in _indices(node))
        elif (
            isinstance(node, (NameExpr, MemberExpr, IndexExpr)) and (found := access_path(node, functions)) is not None
        ):
            if found.root is root:
                yield ObjectUse(node, found.path, above, function)
            pending.extend((index, above) for index in _indices(node))
        else:
            pending.extend((part, (*above, node)) for part in parts_of(node))


def _targets(node: Node) -> Sequence[Expression]:
    """The expressions that a statement only assigns to."""
    only_assigns = isinstance(node, (AssignmentStmt, ForStmt, GeneratorExpr, DictionaryComprehension))
    return targets_of(node) if only_assigns else ()


def _indices(node: Node) -> Iterator[Expression]:
    while isinstance(node, (MemberExpr, IndexExpr)):
        if isinstance(node, IndexExpr):
            yield node.index
        node = node.base if isinstance(node, IndexExpr) else node.expr


def _is_later(use: ObjectUse, change: Change, function: FuncItem) -> bool:
    if change.context in use.above:
        return False
    if use.function is not function:
        return True  # that function may be called at any time
    start = (change.context.line, change.context.column)
    loops = (node for node in use.above if isinstance(node, (ForStmt, WhileStmt)))
    return (use.node.line, use.node.column) > start or any(covers(loop, change.context.line) for loop in loops)


def _hands_on(use: ObjectUse, changed: Path, functions: Functions) -> bool:
    around = use.above[-1]
    if isinstance(around, CallExpr) and around.callee is use.node:
        receiver = use.path[:-1]
        if _only_mutates_or_renames(use, functions):
            return False
        return begins_with(changed, receiver) and _result_may_hold(use, receiver, functions)
    if not begins_with(changed, use.path) or _only_mutates_or_renames(use, functions):
        return False
    if isinstance(around, CallExpr):
        looks = isinstance(around.callee, RefExpr) and around.callee.fullname in _LOOKING
        return not looks and dotted_name(around.callee) not in SETTERS
    return not isinstance(around, (ComparisonExpr, ExpressionStmt))


def _reads(use: ObjectUse, changed: Path, functions: Functions) -> bool:
    around = use.above[-1]
    if isinstance(around, CallExpr) and around.callee is use.node:
        receiver = use.path[:-1]
        if begins_with(receiver, changed):
            return not (len(use.above) > 1 and isinstance(use.above[-2], ExpressionStmt))
        if _only_mutates_or_renames(use, functions):
            return False
        return begins_with(changed, receiver) and _result_may_hold(use, receiver, functions)
    if not (begins_with(changed, use.path) or begins_with(use.path, changed)):
        return False
    is_set = isinstance(around, CallExpr) and dotted_name(around.callee) in SETTERS
    return not is_set and not _only_mutates_or_renames(use, functions)


def _only_mutates_or_renames(use: ObjectUse, functions: Functions) -> bool:
    """Whether this use only mutates the object, or binds it to another name that is followed."""
    around = use.above[-1]
    if isinstance(around, CallExpr) and (loop := _loop_over(use)) is not None:
        around = loop  # over `enumerate(xs)` or `d.items()`
    if isinstance(around, OperatorAssignmentStmt):
        return use.node is around.lvalue
    if isinstance(around, (AssignmentStmt, ForStmt)):
        return all(isinstance(target, NameExpr) and _is_followed(target, functions) for target in _targets(around))
    return isinstance(around, DelStmt)


def _loop_over(use: ObjectUse) -> ForStmt | None:
    outer = next(node for node in reversed(use.above) if not isinstance(node, CallExpr))
    return outer if isinstance(outer, ForStmt) else None


def _is_followed(name: NameExpr, functions: Functions) -> bool:
    """Whether the name refers to a part of another object, or to an index or a key."""
    bindings = functions.bindings.get(name.node, []) if name.node is not None else []
    if bindings and all(binding.is_concrete for binding in bindings):
        return True
    accessed = access_path(name, functions)
    return accessed is not None and accessed.root is not name.node


def _result_may_hold(use: ObjectUse, receiver: Path, functions: Functions) -> bool:
    """Whether `state.method()` may return the state, by its declared result type.

    A method that cannot be found may return it; a method of `self` without a declared result does not count.
    """
    if len(use.above) > 1 and isinstance(use.above[-2], ExpressionStmt):
        return False
    root = access_path(use.node, functions)
    variable = root.root if root is not None else None
    owner = functions.owners.get(variable) if variable is not None else None
    is_self = owner is not None and self_parameter(owner) is variable
    declared = get_proper_type(variable.type) if isinstance(variable, Var) and variable.type is not None else None
    info = owner.info if is_self and owner is not None else declared.type if isinstance(declared, Instance) else None
    called = use.path[-1][1:] if use.path else "__call__"
    symbol = info.get(called) if info is not None and not receiver else None
    returned = return_types(symbol.node) if symbol is not None else []
    return not all(_holds_nothing(typ) for typ in returned) if returned else not is_self or symbol is None


def _holds_nothing(typ: ProperType) -> bool:
    """Whether no value of a type can hold the mutated object: known types, None, and tuples and unions of these."""
    if isinstance(typ, (TupleType, UnionType)):
        return all(_holds_nothing(get_proper_type(part)) for part in typ.items)
    if isinstance(typ, Instance):
        return typ.type.fullname in KEY_TYPES and all(_holds_nothing(get_proper_type(part)) for part in typ.args)
    return isinstance(typ, NoneType)
