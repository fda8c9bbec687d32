"""Finds variables of the module that a compiled function reads, and that the module binds again between its calls.

The compiled program keeps the value that the variable had at the first call. Only the order of the module's own
statements counts as evidence: a call, another binding, and a call; or a loop that binds it and calls.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mypy.nodes import (
    GDEF,
    AssignmentStmt,
    CallExpr,
    Expression,
    FloatExpr,
    ForStmt,
    FuncDef,
    FuncItem,
    NameExpr,
    Node,
    Var,
)

from ...knowledge import naming
from ...reach.roots import Root, find_roots
from ...reach.uses import CERTAIN, uses_of
from ...source.bindings import bindings_of, bound_by
from ...source.checked_file import CheckedFile, once_per_file
from ...source.expected import is_error_expected
from ...source.nested_functions import Functions
from ...source.surroundings import are_alternatives, surroundings
from ...syntax.literals import text_or_number
from ...syntax.trees import nodes_below, statements


class KeptVariable(NamedTuple):
    """A read of a variable whose value a compiled function keeps, and the statement that binds another one."""

    read: NameExpr
    bound: Node
    root: Root


def kept_variables(functions: Functions) -> Iterator[KeptVariable]:
    """Those of an outermost function that is compiled, once for each variable."""
    function, file = functions.outermost, functions.file
    calls = _calls_of_module(file, function)
    root = find_roots(functions).get(function) if calls else None
    if root is None or root.transformation is not None or not root.is_compiled or _empties_caches(file):
        return
    seen: set[Var] = set()
    for node in functions.nodes[function]:
        if not isinstance(node, NameExpr) or node.kind != GDEF or not isinstance(node.node, Var) or node.node in seen:
            continue
        seen.add(node.node)
        bound = _bound_between(node.node, calls, file)
        if bound is not None and not _is_called(node, file):
            yield KeptVariable(node, bound, root)


def _calls_of_module(file: CheckedFile, function: FuncItem) -> list[CallExpr]:
    """The calls of a decorated function that the module itself makes, in order; none if a loop makes it anew."""
    if not isinstance(function, FuncDef) or function not in file.decorators or function.info:
        return []
    if surroundings(function, file).loops:
        return []
    calls = uses_of(file, function).calls(CERTAIN)
    own = [call for call in calls if surroundings(call, file).function is None and not is_error_expected(call, file)]
    return sorted(own, key=lambda call: call.line)


@once_per_file
def _empties_caches(file: CheckedFile) -> bool:
    return any(naming.empties_cache(name) for name in file.uses_by_name)


def _is_called(read: NameExpr, file: CheckedFile) -> bool:
    """Whether what a variable holds is called: a function that is wrapped again does the same."""
    parent = surroundings(read, file).parent
    return isinstance(parent, CallExpr) and parent.callee is read


def _bound_between(variable: Var, calls: Sequence[CallExpr], file: CheckedFile) -> Node | None:
    """The statement that gives the variable another value after a call and before one."""
    bindings = bindings_of(variable, file)
    values = [binding.value for binding in bindings]
    if values and _is_one_literal(values):
        return None
    for statement in statements(file.tree.defs, into_definitions=False):
        if any(bound is variable for bound, _ in bound_by(statement)):
            in_loop = any(_is_in_same_loop(statement, call, file) for call in calls)
            before = [call for call in calls if call.line < statement.line and _may_follow(statement, call, file)]
            after = [call for call in calls if call.line > statement.line and _may_follow(call, statement, file)]
            if in_loop or (before and after):
                return statement
    return None


def _is_one_literal(values: Sequence[Expression | None]) -> bool:
    known = {_value(value) if value is not None else None for value in values}
    return len(known) == 1 and None not in known


def _value(node: Expression) -> str | float | None:
    """The value of a number or a text that is written out."""
    return node.value if isinstance(node, FloatExpr) else text_or_number(node)


def _may_follow(node: Node, earlier: Node, file: CheckedFile) -> bool:
    return not are_alternatives(node, earlier, file)


def _is_in_same_loop(statement: Node, call: CallExpr, file: CheckedFile) -> bool:
    """Whether a loop binds the variable, to what may differ on each pass, and calls the function."""
    loops = surroundings(call, file).loops
    if isinstance(statement, ForStmt):
        return statement in loops
    is_fixed = isinstance(statement, AssignmentStmt) and _value(statement.rvalue) is not None
    return not is_fixed and any(statement in nodes_below(loop) for loop in loops)
