"""The value of an expression."""

import ast
from collections.abc import Callable, Mapping
from typing import Any, Final

from . import arrays
from .scopes import Given, Running, Scope
from .values import (
    NONE,
    SHAPE,
    UNKNOWN,
    ClassValue,
    Dict,
    Function,
    Kind,
    Leaf,
    Library,
    Made,
    Object,
    Partial,
    Reference,
    Text,
    Tuple,
    Value,
    joined,
    number,
    promoted,
    tuple_of,
)

_Find = Callable[[Any, Scope, Running], Value]

ABOVE: Final = "<super>"
_CONSTANTS: Final = frozenset({"e", "inf", "nan", "pi"})
_OF_NUMBERS: Final = frozenset({"jax", "math", "numpy"})
_COMPARED: Final = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def _constant(node: ast.Constant, scope: Scope, running: Running) -> Value:
    value, made = node.value, Made(scope.module, node.lineno)
    if value is None:
        return NONE
    if isinstance(value, bool):
        return number(Kind.BOOL, constant=int(value))
    if isinstance(value, int):
        return number(Kind.INTEGER, made, value)
    if isinstance(value, float):
        return number(Kind.FLOAT, made)
    return Text(value) if isinstance(value, str) else UNKNOWN


def _name(node: ast.Name, scope: Scope, running: Running) -> Value:
    found = scope.find(node.id)
    return _of_library(running.resolve(node.id, scope) if found is None else found, node, scope)


def _attribute(node: ast.Attribute, scope: Scope, running: Running) -> Value:
    return _of_library(running.attribute(running.value(node.value, scope), node.attr), node, scope)


def _of_library(value: Value, node: ast.expr, scope: Scope) -> Value:
    """`jnp.inf` is a number."""
    if not isinstance(value, Library):
        return value
    package, _, rest = value.name.partition(".")
    is_constant = package in _OF_NUMBERS and rest.rpartition(".")[2] in _CONSTANTS
    return number(Kind.FLOAT, Made(scope.module, node.lineno)) if is_constant else value


def _negative(node: ast.UnaryOp, scope: Scope, running: Running) -> Value:
    found = running.value(node.operand, scope)
    if isinstance(node.op, ast.Not):
        return number(Kind.BOOL)
    if isinstance(found, Leaf) and isinstance(node.op, ast.USub):
        return found._replace(constant=-found.constant if found.constant is not None else None)
    return found if isinstance(found, Leaf) else UNKNOWN


def _operation(node: ast.BinOp, scope: Scope, running: Running) -> Value:
    parts = [running.value(node.left, scope), running.value(node.right, scope)]
    return operated(node.op, parts)


def operated(operator: ast.operator, parts: list[Value]) -> Value:
    left, right = parts
    if isinstance(left, Tuple) and isinstance(right, Tuple) and isinstance(operator, ast.Add):
        return tuple_of((*left.items, *right.items))
    if isinstance(operator, ast.Pow):
        return arrays.power(left, right)
    if isinstance(operator, ast.FloorDiv | ast.Mod):
        return arrays.of_integers(promoted(parts))
    return arrays.quotient(parts) if isinstance(operator, ast.Div) else promoted(parts)


def _comparison(node: ast.Compare, scope: Scope, running: Running) -> Value:
    """A weak type where all that is compared has one, as JAX 0.10.2 has it."""
    parts = [running.value(part, scope) for part in (node.left, *node.comparators)]
    if not all(isinstance(operator, _COMPARED) for operator in node.ops):
        return number(Kind.BOOL)
    found = promoted(parts)
    if not isinstance(found, Leaf):
        return UNKNOWN
    return found._replace(kind=Kind.BOOL, constant=None) if found.is_array else number(Kind.BOOL)


def _of_booleans(node: ast.BoolOp, scope: Scope, running: Running) -> Value:
    found = [running.value(part, scope) for part in node.values]
    result = found[0]
    for value in found[1:]:
        result = joined(result, value)
    return result


def _conditional(node: ast.IfExp, scope: Scope, running: Running) -> Value:
    outcome = running.truth(node.test, scope)
    if outcome is not None:
        return running.value(node.body if outcome else node.orelse, scope)
    return joined(running.value(node.body, scope), running.value(node.orelse, scope))


def _tuple(node: ast.Tuple | ast.List, scope: Scope, running: Running) -> Value:
    items: list[Value] = []
    for item in node.elts:
        if not isinstance(item, ast.Starred):
            items.append(running.value(item, scope))
            continue
        found = running.value(item.value, scope)
        if not isinstance(found, Tuple):
            return UNKNOWN
        items += found.items
    return tuple_of(items)


def _dict(node: ast.Dict, scope: Scope, running: Running) -> Value:
    found: dict[str, Value] = {}
    for key, item in zip(node.keys, node.values, strict=True):
        value = running.value(item, scope)
        if key is None and isinstance(value, Dict):
            found |= value.items
            continue
        name = running.value(key, scope) if key is not None else UNKNOWN
        if not isinstance(name, Text):
            return UNKNOWN
        found[name.text] = value
    return Dict(found)


def _subscript(node: ast.Subscript, scope: Scope, running: Running) -> Value:
    return item_of(running.value(node.value, scope), running.value(node.slice, scope))


def item_of(value: Value, key: Value) -> Value:
    if value is SHAPE:
        return number(Kind.INTEGER)
    if isinstance(value, Reference):
        return value
    if isinstance(value, Leaf):
        return value if value.is_array else UNKNOWN
    if isinstance(value, Dict):
        return value.items.get(key.text, UNKNOWN) if isinstance(key, Text) else UNKNOWN
    if isinstance(value, Object) and value.cls.is_tuple:
        value = Tuple(tuple(value.fields.get(name, UNKNOWN) for name in value.cls.fields))
    if not isinstance(value, Tuple) or not isinstance(key, Leaf) or key.constant is None:
        return UNKNOWN
    in_range = -len(value.items) <= key.constant < len(value.items)
    return value.items[key.constant] if in_range else UNKNOWN


def _lambda(node: ast.Lambda, scope: Scope, running: Running) -> Value:
    return Function(node, scope.module, scope)


def _assigned(node: ast.NamedExpr, scope: Scope, running: Running) -> Value:
    found = running.value(node.value, scope)
    running.bind(node.target, found, scope)
    return found


def _call(node: ast.Call, scope: Scope, running: Running) -> Value:
    if isinstance(node.func, ast.Name) and node.func.id == "super":
        return _above(scope)
    function = running.value(node.func, scope)
    given = _given(node, scope, running)
    found = running.call(function, given, node)
    return _located(found, given, node, scope)


def _located(value: Value, given: Given, node: ast.Call, scope: Scope) -> Value:
    """An array is made where the call stands that makes it of a number."""
    is_made = isinstance(value, Leaf) and value.is_weak and value.is_array
    if not is_made or not isinstance(value, Leaf):
        return value
    of_array = any(isinstance(one, Leaf) and one.is_array and one.is_weak for one in given.args)
    return value if of_array else value._replace(made=Made(scope.module, node.lineno))


def _above(scope: Scope) -> Value:
    own = scope.find("self")
    if not isinstance(own, Object) or scope.cls is None:
        return UNKNOWN
    return Partial(Library(ABOVE), (own, ClassValue(scope.cls)))


def _given(node: ast.Call, scope: Scope, running: Running) -> Given:
    args: list[Value] = []
    keywords: dict[str, Value] = {}
    is_open = False
    for part in node.args:
        value = running.value(part.value if isinstance(part, ast.Starred) else part, scope)
        if not isinstance(part, ast.Starred):
            args.append(value)
        elif isinstance(value, Tuple):
            args += value.items
        else:
            is_open = True
    for word in node.keywords:
        value = running.value(word.value, scope)
        if word.arg is not None:
            keywords[word.arg] = value
        elif isinstance(value, Dict):
            keywords |= value.items
        else:
            is_open = True
    return Given(tuple(args), keywords, is_open)


VALUE_OF: Final[Mapping[type[ast.expr], _Find]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.UnaryOp: _negative,
    ast.BinOp: _operation,
    ast.Compare: _comparison,
    ast.BoolOp: _of_booleans,
    ast.IfExp: _conditional,
    ast.Tuple: _tuple,
    ast.List: _tuple,
    ast.Dict: _dict,
    ast.Subscript: _subscript,
    ast.Lambda: _lambda,
    ast.NamedExpr: _assigned,
    ast.Call: _call,
}
