"""Dicts that a helper builds, and hands on: `metadata = dict(metadata or {})`, `metadata["static"] = static`.

Such a dict is a list of entries, in the order in which they are written, so that later ones win. What the helper is
given with its call is not known yet: an entry names the parameter, and `filled` looks it up.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mypy.nodes import (
    ARG_STAR,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    DictExpr,
    Expression,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    UnaryExpr,
)

from ...knowledge.full_names import FLATTEN_METHODS
from ...syntax.literals import is_none, literal
from ...syntax.names import dotted_name
from ...syntax.trees import nodes_below
from .scope import ANY, REST, Entry, Packed, Scope, Table, Value, Wrapped

UNSURE: Final = "?"  # as a condition: nothing shows whether it holds
_NOT: Final = "not "
_LOOKS_UP: Final = ("get", "pop")
_COPIES: Final = ("builtins.list", "builtins.tuple")
_DICTS: Final = frozenset({"builtins.dict", "types.MappingProxyType", "collections.OrderedDict"})


UNKNOWN: Final = Table((Entry(ANY),))


def items_of(parameter: str) -> Table:
    """All items of the dict that a parameter is."""
    return Table((Entry(ANY, None, parameter),))


def as_table(value: Value) -> Table | None:
    """A value as a dict; None if it is none."""
    if isinstance(value, Wrapped) and not value.steps:
        return items_of(value.takes)
    return value if isinstance(value, Table) else None


def table_of(node: Expression | None, scope: Scope) -> Table | None:
    """The dict that an expression stands for; None if it is none, or cannot be read."""
    if isinstance(node, DictExpr):
        return Table(tuple(entry for key, value in node.items for entry in _entries(key, value, scope)))
    if isinstance(node, OpExpr) and node.op in ("or", "|"):
        left, right = table_of(node.left, scope), table_of(node.right, scope)
        if left is None or right is None or (node.op == "or" and right.entries):
            return None
        return left.joined(*right.entries)
    if isinstance(node, ConditionalExpr):
        return _one_of(node, scope)
    if isinstance(node, CallExpr):
        return _of_call(node, scope)
    if not isinstance(node, NameExpr):
        return None
    if node.name not in scope.values:
        constant = scope.module.constants.get(node.name)
        return table_of(constant, Scope(scope.module)) if isinstance(constant, DictExpr) else None
    return as_table(scope.values[node.name])


def looked_up(node: Expression | None, scope: Scope) -> Value:
    """The option in `options.pop("static", False)`; what is taken out is no longer among the others."""
    if not isinstance(node, CallExpr) or not isinstance(node.callee, MemberExpr) or not node.args:
        return None
    table, key = table_of(node.callee.expr, scope), literal_in(node.args[0], scope)
    if node.callee.name not in _LOOKS_UP or table is None or not isinstance(key, str) or not _has_rest(table):
        return None
    default = literal(node.args[1]) if len(node.args) > 1 and not is_none(node.args[1]) else None
    if node.callee.name == "pop":
        scope.taken[key] = default
    return Wrapped(key) if node.callee.name == "pop" or default is None or default == {} else None


def literal_of(table: Table) -> dict[str, Any] | None:
    """The items of a dict that does not depend on what the helper is given."""
    if any(entry.key == ANY or entry.parameter or entry.when for entry in table.entries):
        return None
    return {entry.key: None if isinstance(entry.value, Table) else entry.value for entry in table.entries}


def entry_of(key: str, value: Expression, scope: Scope) -> Entry:
    """An item with this key: a parameter of the helper, or a literal."""
    name = parameter_of(value, scope)
    return Entry(key, None, name) if name is not None else Entry(key, literal_in(value, scope))


def parameter_of(node: Expression | None, scope: Scope) -> str | None:
    """The parameter of the helper that an expression is; of packed ones, also a copy, `tuple(names)`."""
    if isinstance(node, CallExpr) and len(node.args) == 1 and scope.full_name(node.callee) in _COPIES:
        copied = scope.values.get(dotted_name(node.args[0]) or "")
        return copied.name if isinstance(copied, Packed) else None
    value = scope.values.get(node.name) if isinstance(node, NameExpr) else looked_up(node, scope)
    if isinstance(value, Packed):
        return value.name
    return value.takes if isinstance(value, Wrapped) and not value.steps else None


def literal_in(node: Expression, scope: Scope) -> object:
    """The value of a literal, or of a constant of the module; the name of a flatten method, if that is used."""
    for part in nodes_below(node) if isinstance(node, LambdaExpr | MemberExpr) else ():
        if isinstance(part, MemberExpr) and part.name in FLATTEN_METHODS:
            return part.name
    if isinstance(node, NameExpr) and node.name not in scope.values:
        node = scope.module.constants.get(node.name, node)
    return literal(node)


def condition_of(node: Expression, scope: Scope) -> str:
    """The parameter on whose truth a condition depends, perhaps after "not "; `UNSURE` for any other condition."""
    if isinstance(node, UnaryExpr) and node.op == "not":
        return opposite(condition_of(node.expr, scope))
    if isinstance(node, ComparisonExpr) and len(node.operands) == 2 and is_none(node.operands[1]):
        known = parameter_of(node.operands[0], scope) or UNSURE
        return {"is not": known, "is": opposite(known)}.get(node.operators[0], UNSURE)
    return parameter_of(node, scope) or UNSURE


def opposite(condition: str) -> str:
    if condition == UNSURE:
        return UNSURE
    return condition.removeprefix(_NOT) if condition.startswith(_NOT) else f"{_NOT}{condition}"


def filled(entries: list[list[Any]], given: Mapping[str, Any], *, is_open: bool) -> dict[str, Any]:
    """The items of a dict that a helper builds, as JSON kept it, when it is called with these arguments.

    `is_open`: the call may give any other argument, too.
    """
    found: dict[str, Any] = {}
    for entry in (Entry(*kept) for kept in entries):
        holds = _holds(entry.when, given, is_open)
        if holds is False or (entry.parameter and entry.parameter not in given and not is_open):
            continue
        value = given.get(entry.parameter) if entry.parameter else entry.value
        if entry.key != ANY:
            found[entry.key] = value if holds else None
        elif isinstance(value, dict):
            found |= value if holds else dict.fromkeys(value)
    return found


def _holds(condition: str, given: Mapping[str, Any], is_open: bool) -> bool | None:
    """Whether a condition is true of these arguments; None if that is not known."""
    if condition in ("", UNSURE):
        return None if condition else True
    name = condition.removeprefix(_NOT)
    if name not in given:
        return None if is_open else name != condition
    return None if given[name] is None else bool(given[name]) is (name == condition)


def when(table: Table, condition: str) -> Table:
    """The entries under a condition; of those that already have one nothing is known but the key."""
    return Table(tuple(_under(condition, entry) for entry in table.entries))


def _under(condition: str, entry: Entry) -> Entry:
    return Entry(entry.key, when=UNSURE) if entry.when else entry._replace(when=condition)


def _has_rest(table: Table) -> bool:
    return any(entry.key == ANY and entry.parameter == REST for entry in table.entries)


def _entries(key: Expression | None, value: Expression, scope: Scope) -> Iterator[Entry]:
    if key is None:
        yield from (table_of(value, scope) or UNKNOWN).entries
        return
    name = literal_in(key, scope)
    yield entry_of(name, value, scope) if isinstance(name, str) else Entry(ANY)


def _one_of(node: ConditionalExpr, scope: Scope) -> Table | None:
    """`{"static": True} if static else {}`."""
    condition = condition_of(node.cond, scope)
    first, second = (
        Table() if is_none(branch) else table_of(branch, scope) for branch in (node.if_expr, node.else_expr)
    )
    if first is None or second is None:
        return None
    return when(first, condition).joined(*when(second, opposite(condition)).entries)


def _of_call(call: CallExpr, scope: Scope) -> Table | None:
    callee = call.callee
    if (option := parameter_of(call, scope)) is not None:
        return items_of(option)
    if isinstance(callee, MemberExpr):
        table = table_of(callee.expr, scope) if dotted_name(callee.expr) in scope.values else None
        if table is not None and callee.name == "copy":
            return table
    if scope.full_name(callee) not in _DICTS:
        return None
    found = Table()
    for name, kind, value in zip(call.arg_names, call.arg_kinds, call.args, strict=True):
        if name is not None:
            found = found.joined(entry_of(name, value, scope))
        else:
            items = table_of(value, scope) if kind is not ARG_STAR else None
            found = found.joined(*(items or UNKNOWN).entries)
    return found
