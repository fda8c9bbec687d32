"""From which parameters the value of an expression is computed, so that it is a tracer if one of them is."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from mypy.nodes import (
    AssignmentExpr,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
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
    StrExpr,
    TupleExpr,
    UnaryExpr,
)

from ...knowledge.members import CONCRETE_OPERATORS, NUMBER_ATTRIBUTES, UNAMBIGUOUS_ATTRIBUTES
from ...syntax.literals import is_none
from ...syntax.trees import parts_of
from .calls import Passed, called
from .conditions import told
from .recording import BOUND, MASK, NOTHING, TRUTH, Env, Origins, Walk, joined

_TRUTH: Final = ("and", "or")
_PAIR: Final = 2
_CONTAINERS: Final = (ListExpr, TupleExpr)


def evaluate(node: Expression, env: Env, walk: Walk) -> Origins:
    """The parameters that a value is computed from; records what asks for one of their values."""
    if (handler := _HANDLERS.get(type(node))) is not None:
        return handler(node, env, walk)
    for part in parts_of(node):
        if isinstance(part, Expression):
            evaluate(part, env, walk)
    return NOTHING


def condition(node: Expression, kind: str, env: Env, walk: Walk) -> None:
    """Records what a condition asks; `a and b` and `not a` are conditions on their operands."""
    if isinstance(node, UnaryExpr) and node.op == "not":
        condition(node.expr, kind, env, walk)
    elif isinstance(node, OpExpr) and node.op in _TRUTH:
        condition(node.left, kind, env, walk)
        with _behind(node, env, walk):
            condition(node.right, kind, env, walk)
    else:
        is_computed = isinstance(node, (CallExpr, ComparisonExpr, OpExpr, UnaryExpr))
        walk.need(kind if is_computed else TRUTH, evaluate(node, env, walk))


@contextmanager
def _behind(node: OpExpr, env: Env, walk: Walk) -> Iterator[None]:
    """The right side of `and`, which runs for the parameters for which the left side holds; of `or`, where it fails."""
    answers = told(node.left, env, walk)
    with walk.only_for(answers.holds if node.op == "and" else answers.fails):
        yield


def _member(node: MemberExpr, env: Env, walk: Walk) -> Origins:
    owner = evaluate(node.expr, env, walk)
    if node.name in NUMBER_ATTRIBUTES:
        walk.need("attribute", owner)
    return owner if node.name in UNAMBIGUOUS_ATTRIBUTES else NOTHING


def _index(node: IndexExpr, env: Env, walk: Walk) -> Origins:
    owner = evaluate(node.base, env, walk)
    updated = node.base.expr if isinstance(node.base, MemberExpr) and node.base.name == "at" else None
    is_array = bool(owner if updated is None else evaluate(updated, env, walk))
    for part in node.index.items if isinstance(node.index, TupleExpr) else [node.index]:
        if isinstance(part, SliceExpr):
            bounds = (part.begin_index, part.end_index, part.stride)
            walk.need(BOUND, joined(evaluate(bound, env, walk) for bound in bounds if bound is not None))
        else:
            origins = evaluate(part, env, walk)
            is_mask = isinstance(part, ComparisonExpr) and is_array
            walk.need(MASK, origins if is_mask else NOTHING)
            walk.need("subscript", origins if _is_listed(node.base, walk) else NOTHING)
    return owner


def _is_listed(node: Expression, walk: Walk) -> bool:
    """Whether this is a list or tuple that is written out, here or for the module."""
    if isinstance(node, NameExpr) and node.name not in walk.hidden:
        return isinstance(walk.names.constants.get(node.name), _CONTAINERS)
    return isinstance(node, _CONTAINERS)


def _operation(node: OpExpr, env: Env, walk: Walk) -> Origins:
    if node.op in _TRUTH:
        condition(node.left, node.op, env, walk)
        with _behind(node, env, walk):
            evaluate(node.right, env, walk)
        return NOTHING
    left, right = evaluate(node.left, env, walk), evaluate(node.right, env, walk)
    both = left | right
    if node.op == "*" and (isinstance(node.left, ListExpr) or isinstance(node.right, ListExpr)):
        walk.need("repeated", right if isinstance(node.left, ListExpr) else left)
    holders = (*_CONTAINERS, StrExpr)
    return NOTHING if isinstance(node.left, holders) or isinstance(node.right, holders) else both


def _comparison(node: ComparisonExpr, env: Env, walk: Walk) -> Origins:
    values = [evaluate(operand, env, walk) for operand in node.operands]
    is_told = any(is_none(operand) or isinstance(operand, (StrExpr, *_CONTAINERS)) for operand in node.operands)
    if is_told or not CONCRETE_OPERATORS.isdisjoint(node.operators):
        return NOTHING
    if len(values) > _PAIR:
        walk.need("chain", joined(values[:_PAIR]))
    return joined(values)


def _unary(node: UnaryExpr, env: Env, walk: Walk) -> Origins:
    if node.op == "not":
        condition(node.expr, "not", env, walk)
        return NOTHING
    return evaluate(node.expr, env, walk)


def _conditional(node: ConditionalExpr, env: Env, walk: Walk) -> Origins:
    condition(node.cond, "conditional", env, walk)
    answers = told(node.cond, env, walk)
    with walk.only_for(answers.holds):
        yes = evaluate(node.if_expr, env, walk)
    with walk.only_for(answers.fails):
        no = evaluate(node.else_expr, env, walk)
    return (yes & no) | (yes & answers.holds) | (no & answers.fails)


def _walrus(node: AssignmentExpr, env: Env, walk: Walk) -> Origins:
    env[node.target.name] = evaluate(node.value, env, walk)
    return env[node.target.name]


def _call(node: CallExpr, env: Env, walk: Walk) -> Origins:
    owner = evaluate(node.callee.expr, env, walk) if isinstance(node.callee, MemberExpr) else NOTHING
    if not isinstance(node.callee, (MemberExpr, NameExpr)):
        evaluate(node.callee, env, walk)
    return called(node, owner, [_passed(argument, env, walk) for argument in node.args], walk)


def _iterated(node: GeneratorExpr | DictionaryComprehension, env: Env, walk: Walk) -> Origins:
    evaluate(node.sequences[0], env, walk)
    return NOTHING


def _passed(node: Expression, env: Env, walk: Walk) -> Passed:
    if not isinstance(node, _CONTAINERS):
        return Passed(evaluate(node, env, walk))
    return Passed(joined([evaluate(item, env, walk) for item in node.items]), is_held=True)


_HANDLERS: Final[Mapping[type[Expression], Callable[[Any, Env, Walk], Origins]]] = {
    NameExpr: lambda node, env, walk: env.get(node.name, NOTHING),
    MemberExpr: _member,
    IndexExpr: _index,
    OpExpr: _operation,
    ComparisonExpr: _comparison,
    UnaryExpr: _unary,
    ConditionalExpr: _conditional,
    AssignmentExpr: _walrus,
    CallExpr: _call,
    # Of a comprehension, only what the first loop runs over is evaluated at once, whatever it yields.
    GeneratorExpr: _iterated,
    ListComprehension: lambda node, env, walk: _iterated(node.generator, env, walk),
    SetComprehension: lambda node, env, walk: _iterated(node.generator, env, walk),
    DictionaryComprehension: _iterated,
    LambdaExpr: lambda node, env, walk: NOTHING,
}
