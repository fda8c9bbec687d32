"""What a statement does to the names of a function."""

import ast
from collections.abc import Callable, Mapping
from typing import Any, Final

from .expressions import operated
from .iterated import passed
from .modules import imported_by
from .scopes import Running, Scope
from .values import UNKNOWN, Dict, Function, Leaf, Object, Text, Tuple, Value, joined

_Run = Callable[[Any, Scope, Running], bool]  # whether the next statement may run
_ENDING: Final = (ast.Raise, ast.Continue, ast.Break)


def _expression(node: ast.Expr, scope: Scope, running: Running) -> bool:
    running.value(node.value, scope)
    return True


def _return(node: ast.Return, scope: Scope, running: Running) -> bool:
    scope.returned.append(running.value(node.value, scope))
    return False


def _assign(node: ast.Assign, scope: Scope, running: Running) -> bool:
    value = running.value(node.value, scope)
    for target in node.targets:
        running.bind(target, value, scope)
    return True


def _annotated(node: ast.AnnAssign, scope: Scope, running: Running) -> bool:
    if node.value is not None:
        running.bind(node.target, running.value(node.value, scope), scope)
    return True


def _augmented(node: ast.AugAssign, scope: Scope, running: Running) -> bool:
    now = running.value(node.target, scope)
    running.bind(node.target, operated(node.op, [now, running.value(node.value, scope)]), scope)
    return True


def bind(target: ast.expr, value: Value, scope: Scope, running: Running) -> None:
    """Gives a target a value."""
    if isinstance(target, ast.Name):
        scope.names[target.id] = value
    elif isinstance(target, ast.Tuple | ast.List):
        for item, part in zip(target.elts, _parts(target.elts, value), strict=True):
            bind(item.value if isinstance(item, ast.Starred) else item, part, scope, running)
    elif isinstance(target, ast.Attribute):
        owner = running.value(target.value, scope)
        if isinstance(owner, Object):
            before = owner.fields.get(target.attr, UNKNOWN)
            owner.fields[target.attr] = joined(before, value) if running.is_uncertain else value
    elif isinstance(target, ast.Subscript):
        holder, key = running.value(target.value, scope), running.value(target.slice, scope)
        if isinstance(holder, Dict) and isinstance(key, Text):
            before = holder.items.get(key.text, UNKNOWN)
            holder.items[key.text] = joined(before, value) if running.is_uncertain else value
        elif isinstance(holder, Dict):
            holder.items.update(dict.fromkeys(holder.items, UNKNOWN))
        elif isinstance(target.value, ast.Name):
            scope.names[target.value.id] = UNKNOWN


def _parts(targets: list[ast.expr], value: Value) -> list[Value]:
    """What each of several targets gets."""
    count = len(targets)
    if isinstance(value, Object) and value.cls.is_tuple:
        value = Tuple(tuple(value.fields.get(name, UNKNOWN) for name in value.cls.fields))
    if isinstance(value, Leaf) and value.is_array:
        return [value] * count
    if not isinstance(value, Tuple):
        return [UNKNOWN] * count
    star = next((index for index, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
    if star is None:
        return list(value.items) if len(value.items) == count else [UNKNOWN] * count
    after = count - star - 1
    items = value.items
    if len(items) < count - 1:
        return [UNKNOWN] * count
    return [*items[:star], Tuple(items[star : len(items) - after]), *items[len(items) - after :]]


def _import(node: ast.Import | ast.ImportFrom, scope: Scope, running: Running) -> bool:
    found = imported_by(node, scope.module, is_package=running.is_package(scope.module))
    for alias, name in found.items():
        scope.names[alias.asname or alias.name.partition(".")[0]] = running.imported(name)
    return True


def _function(node: ast.FunctionDef, scope: Scope, running: Running) -> bool:
    scope.names[node.name] = running.decorated(Function(node, scope.module, scope), scope)
    return True


def _class(node: ast.ClassDef, scope: Scope, running: Running) -> bool:
    scope.names[node.name] = running.class_value(node, scope)
    return True


def _if(node: ast.If, scope: Scope, running: Running) -> bool:
    outcome = running.truth(node.test, scope)
    if outcome is None:
        outcome = running.assumed(node, scope)
    if outcome is not None:
        return running.execute(node.body if outcome else node.orelse, scope)
    running.value(node.test, scope)
    before = dict(scope.names)
    with running.uncertain():
        goes_on = running.execute(node.body, scope)
        after, scope.names = scope.names, before
        goes_on_else = running.execute(node.orelse, scope)
    if goes_on and goes_on_else:
        join(scope, after)
    elif goes_on:
        scope.names = after
    return goes_on or goes_on_else


def join(scope: Scope, other: dict[str, Value]) -> None:
    names = scope.names
    scope.names = {
        name: joined(names[name], other[name]) if name in names and name in other else UNKNOWN for name in names | other
    }


def _for(node: ast.For, scope: Scope, running: Running) -> bool:
    item = passed(node.iter, scope, running)
    return running.loop(node, lambda: running.bind(node.target, item, scope), scope)


def _while(node: ast.While, scope: Scope, running: Running) -> bool:
    return running.loop(node, lambda: None, scope)


def _with(node: ast.With, scope: Scope, running: Running) -> bool:
    for item in node.items:
        running.value(item.context_expr, scope)
        if item.optional_vars is not None:
            running.bind(item.optional_vars, UNKNOWN, scope)
    return running.execute(node.body, scope)


def _try(node: ast.Try, scope: Scope, running: Running) -> bool:
    goes_on = running.execute(node.body, scope)
    if goes_on:
        goes_on = running.execute(node.orelse, scope)
    return running.execute(node.finalbody, scope) and (goes_on or bool(node.handlers))


def _delete(node: ast.Delete, scope: Scope, running: Running) -> bool:
    for target in node.targets:
        running.bind(target, UNKNOWN, scope)
    return True


def _global(node: ast.Global | ast.Nonlocal, scope: Scope, running: Running) -> bool:
    """Nobody follows such a variable."""
    scope.names.update(dict.fromkeys(node.names, UNKNOWN))
    return True


def _match(node: ast.Match, scope: Scope, running: Running) -> bool:
    before, found = dict(scope.names), []
    with running.uncertain():
        for case in node.cases:
            scope.names = dict(before)
            if running.execute(case.body, scope):
                found.append(scope.names)
    scope.names = before
    for names in found:
        join(scope, names)
    return True


def _ends(node: ast.stmt, scope: Scope, running: Running) -> bool:
    return False


RUN: Final[Mapping[type[ast.stmt], _Run]] = {
    ast.Expr: _expression,
    ast.Return: _return,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.FunctionDef: _function,
    ast.ClassDef: _class,
    ast.If: _if,
    ast.For: _for,
    ast.While: _while,
    ast.With: _with,
    ast.Try: _try,
    ast.Delete: _delete,
    ast.Global: _global,
    ast.Nonlocal: _global,
    ast.Match: _match,
    **dict.fromkeys(_ENDING, _ends),
}
