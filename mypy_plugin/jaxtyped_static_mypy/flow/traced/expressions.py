"""The value of an expression, from the values of the variables in it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from mypy.nodes import (
    AssignmentExpr,
    CallExpr,
    CastExpr,
    ComparisonExpr,
    ConditionalExpr,
    Decorator,
    DictExpr,
    DictionaryComprehension,
    Expression,
    GeneratorExpr,
    IndexExpr,
    LambdaExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    SetComprehension,
    SliceExpr,
    StarExpr,
    StrExpr,
    SymbolNode,
    TupleExpr,
    UnaryExpr,
    Var,
)

from ...syntax.literals import literal
from ...syntax.trees import parts_of
from .calls import call_value
from .concrete import ARRAY_ATTRIBUTES, MUTATING_METHODS
from .declared import field_value
from .narrowing import narrow
from .scope import Env, Nested, Scope
from .values import (
    Each,
    Entries,
    Holds,
    Items,
    Traced,
    Tree,
    Value,
    array_from,
    element,
    held,
    item,
    join,
    origin,
    present,
    sequence,
    unpacked,
)

_TRUTH: Final = ("and", "or")
_CONTAINERS: Final = (Items, Each, Entries, Holds)
_IDENTITY: Final = frozenset({"is", "is not", "in", "not in"})


def evaluate(node: Expression, env: Env, scope: Scope) -> Value:
    """Walks an expression, so that all calls in it are seen, and answers with its value."""
    handler = _HANDLERS.get(type(node))
    if handler is not None:
        value = handler(node, env, scope)
        return None if scope.concrete else value
    for part in parts_of(node):
        if isinstance(part, Expression):
            evaluate(part, env, scope)
    return None


def condition(node: Expression, kind: str, env: Env, scope: Scope) -> Value:
    """Evaluates what is asked whether it is true; `a and b` and `not a` ask that of their operands."""
    if isinstance(node, UnaryExpr) and node.op == "not":
        condition(node.expr, kind, env, scope)
        return None
    if isinstance(node, OpExpr) and node.op in _TRUTH:
        left = condition(node.left, kind, env, scope)
        return join(left, condition(node.right, kind, narrow(node.left, env, node.op == "and"), scope))
    value = evaluate(node, env, scope)
    scope.demand(node, kind, value)
    return value


def bind(target: Expression, value: Value, env: Env, scope: Scope) -> None:
    """Assigns to a target; an assignment to a part of an object makes all of it unknown."""
    if isinstance(target, NameExpr):
        if isinstance(target.node, SymbolNode):
            scope.bind(target.node, value, env)
    elif isinstance(target, (TupleExpr, ListExpr)):
        starred = any(isinstance(part, StarExpr) for part in target.items)
        parts = (None,) * len(target.items) if starred else unpacked(value, len(target.items))
        for part, part_value in zip(target.items, parts, strict=True):
            bind(part, part_value, env, scope)
    elif isinstance(target, StarExpr):
        bind(target.expr, value, env, scope)
    elif isinstance(target, (MemberExpr, IndexExpr)):
        bind(target.expr if isinstance(target, MemberExpr) else target.base, None, env, scope)


def _name(node: NameExpr, env: Env, scope: Scope) -> Value:
    if node.name in scope.walk.unstable or node.node is None:
        return None
    return env.get(node.node)


def _member(node: MemberExpr, env: Env, scope: Scope) -> Value:
    value = present(evaluate(node.expr, env, scope))
    if isinstance(value, Traced):
        return array_from(value.source) if node.name in ARRAY_ATTRIBUTES else None
    if isinstance(value, Tree):
        scope.walk.consulted.update(value.type.type.mro)
        symbol = value.type.type.get(node.name)
        if symbol is not None and isinstance(symbol.node, Decorator):
            scope.walk.record_method(symbol.node, value, staged=scope.staged)
        return field_value(value, node.name, scope.walk.file.settings)
    if isinstance(value, Items) and node.name in value.names:
        return value.values[value.names.index(node.name)]
    return None


def _index(node: IndexExpr, env: Env, scope: Scope) -> Value:
    value = present(evaluate(node.base, env, scope))
    index = evaluate(node.index, env, scope)
    if isinstance(value, (Items, Each)):
        scope.demand(node, "subscript", index)
    if isinstance(node.index, SliceExpr):
        return (
            Each(element(value)) if isinstance(value, (Items, Each)) else value if isinstance(value, Traced) else None
        )
    return item(value, literal_key(node.index))


def literal_key(node: Expression) -> int | str | None:
    negative = isinstance(node, UnaryExpr) and node.op == "-"
    value = literal(node.expr if negative and isinstance(node, UnaryExpr) else node)
    if not isinstance(value, (int, str)):
        return None
    return -value if negative and isinstance(value, int) else value


def _operation(node: OpExpr, env: Env, scope: Scope) -> Value:
    if node.op in _TRUTH:
        left = condition(node.left, node.op, env, scope)
        return join(left, evaluate(node.right, narrow(node.left, env, node.op == "and"), scope))
    left = evaluate(node.left, env, scope)
    return operation(node.op, left, evaluate(node.right, env, scope)) if not isinstance(node.left, StrExpr) else None


def operation(op: str, left: Value, right: Value) -> Value:
    """Arithmetic with a tracer is traced; so is a tuple made longer by one."""
    left, right = present(left), present(right)
    if op == "+" and isinstance(left, Items) and isinstance(right, Items):
        return sequence(left.values + right.values)
    source = origin(left) or origin(right)
    if source is None:
        return None
    return Holds(source) if isinstance(left, _CONTAINERS) or isinstance(right, _CONTAINERS) else array_from(source)


def _comparison(node: ComparisonExpr, env: Env, scope: Scope) -> Value:
    values = [present(evaluate(operand, env, scope)) for operand in node.operands]
    if _is_membership(node):
        scope.demand(node, "in", values[0])
    if not _IDENTITY.isdisjoint(node.operators) or any(_is_never_equal(operand) for operand in node.operands):
        return None
    compared = next((array_from(value.source) for value in values if isinstance(value, Traced)), None)
    if len(values) > 2:
        scope.demand(node, "chain", compared)
    return compared


def _is_membership(node: ComparisonExpr) -> bool:
    """`x in (1, 2)`, which compares with one after the other."""
    return node.operators[0] in ("in", "not in") and isinstance(node.operands[1], (TupleExpr, ListExpr))


def _is_never_equal(node: Expression) -> bool:
    """What a tracer is compared with as any object is: the answer is known."""
    is_none = isinstance(node, NameExpr) and node.name == "None"
    of_enum = isinstance(node, MemberExpr) and isinstance(node.node, Var) and node.node.info and node.node.info.is_enum
    return is_none or isinstance(node, StrExpr) or bool(of_enum)


def _unary(node: UnaryExpr, env: Env, scope: Scope) -> Value:
    if node.op == "not":
        condition(node.expr, "not", env, scope)
        return None
    value = present(evaluate(node.expr, env, scope))
    return array_from(value.source) if isinstance(value, Traced) else None


def _conditional(node: ConditionalExpr, env: Env, scope: Scope) -> Value:
    condition(node.cond, "conditional", env, scope)
    yes = evaluate(node.if_expr, narrow(node.cond, env, True), scope)
    return join(yes, evaluate(node.else_expr, narrow(node.cond, env, False), scope))


def _sequence(node: TupleExpr | ListExpr, env: Env, scope: Scope) -> Value:
    values: list[Value] = []
    known = True
    for part in node.items:
        value = evaluate(part.expr if isinstance(part, StarExpr) else part, env, scope)
        if not isinstance(part, StarExpr):
            values.append(value)
        elif isinstance(value, Items):
            values.extend(value.values)
        else:
            known = False
            values.append(value)
    whole = sequence(values)
    return whole if known else held(whole)


def _dict(node: DictExpr, env: Env, scope: Scope) -> Value:
    for key, _ in node.items:
        if key is not None:
            evaluate(key, env, scope)
    values = [evaluate(value, env, scope) for _, value in node.items]
    names = [key.value for key, _ in node.items if isinstance(key, StrExpr)]
    if len(names) == len(values):
        return Entries(tuple(zip(names, values, strict=True)))
    source = next((found for value in values if (found := origin(value)) is not None), None)
    return Holds(source) if source is not None else None


def _generator(node: GeneratorExpr | DictionaryComprehension, env: Env, scope: Scope) -> Env:
    """The variables inside of a comprehension."""
    inner = dict(env)
    for target, iterable, conditions in zip(node.indices, node.sequences, node.condlists, strict=True):
        bind(target, element(evaluate(iterable, inner, scope)), inner, scope)
        for tested in conditions:
            condition(tested, "comprehension", inner, scope)
            inner = narrow(tested, inner, True)
    return inner


def _elements(node: GeneratorExpr, env: Env, scope: Scope) -> Value:
    return Each(evaluate(node.left_expr, _generator(node, env, scope), scope))


def _dict_comprehension(node: DictionaryComprehension, env: Env, scope: Scope) -> Value:
    inner = _generator(node, env, scope)
    if node.key is not None:
        evaluate(node.key, inner, scope)
    return Entries(other=evaluate(node.value, inner, scope))


def _lambda(node: LambdaExpr, env: Env, scope: Scope) -> Value:
    scope.walk.add_nested(Nested(node, None, dict(env), scope))
    return None


def _walrus(node: AssignmentExpr, env: Env, scope: Scope) -> Value:
    value = evaluate(node.value, env, scope)
    bind(node.target, value, env, scope)
    return value


def _call(node: CallExpr, env: Env, scope: Scope) -> Value:
    """The callee's object and the arguments first, each recorded for whoever asks about this call."""
    base = evaluate(node.callee.expr, env, scope) if isinstance(node.callee, MemberExpr) else None
    if not isinstance(node.callee, MemberExpr):
        evaluate(node.callee, env, scope)
    values = [evaluate(argument, env, scope) for argument in node.args]
    for argument, value in zip(node.args, values, strict=True):
        scope.walk.record_argument(argument, value)
    value = call_value(node, present(base), values, scope)
    if isinstance(node.callee, MemberExpr) and isinstance(base, _CONTAINERS) and node.callee.name in MUTATING_METHODS:
        bind(node.callee.expr, None, env, scope)
    return value


_HANDLERS: Final[Mapping[type[Expression], Callable[[Any, Env, Scope], Value]]] = {
    NameExpr: _name,
    MemberExpr: _member,
    IndexExpr: _index,
    CallExpr: _call,
    OpExpr: _operation,
    ComparisonExpr: _comparison,
    UnaryExpr: _unary,
    ConditionalExpr: _conditional,
    TupleExpr: _sequence,
    ListExpr: _sequence,
    DictExpr: _dict,
    GeneratorExpr: _elements,
    ListComprehension: lambda node, env, scope: _elements(node.generator, env, scope),
    SetComprehension: lambda node, env, scope: _elements(node.generator, env, scope),
    DictionaryComprehension: _dict_comprehension,
    LambdaExpr: _lambda,
    AssignmentExpr: _walrus,
    CastExpr: lambda node, env, scope: evaluate(node.expr, env, scope),
}
