"""What the statements of a helper do to the dicts that it builds, and to its own `**options`."""

from collections.abc import Iterable, Mapping

from mypy.nodes import (
    ARG_STAR2,
    AssignmentStmt,
    CallExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    IfStmt,
    IndexExpr,
    MemberExpr,
    NameExpr,
    OperatorAssignmentStmt,
    Statement,
    StrExpr,
)

from ...syntax.names import is_named
from ...syntax.trees import nodes_below
from .scope import ANY, REST, Entry, Scope, Table, Value
from .tables import UNKNOWN, as_table, condition_of, entry_of, items_of, literal_in, looked_up, opposite, table_of, when


def bind_options(name: str, function: FuncDef, scope: Scope) -> None:
    """`**options`, of which nothing is known if the function hands the dict itself to others."""
    calls = (node for node in nodes_below(function.body) if isinstance(node, CallExpr))
    given = (pair for call in calls for pair in zip(call.args, call.arg_kinds, strict=True))
    is_handed_on = any(kind is not ARG_STAR2 and is_named(value, name) for value, kind in given)
    scope.values[name] = UNKNOWN if is_handed_on else items_of(REST)


def change_tables(node: Statement, scope: Scope) -> None:
    """Applies `table["static"] = True`, `table |= {...}`, `table.update(...)` and the like."""
    if isinstance(node, AssignmentStmt):
        for target in node.lvalues:
            if isinstance(target, IndexExpr):
                _set_item(target, node.rvalue, scope)
    elif isinstance(node, OperatorAssignmentStmt) and isinstance(node.lvalue, NameExpr):
        table = table_of(node.lvalue, scope)
        if table is not None:
            scope.values[node.lvalue.name] = table.joined(*(table_of(node.rvalue, scope) or UNKNOWN).entries)
    elif isinstance(node, ExpressionStmt) and isinstance(node.expr, CallExpr):
        _change_by_call(node.expr, scope)


def tables_after(node: IfStmt, scope: Scope) -> dict[str, Value]:
    """The dicts that the branches of an `if` change, as they are after it."""
    condition = condition_of(node.expr[0], scope)
    then = _after(node.body[0].body, scope)
    otherwise = _after(node.else_body.body if node.else_body is not None else (), scope)
    found: dict[str, Value] = {}
    for name in dict.fromkeys((*then, *otherwise)):
        first, second = (as_table(values.get(name, scope.values.get(name))) for values in (then, otherwise))
        if first is None or second is None:
            found[name] = UNKNOWN
        else:
            before = as_table(scope.values.get(name)) or Table()
            found[name] = _merged(before.entries, first.entries, second.entries, condition)
    return found


def _merged(before: tuple[Entry, ...], first: tuple[Entry, ...], second: tuple[Entry, ...], condition: str) -> Table:
    kept = before if first[: len(before)] == before == second[: len(before)] else ()
    then = when(Table(first[len(kept) :]), condition)
    return Table(kept).joined(*then.entries, *when(Table(second[len(kept) :]), opposite(condition)).entries)


def _after(body: Iterable[Statement], scope: Scope) -> Mapping[str, Table]:
    """The dicts that statements change, run one after the other on their own."""
    inner = Scope(scope.module, dict(scope.values), dict(scope.taken))
    for node in body:
        if isinstance(node, IfStmt):
            inner.values |= tables_after(node, inner)
        if isinstance(node, AssignmentStmt) and (table := table_of(node.rvalue, inner)) is not None:
            inner.values |= {target.name: table for target in node.lvalues if isinstance(target, NameExpr)}
        change_tables(node, inner)
    return {
        name: value
        for name, value in inner.values.items()
        if isinstance(value, Table) and value != scope.values.get(name)
    }


def _set_item(target: IndexExpr, value: Expression, scope: Scope) -> None:
    """`table["metadata"] = ...`, and an item of that dict: `table.setdefault("metadata", {})["static"] = ...`."""
    key = literal_in(target.index, scope)
    if isinstance(target.base, NameExpr):
        _add(target.base.name, _item(key, value, scope), scope)
        return
    outer, name = _inner_dict(target.base)
    if outer is None or (table := as_table(scope.values.get(outer))) is None or not isinstance(key, str):
        return
    inner = next((entry for entry in reversed(table.entries) if entry.key == name), Entry(name, None, name))
    items = inner.value if isinstance(inner.value, Table) else items_of(inner.parameter)
    _add(outer, Entry(name, items.joined(_item(key, value, scope))), scope)


def _inner_dict(node: Expression) -> tuple[str | None, str]:
    """The name and key in `table["metadata"]` and `table.setdefault("metadata", {})`."""
    owner: Expression | None = None
    index: Expression | None = None
    if isinstance(node, IndexExpr):
        owner, index = node.base, node.index
    elif isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr) and node.callee.name == "setdefault":
        owner, index = node.callee.expr, node.args[0] if node.args else None
    if isinstance(owner, NameExpr) and isinstance(index, StrExpr):
        return owner.name, index.value
    return None, ""


def _item(key: object, value: Expression, scope: Scope) -> Entry:
    if not isinstance(key, str):
        return Entry(ANY)
    table = None if isinstance(value, NameExpr) and value.name not in scope.values else table_of(value, scope)
    entry = entry_of(key, value, scope)
    return entry if entry.parameter or table is None else Entry(key, table)


def _add(name: str, entry: Entry, scope: Scope, *, first: bool = False) -> None:
    table = as_table(scope.values.get(name))
    if table is not None:
        scope.values[name] = Table((entry, *table.entries)) if first else table.joined(entry)


def _change_by_call(call: CallExpr, scope: Scope) -> None:
    """`table.update(...)`, `table.setdefault(key, value)`; another call that gets the dict itself may do anything."""
    callee, args = call.callee, call.args
    if not isinstance(callee, MemberExpr) or not isinstance(callee.expr, NameExpr):
        _forget(args, scope)
        return
    name = callee.expr.name
    if callee.name == "update":
        for key, value in zip(call.arg_names, args, strict=True):
            items = table_of(value, scope) or UNKNOWN
            for entry in items.entries if key is None else [_item(key, value, scope)]:
                _add(name, entry, scope)
    elif callee.name == "setdefault" and len(args) == 2:
        _add(name, _item(literal_in(args[0], scope), args[1], scope), scope, first=True)
    elif callee.name == "pop":
        looked_up(call, scope)
    elif isinstance(scope.values.get(name), Table):
        scope.values[name] = UNKNOWN
    _forget(args, scope)


def _forget(args: Iterable[Expression], scope: Scope) -> None:
    for value in args:
        if isinstance(value, NameExpr) and isinstance(scope.values.get(value.name), Table):
            scope.values[value.name] = UNKNOWN
