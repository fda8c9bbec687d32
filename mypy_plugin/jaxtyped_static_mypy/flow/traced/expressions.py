"""Evaluates expressions from the values of their variables."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from mypy.nodes import (
    AssignmentExpr,
    CallExpr,
    CastExpr,
    ComparisonExpr,
    ConditionalExpr,
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
    SetExpr,
    SliceExpr,
    StarExpr,
    StrExpr,
    SymbolNode,
    TupleExpr,
    UnaryExpr,
)

from ...knowledge.differentiable import DIFFERENTIABLE, WITHOUT_DERIVATIVE
from ...knowledge.members import (
    MUTATING_METHODS,
)
from ...syntax.literals import text_or_number
from ...syntax.names import function_of, is_self, last_name
from ...syntax.trees import parts_of
from .aliased import changed_by_other_names
from .called_objects import object_called
from .calls import call_value
from .containers import (
    record_assigned,
    record_hashed,
    record_method,
    record_repeated,
)
from .conversions import record_formatted
from .flags import decided
from .frame import Env, Frame, Nested
from .items import operation, unpacked, with_item
from .joining import element, join
from .narrowing import narrow, where
from .own_containers import changed, is_own, popped
from .reading import attribute, compared, subscript
from .results import has_plain_body
from .shapes import parts_of_index
from .values import (
    CONTAINERS,
    Doubted,
    Each,
    Entries,
    Items,
    Traced,
    Tree,
    Value,
    array_from,
    held,
    known_without_derivative,
    present,
    sequence,
)

_SEVERAL: Final = 2
_TRUTH: Final = ("and", "or")


def evaluate(node: Expression, env: Env, frame: Frame) -> Value:
    """Evaluates an expression, and records all calls in it."""
    handler = _HANDLERS.get(type(node))
    if handler is not None:
        value = handler(node, env, frame)
        return None if frame.concrete else value
    for part in parts_of(node):
        if isinstance(part, Expression):
            evaluate(part, env, frame)
    return None


def condition(node: Expression, kind: str, env: Env, frame: Frame) -> Value:
    """Evaluates a condition; `a and b` and `not a` are conditions on their operands."""
    if isinstance(node, UnaryExpr) and node.op == "not":
        condition(node.expr, kind, env, frame)
        return None
    if isinstance(node, OpExpr) and node.op in _TRUTH:
        left = condition(node.left, kind, env, frame)
        if decided(node.left, frame.flags) is (node.op == "or"):
            return left
        with where(node.left, node.op == "and", env, frame) as inside:
            return join(left, condition(node.right, kind, inside, frame))
    value = evaluate(node, env, frame)
    frame.needs_concrete(node, kind, value)
    return value


def bind(target: Expression, value: Value, env: Env, frame: Frame) -> None:
    """Binds a target to what is known of a value; assigning to part of an object makes the whole object unknown.

    What a name may refer to is another question, which `source/bindings` answers.
    """
    if isinstance(target, NameExpr):
        if isinstance(target.node, SymbolNode):
            is_shared = isinstance(value, CONTAINERS) and target.node in changed_by_other_names(frame.walk.file)
            frame.bind(target.node, None if is_shared else value, env)
    elif isinstance(target, (TupleExpr, ListExpr)):
        starred = any(isinstance(part, StarExpr) for part in target.items)
        parts = (None,) * len(target.items) if starred else unpacked(value, len(target.items))
        for part, part_value in zip(target.items, parts, strict=True):
            bind(part, part_value, env, frame)
    elif isinstance(target, StarExpr):
        bind(target.expr, value, env, frame)
    elif isinstance(target, IndexExpr):
        base = present(evaluate(target.base, env, frame))
        record_assigned(target, base, evaluate(target.index, env, frame), value, frame)
        is_item = is_own(target.base, frame.walk.file) and not isinstance(target.index, SliceExpr)
        bind(target.base, with_item(base, text_or_number(target.index), value) if is_item else None, env, frame)
    elif isinstance(target, MemberExpr):
        owner = present(evaluate(target.expr, env, frame)) if is_self(target.expr) else None
        is_tree = isinstance(owner, Tree) and owner.given is None
        left = replace(owner, replaced=owner.replaced | {target.name}) if is_tree and isinstance(owner, Tree) else None
        bind(target.expr, left, env, frame)


def _name(node: NameExpr, env: Env, frame: Frame) -> Value:
    if node.name in frame.walk.unstable or node.node is None:
        return None
    value = env.get(node.node)
    return value if not isinstance(value, Doubted) else None


def _member(node: MemberExpr, env: Env, frame: Frame) -> Value:
    return attribute(node, present(evaluate(node.expr, env, frame)), frame)


def _index(node: IndexExpr, env: Env, frame: Frame) -> Value:
    value = present(evaluate(node.base, env, frame))
    return subscript(
        node, value, [(part, evaluate(part.node, env, frame)) for part in parts_of_index(node.index)], frame
    )


def _operation(node: OpExpr, env: Env, frame: Frame) -> Value:
    if node.op in _TRUTH:
        left = condition(node.left, node.op, env, frame)
        if decided(node.left, frame.flags) is (node.op == "or"):
            return left
        with where(node.left, node.op == "and", env, frame) as inside:
            return join(left, evaluate(node.right, inside, frame))
    left = evaluate(node.left, env, frame)
    right = evaluate(node.right, env, frame)
    if isinstance(node.left, StrExpr):
        if not record_repeated(node, left, right, frame):
            record_formatted(node, right, frame)
        return None
    if record_repeated(node, left, right, frame):
        return None
    value = operation(node.op, left, right)
    return known_without_derivative(value) if node.op in WITHOUT_DERIVATIVE else value


def _comparison(node: ComparisonExpr, env: Env, frame: Frame) -> Value:
    return compared(node, [present(evaluate(operand, env, frame)) for operand in node.operands], frame)


def _unary(node: UnaryExpr, env: Env, frame: Frame) -> Value:
    if node.op == "not":
        condition(node.expr, "not", env, frame)
        return None
    value = present(evaluate(node.expr, env, frame))
    return array_from(value.source, is_mask=value.is_mask and node.op == "~") if isinstance(value, Traced) else None


def _conditional(node: ConditionalExpr, env: Env, frame: Frame) -> Value:
    condition(node.cond, "conditional", env, frame)
    outcome = decided(node.cond, frame.flags)
    if outcome is not None:
        with where(node.cond, outcome, env, frame) as inside:
            return evaluate(node.if_expr if outcome else node.else_expr, inside, frame)
    with where(node.cond, True, env, frame) as inside:
        yes = evaluate(node.if_expr, inside, frame)
    with where(node.cond, False, env, frame) as inside:
        return join(yes, evaluate(node.else_expr, inside, frame))


def _sequence(node: TupleExpr | ListExpr, env: Env, frame: Frame) -> Value:
    values: list[Value] = []
    known = True
    for part in node.items:
        value = evaluate(part.expr if isinstance(part, StarExpr) else part, env, frame)
        if not isinstance(part, StarExpr):
            values.append(value)
        elif isinstance(value, Items):
            values.extend(value.values)
        else:
            known = False
            values.append(value)
    whole = sequence(values)
    return whole if known else held(whole)


def _dict(node: DictExpr, env: Env, frame: Frame) -> Value:
    for key, _ in node.items:
        if key is not None:
            record_hashed(key, evaluate(key, env, frame), frame)
    values = [evaluate(value, env, frame) for _, value in node.items]
    names = [key.value for key, _ in node.items if isinstance(key, StrExpr)]
    if len(names) == len(values):
        return Entries(tuple(dict(zip(names, values, strict=True)).items()), is_closed=True)
    return held(Items(tuple(values)))


def _set(node: SetExpr, env: Env, frame: Frame) -> None:
    for part in node.items:
        value = evaluate(part, env, frame)
        record_hashed(part, value, frame)


def _generator(node: GeneratorExpr | DictionaryComprehension, env: Env, frame: Frame) -> Env:
    """The variables inside of a comprehension."""
    inner = dict(env)
    for target, iterable, conditions in zip(node.indices, node.sequences, node.condlists, strict=True):
        bind(target, element(evaluate(iterable, inner, frame)), inner, frame)
        for tested in conditions:
            condition(tested, "comprehension", inner, frame)
            inner = narrow(tested, inner, True, frame.walk.file)
    return inner


def _elements(node: GeneratorExpr, env: Env, frame: Frame) -> Value:
    return Each(evaluate(node.left_expr, _generator(node, env, frame), frame))


def _set_comprehension(node: SetComprehension, env: Env, frame: Frame) -> Value:
    elements = _elements(node.generator, env, frame)
    record_hashed(node, element(elements), frame)
    return elements


def _dict_comprehension(node: DictionaryComprehension, env: Env, frame: Frame) -> Value:
    inner = _generator(node, env, frame)
    if node.key is not None:
        record_hashed(node.key, evaluate(node.key, inner, frame), frame)
    return Entries(other=evaluate(node.value, inner, frame))


def _lambda(node: LambdaExpr, env: Env, frame: Frame) -> Value:
    frame.walk.add_nested(Nested(node, None, dict(env), frame))
    return None


def _walrus(node: AssignmentExpr, env: Env, frame: Frame) -> Value:
    value = evaluate(node.value, env, frame)
    bind(node.target, value, env, frame)
    return value


def _call(node: CallExpr, env: Env, frame: Frame) -> Value:
    """Evaluates the receiver and the arguments, records the arguments for rules, then evaluates the call itself."""
    base = evaluate(node.callee.expr, env, frame) if isinstance(node.callee, MemberExpr) else None
    called = evaluate(node.callee, env, frame) if not isinstance(node.callee, MemberExpr) else None
    values = [evaluate(argument, env, frame) for argument in node.args]
    for argument, value in zip(node.args, values, strict=True):
        is_certain = frame.is_sure(argument) and not frame.guarded
        frame.walk.record_argument(argument, value if is_certain else None)
    record_method(node, present(base), values, frame)
    returned = object_called(node, present(base), present(called), values, frame)
    value = call_value(node, present(base), values, frame)
    value = returned if value is None else value
    if isinstance(node.callee, MemberExpr) and isinstance(base, CONTAINERS) and node.callee.name in MUTATING_METHODS:
        is_seen = is_own(node.callee.expr, frame.walk.file)
        bind(node.callee.expr, changed(node.callee.name, node, base, values) if is_seen else None, env, frame)
        if is_seen and node.callee.name == "pop":
            return popped(base, node)
    function = function_of(node.callee) if isinstance(node.callee, NameExpr) else None
    is_walked = function is not None and has_plain_body(function, frame.walk.file)
    is_kept = is_walked or last_name(node.callee) in DIFFERENTIABLE
    return value if is_kept else known_without_derivative(value)


_HANDLERS: Final[Mapping[type[Expression], Callable[[Any, Env, Frame], Value]]] = {
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
    SetExpr: _set,
    GeneratorExpr: _elements,
    ListComprehension: lambda node, env, frame: _elements(node.generator, env, frame),
    SetComprehension: _set_comprehension,
    DictionaryComprehension: _dict_comprehension,
    LambdaExpr: _lambda,
    AssignmentExpr: _walrus,
    CastExpr: lambda node, env, frame: evaluate(node.expr, env, frame),
}
