"""What a loop goes over, below the progress bars and other functions that hand on the items of their argument."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    CallExpr,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    ReturnStmt,
    Var,
    WithStmt,
    YieldExpr,
    YieldFromExpr,
)

from ...knowledge.members import HANDING_ON_ITEMS, ITERABLES, PROGRESS_BARS
from ...source.bindings import bindings_of, made_by
from ...source.checked_file import CheckedFile
from ...source.parameters import parameters
from ...source.surroundings import surroundings
from ...syntax.arguments import argument, keyword_argument
from ...syntax.imports import full_name
from ...syntax.trees import nodes_below

_MAX_DEPTH: Final = 8


def iterated(node: Expression, file: CheckedFile) -> Expression:
    """The `range(n)` in `tqdm(range(n))`, also if a name holds either; the expression itself if nothing is known."""
    for _ in range(_MAX_DEPTH):
        inner = _inside(node, file)
        if inner is None:
            break
        node = inner
    return node


def called_name(call: Expression) -> str:
    """The full name of what is called, or its name alone if mypy does not know it."""
    callee = call.callee if isinstance(call, CallExpr) else None
    if not isinstance(callee, RefExpr):
        return ""
    return callee.fullname or (callee.name if isinstance(callee, (MemberExpr, NameExpr)) else "")


def _inside(node: Expression, file: CheckedFile) -> Expression | None:
    if isinstance(node, NameExpr):
        made = made_by(node, file)
        return made if made is not node else _entered(node, file)
    if not isinstance(node, CallExpr):
        return None
    if _hands_on_items(node, file):
        return _given(node)
    function = node.callee.node if isinstance(node.callee, NameExpr) else None
    return _handed_on(node, function, file) if isinstance(function, FuncDef) else None


def _given(call: CallExpr) -> Expression | None:
    """The first argument, by position or by name; a progress bar without one is moved by hand."""
    is_first = bool(call.args) and call.arg_names[0] is None and not call.arg_kinds[0].is_star()
    return call.args[0] if is_first else keyword_argument(call, *ITERABLES)


def _entered(name: NameExpr, file: CheckedFile) -> Expression | None:
    """`with tqdm(range(n)) as bar:` around a use of `bar`."""
    if not isinstance(name.node, Var) or bindings_of(name.node, file):
        return None
    for node in surroundings(name, file).around:
        for manager, target in zip(node.expr, node.target, strict=True) if isinstance(node, WithStmt) else ():
            if isinstance(target, NameExpr) and target.node is name.node:
                return manager if _shows_progress(manager, file) else None
    return None


def _handed_on(call: CallExpr, function: FuncDef, file: CheckedFile) -> Expression | None:
    """The argument whose items a function of the file returns or yields one by one."""
    items = set(_items_of(function, file))
    found = [one for one in parameters(function) if one.variable in items]
    return argument(call, found[0].position, found[0].name) if len(items) == len(found) == 1 else None


def _items_of(function: FuncDef, file: CheckedFile) -> Iterator[Node | None]:
    """The variables that hold what a function returns or yields all items of; None for anything else."""
    plain = set[Node]()
    for node in nodes_below(function.body):
        if isinstance(node, ForStmt) and (yielded := _yielded(node)) is not None:
            plain.add(yielded)
            yield _variable(node.expr, file)
        elif isinstance(node, YieldFromExpr) or (isinstance(node, ReturnStmt) and node.expr is not None):
            yield _variable(node.expr, file) if node.expr is not None else None
    if any(isinstance(node, YieldExpr) and node not in plain for node in nodes_below(function.body)):
        yield None


def _variable(node: Expression, file: CheckedFile) -> Node | None:
    """What a name stands for, below what hands on its items."""
    while isinstance(node, CallExpr) and _hands_on_items(node, file) and (given := _given(node)) is not None:
        node = given
    return node.node if isinstance(node, NameExpr) else None


def _hands_on_items(call: CallExpr, file: CheckedFile) -> bool:
    return called_name(call) in HANDING_ON_ITEMS or _shows_progress(call, file)


def _shows_progress(node: Expression, file: CheckedFile) -> bool:
    """Also by another name: after `from tqdm.auto import tqdm as bar`."""
    imported = full_name(node.callee, file.tree) if isinstance(node, CallExpr) else ""
    return (imported or called_name(node)).rpartition(".")[2] in PROGRESS_BARS


def _yielded(loop: ForStmt) -> YieldExpr | None:
    """Where a loop yields its variable as it is, on each pass."""
    values = (statement.expr for statement in loop.body.body if isinstance(statement, ExpressionStmt))
    for value in values:
        yielded = value.expr if isinstance(value, YieldExpr) else None
        if isinstance(yielded, NameExpr) and isinstance(loop.index, NameExpr) and yielded.node is loop.index.node:
            return value if isinstance(value, YieldExpr) else None
    return None
