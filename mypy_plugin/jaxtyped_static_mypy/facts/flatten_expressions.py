"""Evaluates the expressions of a flatten function, to find out which attributes their values hold."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from mypy.nodes import (
    AssignmentExpr,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    DictExpr,
    DictionaryComprehension,
    Expression,
    GeneratorExpr,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    SetComprehension,
    SetExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
)

from ..syntax.names import base_of, dotted_name, is_named
from ..syntax.trees import children
from .flatten_values import NOTHING, UNKNOWN, WHOLE, FlattenValue, attribute, computed, either, sequence

_CONSTANTS: Final = ("None", "True", "False")
_DISPLAYS: Final = (TupleExpr, ListExpr, SetExpr)


@dataclass
class FlattenScope:
    """The local names of a flatten function, by what they are bound to so far."""

    owner: str  # the name of the object that is flattened
    names: dict[str, FlattenValue] = field(default_factory=dict)
    returned: tuple[FlattenValue, FlattenValue] | None = None  # the two items of what the function returns

    def inner(self, names: Mapping[str, FlattenValue] = MappingProxyType({})) -> "FlattenScope":
        """The scope of a branch or a pass, in which these names are bound, too."""
        return replace(self, names={**self.names, **names})


def evaluate(node: Node, scope: FlattenScope) -> FlattenValue:
    """What is known of the value of an expression."""
    step = _STEPS.get(type(node))
    return step(node, scope) if step is not None else _any(node, scope)


def root(node: Node) -> str | None:
    """The name at the root of `name.part` or `name[part]`."""
    base = base_of(node)
    return base.name if isinstance(base, NameExpr) else None


def loop_values(index: Expression, over: Expression, scope: FlattenScope) -> list[dict[str, FlattenValue]] | None:
    """What the names of a loop are bound to in each pass; None if that is unknown."""
    if isinstance(index, NameExpr) and isinstance(over, _DISPLAYS):
        texts = [evaluate(item, scope) for item in over.items]
        return [{index.name: text} for text in texts] if all(text.text is not None for text in texts) else None
    pair = _pair(index)
    looped = _dict_of_items(over, scope) if pair is not None else None
    if pair is None or looped is None or looped.without is not None or not looped.items:
        return None
    return [{pair[0]: FlattenValue(text=key), pair[1]: value} for key, value in looped.items.items()]


def _pair(index: Expression) -> tuple[str, str] | None:
    """The names in `for key, value in ...`."""
    names = [item.name for item in index.items if isinstance(item, NameExpr)] if isinstance(index, TupleExpr) else []
    return (names[0], names[1]) if len(names) == 2 else None


def _dict_of_items(node: Expression, scope: FlattenScope) -> FlattenValue | None:
    """The dict of `dict.items()`."""
    if isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr) and node.callee.name == "items":
        return evaluate(node.callee.expr, scope)
    return None


def _any(node: Node, scope: FlattenScope) -> FlattenValue:
    below = children(node)
    return computed(evaluate(part, scope) for part in below) if below is not None else UNKNOWN


def _member(node: MemberExpr, scope: FlattenScope) -> FlattenValue:
    if not is_named(node.expr, scope.owner):
        return computed([evaluate(node.expr, scope)])
    if node.name.startswith("__"):
        return WHOLE if node.name == "__dict__" else UNKNOWN
    return attribute(node.name)


def _display(node: TupleExpr | ListExpr | SetExpr, scope: FlattenScope) -> FlattenValue:
    return sequence(evaluate(item, scope) for item in node.items)


def _dict(node: DictExpr, scope: FlattenScope) -> FlattenValue:
    found = NOTHING
    for key, item in node.items:
        value = evaluate(item, scope)
        name = evaluate(key, scope).text if key is not None else None
        if name is not None:
            found = found.with_item(name, value)
        else:
            found = found.updated(value if key is None else FlattenValue(value.sources, held=value.kept))
    return found


def _item(node: IndexExpr, scope: FlattenScope) -> FlattenValue:
    base, key = evaluate(node.base, scope), evaluate(node.index, scope)
    return base.item(key.text) if key.text is not None else computed([base, key])


def _operator(node: OpExpr, scope: FlattenScope) -> FlattenValue:
    left, right = evaluate(node.left, scope), evaluate(node.right, scope)
    if node.op in ("and", "or"):
        return either(left, right)
    if node.op == "|":
        return left.as_items().updated(right.as_items())
    return sequence([left.as_items(), right.as_items()]) if node.op == "+" else computed([left, right])


def _assignment(node: AssignmentExpr, scope: FlattenScope) -> FlattenValue:
    value = evaluate(node.value, scope)
    scope.names[node.target.name] = value
    return value


# Comprehensions


def _generator(node: GeneratorExpr, scope: FlattenScope) -> FlattenValue:
    values = None
    if len(node.indices) == 1 and not node.condlists[0]:
        values = loop_values(node.indices[0], node.sequences[0], scope)
    if values is None:
        return UNKNOWN
    return sequence(evaluate(node.left_expr, scope.inner(names)) for names in values)


def _dict_comprehension(node: DictionaryComprehension, scope: FlattenScope) -> FlattenValue:
    if len(node.indices) != 1:
        return UNKNOWN
    values = loop_values(node.indices[0], node.sequences[0], scope) if not node.condlists[0] else None
    if values is None:
        return _filtered(node, scope)
    found = NOTHING
    for inner in (scope.inner(names) for names in values):
        key = evaluate(node.key, inner).text if node.key is not None else None
        found = found.with_item(key, evaluate(node.value, inner)) if key is not None else UNKNOWN
    return found


def _filtered(node: DictionaryComprehension, scope: FlattenScope) -> FlattenValue:
    """`{key: value for key, value in vars(self).items() if key != "x"}`: a dict without some items."""
    pair, whole = _pair(node.indices[0]), _dict_of_items(node.sequences[0], scope)
    removed = [_excluded_keys(condition, pair[0]) for condition in node.condlists[0]] if pair is not None else []
    kept = [part.name for part in (node.key, node.value) if isinstance(part, NameExpr)]
    if pair is None or whole is None or kept != list(pair) or None in removed:
        return UNKNOWN
    for key in (key for keys in removed for key in keys or ()):
        whole = whole.without_item(key)
    return whole.as_items()


def _excluded_keys(condition: Expression, key: str) -> list[str] | None:
    """The keys that do not meet a condition such as `key != "x"`, if all others do."""
    if isinstance(condition, OpExpr) and condition.op == "and":
        left, right = _excluded_keys(condition.left, key), _excluded_keys(condition.right, key)
        return left + right if left is not None and right is not None else None
    negated = isinstance(condition, UnaryExpr) and condition.op == "not"
    comparison = condition.expr if isinstance(condition, UnaryExpr) else condition
    if not isinstance(comparison, ComparisonExpr) or not is_named(comparison.operands[0], key):
        return None
    operator, *more = comparison.operators
    compared = comparison.operands[1]
    if more or operator not in (("==", "in") if negated else ("!=", "not in")):
        return None
    listed = compared.items if isinstance(compared, _DISPLAYS) and "in" in operator else [compared]
    texts = [item.value for item in listed if isinstance(item, StrExpr)]
    return texts if len(texts) == len(listed) and ("in" not in operator or isinstance(compared, _DISPLAYS)) else None


# Calls


def _call(node: CallExpr, scope: FlattenScope) -> FlattenValue:
    callee = node.callee
    if isinstance(callee, MemberExpr) and callee.name in _METHODS and not _is_outside(callee.expr, scope):
        return _METHODS[callee.name](node, callee.expr, scope)
    function = _FUNCTIONS.get((dotted_name(callee) or "").rpartition(".")[2])
    if function is not None and node.args and _is_outside(callee, scope):
        return function(node, scope)
    arguments = [evaluate(argument, scope) for argument in node.args]
    return computed(arguments if _is_outside(callee, scope) else [evaluate(callee, scope), *arguments])


def _is_outside(node: Node, scope: FlattenScope) -> bool:
    """Whether an expression is a name, or part of one, that the function does not bind, such as a module."""
    name = root(node)
    return name is not None and name != scope.owner and name not in scope.names


def _values(node: CallExpr, receiver: Expression, scope: FlattenScope) -> FlattenValue:
    """`dict.items()`, `dict.values()`."""
    return sequence([evaluate(receiver, scope).as_items()])


def _get(node: CallExpr, receiver: Expression, scope: FlattenScope) -> FlattenValue:
    """`dict.get("x")`."""
    found = evaluate(receiver, scope)
    key = evaluate(node.args[0], scope).text if node.args else None
    return found.item(key) if key is not None else computed([found])


def _pop(node: CallExpr, receiver: Expression, scope: FlattenScope) -> FlattenValue:
    """`dict.pop("x")`, which also removes the item."""
    popped = _get(node, receiver, scope)
    if isinstance(receiver, NameExpr) and receiver.name in scope.names:
        scope.names[receiver.name] = without_key(scope.names[receiver.name], node.args, scope)
    return popped


def without_key(known: FlattenValue, keys: list[Expression], scope: FlattenScope) -> FlattenValue:
    """A dict without an item; unknown if it is unknown which."""
    key = evaluate(keys[0], scope).text if keys else None
    return known.without_item(key) if key is not None else UNKNOWN


def merged(known: FlattenValue, call: CallExpr, scope: FlattenScope) -> FlattenValue:
    """A dict updated by the arguments of `dict.update(...)` or `dict(...)`."""
    for name, argument in zip(call.arg_names, call.args, strict=True):
        value = evaluate(argument, scope)
        known = known.with_item(name, value) if name is not None else known.updated(value.as_items())
    return known


def _vars(node: CallExpr, scope: FlattenScope) -> FlattenValue:
    return WHOLE if is_named(node.args[0], scope.owner) else computed([evaluate(node.args[0], scope)])


def _getattr(node: CallExpr, scope: FlattenScope) -> FlattenValue:
    name = evaluate(node.args[1], scope).text if len(node.args) > 1 else None
    if name is not None and is_named(node.args[0], scope.owner):
        return attribute(name)
    return computed(evaluate(argument, scope) for argument in node.args)


def _shallow_copy(node: CallExpr, scope: FlattenScope) -> FlattenValue:
    """`tuple(values)`, `copy.copy(value)`: of a dict, a collection has only the keys."""
    found = evaluate(node.args[0], scope)
    is_dict = not found.is_sequence and (found.items or found.without is not None)
    is_copy = (dotted_name(node.callee) or "").endswith("copy")
    return found.as_items() if is_copy or not is_dict else computed([found])


_METHODS: Final[dict[str, Callable[[CallExpr, Expression, FlattenScope], FlattenValue]]] = {
    "copy": lambda node, receiver, scope: evaluate(receiver, scope).as_items(),
    "get": _get,
    "items": _values,
    "pop": _pop,
    "values": _values,
}
_FUNCTIONS: Final[dict[str, Callable[[CallExpr, FlattenScope], FlattenValue]]] = {
    "cast": lambda node, scope: evaluate(node.args[-1], scope),
    "copy": _shallow_copy,
    "dict": lambda node, scope: merged(NOTHING, node, scope),
    "getattr": _getattr,
    "list": _shallow_copy,
    "sorted": _shallow_copy,
    "tuple": _shallow_copy,
    "vars": _vars,
}
_STEPS: Final[dict[type[Node], Callable[[Any, FlattenScope], FlattenValue]]] = {
    AssignmentExpr: _assignment,
    CallExpr: _call,
    ConditionalExpr: lambda node, scope: either(evaluate(node.if_expr, scope), evaluate(node.else_expr, scope)),
    DictExpr: _dict,
    DictionaryComprehension: _dict_comprehension,
    GeneratorExpr: _generator,
    IndexExpr: _item,
    ListComprehension: lambda node, scope: _generator(node.generator, scope),
    ListExpr: _display,
    MemberExpr: _member,
    NameExpr: lambda node, scope: NOTHING if node.name in _CONSTANTS else scope.names.get(node.name, UNKNOWN),
    OpExpr: _operator,
    SetComprehension: lambda node, scope: _generator(node.generator, scope),
    SetExpr: _display,
    StarExpr: lambda node, scope: evaluate(node.expr, scope).as_items(),
    StrExpr: lambda node, scope: FlattenValue(text=node.value),
    TupleExpr: _display,
}
