"""Finds calls of `next` in a compiled function: each compilation takes one item, and keeps it for all calls."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Decorator,
    Expression,
    ExpressionStmt,
    FuncDef,
    GeneratorExpr,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    StrExpr,
    SymbolNode,
    Var,
)

from ...knowledge.full_names import ITERATORS, NEXT_ITEM
from ...reach.roots import Root, traced_code
from ...source.bindings import bindings_of
from ...source.nested_functions import Functions
from ...source.surroundings import surroundings
from ...syntax.trees import assignment_targets
from ..declared_types import class_in, declared_type

_TEXT: Final = frozenset({"str", "repr", "print"})
_FORMATTING: Final = frozenset({"format", "join"})


class Advanced(NamedTuple):
    """A call of `next` that a compiled function makes of an iterator which outlives the trace."""

    call: CallExpr
    iterator: str
    root: Root


def advanced_iterators(functions: Functions) -> Iterator[Advanced]:
    """Those of an outermost function and the functions in it, if the item counts: names made of it do not."""
    for inner, around in traced_code(functions):
        compiled = [root for root in around if root.is_compiled]
        for node in functions.nodes[inner] if compiled else ():
            name = _iterator_asked(node) if isinstance(node, CallExpr) else None
            if isinstance(node, CallExpr) and name is not None and isinstance(name.node, Var):
                owner = functions.owners.get(name.node)
                crossed = [root for root in compiled if owner is None or not functions.is_inside(owner, root.function)]
                if crossed and _is_iterator(name.node, functions) and counts(node, functions):
                    yield Advanced(node, name.name, crossed[0])


def _iterator_asked(call: CallExpr) -> NameExpr | None:
    is_next = isinstance(call.callee, RefExpr) and call.callee.fullname == NEXT_ITEM and len(call.args) == 1
    return call.args[0] if is_next and isinstance(call.args[0], NameExpr) else None


def _is_iterator(variable: Var, functions: Functions) -> bool:
    """Whether a variable holds one for sure: by its annotation, or by all that it is bound to."""
    declared = class_in(declared_type(variable))
    found = functions.bindings.get(variable) or bindings_of(variable, functions.file)
    if found and all(binding.value is not None for binding in found):
        return all(binding.value is not None and _makes_iterator(binding.value) for binding in found)
    return declared is not None and declared.fullname in ITERATORS


def _makes_iterator(value: Expression) -> bool:
    if isinstance(value, GeneratorExpr):
        return True
    callee = value.callee if isinstance(value, CallExpr) else None
    node: SymbolNode | None = callee.node if isinstance(callee, RefExpr) else None
    function = node.func if isinstance(node, Decorator) else node
    is_generator = isinstance(function, FuncDef) and function.is_generator
    return is_generator or (isinstance(callee, RefExpr) and callee.fullname in ITERATORS)


def counts(call: CallExpr, functions: Functions) -> bool:
    """Whether what a call returns goes anywhere but into a text: a call that drops it only counts the traces."""
    parent = surroundings(call, functions.file).parent
    if isinstance(parent, ExpressionStmt):
        return False
    targets = list(assignment_targets(parent)) if isinstance(parent, AssignmentStmt) else []
    names = [target for target in targets if isinstance(target, NameExpr)]
    if not names or len(names) < len(targets):
        return not _goes_into_text(call, functions)
    uses = (use for name in names for use in functions.file.uses_by_name.get(name.name, ()) if use not in names)
    return any(not _goes_into_text(use, functions) for use in uses if use.node is names[0].node)


def _goes_into_text(node: Expression, functions: Functions) -> bool:
    return makes_text(surroundings(node, functions.file).parent)


def makes_text(node: Node | None) -> bool:
    """Whether this is a call that makes a text of what it gets, or prints it."""
    callee = node.callee if isinstance(node, CallExpr) else None
    if isinstance(callee, MemberExpr):
        return isinstance(callee.expr, StrExpr) and callee.name in _FORMATTING
    return isinstance(callee, NameExpr) and callee.name in _TEXT
