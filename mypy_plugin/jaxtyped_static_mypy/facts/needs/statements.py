"""Walks through the body of a function, and tells what each of its calls gets to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    AssertStmt,
    AssignmentStmt,
    Block,
    BreakStmt,
    ContinueStmt,
    Expression,
    ExpressionStmt,
    ForStmt,
    IfStmt,
    IndexExpr,
    MatchStmt,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    RaiseStmt,
    ReturnStmt,
    Statement,
    WhileStmt,
)

from ...syntax.assignments import assigned_pairs, targets_of
from ...syntax.node_parts import nodes_under
from ...syntax.trees import nodes_below, statements
from .conditions import Told, told
from .expressions import condition, evaluate
from .recording import NOTHING, Env, Found, Origins, Walk

_LEAVING: Final = (ReturnStmt, BreakStmt, ContinueStmt)


class End(NamedTuple):
    """What holds behind a block; nothing is behind one that raises or leaves."""

    env: Env
    reached: Origins
    arrives: bool = True
    raises: bool = False


def walk_block(body: Sequence[Statement], env: Env, walk: Walk) -> End:
    for statement in body:
        evaluated = _HANDLERS.get(type(statement), _skip)(statement, env, walk)
        if evaluated is not None:
            return evaluated
    return End(env, walk.reached)


def _skip(node: Statement, env: Env, walk: Walk) -> None:
    """What may catch errors, or run later: what it binds is unknown, and it may leave."""
    _forget(node, env)
    if any(isinstance(part, _LEAVING) for part in _statements_of(node)):
        walk.reached = NOTHING
        walk.returned.append(NOTHING)


def _forget(node: Node, env: Env) -> None:
    """Forgets what a statement may bind."""
    for part in nodes_below(node):
        bound = nodes_under(part, ("patterns",)) if isinstance(part, MatchStmt) else targets_of(part)
        for name in (name for target in bound for name in nodes_below(target) if isinstance(name, NameExpr)):
            env.pop(name.name, None)


def _statements_of(node: Statement) -> list[Statement]:
    return statements([node], into_definitions=False)


def _return(node: ReturnStmt, env: Env, walk: Walk) -> End:
    walk.returned.append(evaluate(node.expr, env, walk) if node.expr is not None else NOTHING)
    return End(env, NOTHING, arrives=False)


def _leave_loop(node: BreakStmt | ContinueStmt, env: Env, walk: Walk) -> End:
    return End(env, NOTHING, arrives=False)


def _raise(node: RaiseStmt, env: Env, walk: Walk) -> End:
    return End(env, NOTHING, arrives=False, raises=True)


def _expression(node: ExpressionStmt, env: Env, walk: Walk) -> None:
    evaluate(node.expr, env, walk)


def _assert(node: AssertStmt, env: Env, walk: Walk) -> None:
    condition(node.expr, "assert", env, walk)


def _assign(node: AssignmentStmt, env: Env, walk: Walk) -> None:
    """Unpacking a tracer gives tracers."""
    whole = evaluate(node.rvalue, env, walk)
    again = replace(walk, found=Found())
    values = [
        (target, whole if value is None or value is node.rvalue else evaluate(value, env, again))
        for target, value in assigned_pairs(node)
    ]
    for target, value in values:
        _bind(target, value, env, walk)


def _bind(target: Expression, value: Origins, env: Env, walk: Walk) -> None:
    if isinstance(target, NameExpr):
        env[target.name] = value
    elif isinstance(target, IndexExpr):
        walk.need("in-place", evaluate(target.base, env, walk) if isinstance(target.base, NameExpr) else NOTHING)


def _assign_operation(node: OperatorAssignmentStmt, env: Env, walk: Walk) -> None:
    value = evaluate(node.lvalue, env, walk) | evaluate(node.rvalue, env, walk)
    _bind(node.lvalue, value, env, walk)


def _if(node: IfStmt, env: Env, walk: Walk) -> End | None:
    return _branch(node, 0, env, walk)


def _branch(node: IfStmt, index: int, env: Env, walk: Walk) -> End | None:
    """One of the conditions, and the ways that it leads to."""
    condition(node.expr[index], "if", env, walk)
    answers = told(node.expr[index], env, walk)
    yes, no = _way(env, walk), _way(env, walk)
    first = walk_block(node.body[index].body, yes.env, yes.walk)
    second = _otherwise(node, index, no)
    _merge_found(answers, yes.walk.found, no.walk.found, walk.found)
    if not first.arrives and not second.arrives:
        return End(env, NOTHING, arrives=False, raises=first.raises and second.raises)
    after = _merge_env(answers, first, second)
    env.clear()
    env.update(after)
    walk.reached = _both(answers, _passing(first, walk), _passing(second, walk))
    return None


def _otherwise(node: IfStmt, index: int, way: "_Way") -> End:
    if index + 1 < len(node.expr):
        return _branch(node, index + 1, way.env, way.walk) or End(way.env, way.walk.reached)
    return walk_block(node.else_body.body if node.else_body is not None else [], way.env, way.walk)


class _Way(NamedTuple):
    env: Env
    walk: Walk


def _way(env: Env, walk: Walk) -> _Way:
    return _Way(dict(env), replace(walk, found=Found()))


def _passing(end: End, walk: Walk) -> Origins:
    """The parameters for which a way goes on, or ends with an exception."""
    return walk.reached if end.raises else end.reached


def _both(answers: Told, yes: Origins, no: Origins) -> Origins:
    """What holds on both ways, or on the one that a tracer takes."""
    return (yes & no) | (yes & answers.holds) | (no & answers.fails)


def _merge_env(answers: Told, yes: End, no: End) -> Env:
    if not yes.arrives or not no.arrives:
        return dict(no.env if not yes.arrives else yes.env)
    return {name: _both(answers, yes.env.get(name, NOTHING), no.env.get(name, NOTHING)) for name in yes.env | no.env}


def _merge_found(answers: Told, yes: Found, no: Found, into: Found) -> None:
    kept = _both(answers, frozenset(yes.needs), frozenset(no.needs))
    for parameter, kind in (no.needs | yes.needs).items():
        if parameter in kept:
            into.needs.setdefault(parameter, kind)
    into.handed |= yes.handed & no.handed
    into.handed |= {one for one in yes.handed if one.parameter in answers.holds}
    into.handed |= {one for one in no.handed if one.parameter in answers.fails}


def _while(node: WhileStmt, env: Env, walk: Walk) -> None:
    """Only the condition is sure to run, with what its variables have at first."""
    condition(node.expr, "while", env, walk)
    _forget(node, env)
    _leave_if_returned(node, walk)


def _for(node: ForStmt, env: Env, walk: Walk) -> None:
    """The body runs, as loops over nothing are rare; later passes may see other values."""
    items = evaluate(node.expr, env, walk)
    _forget(node, env)
    inside = dict(env)
    _bind(node.index, items, inside, walk)
    with walk.only_for(walk.reached):
        walk_block(node.body.body, inside, walk)
    _leave_if_returned(node, walk)


def _leave_if_returned(loop: Statement, walk: Walk) -> None:
    if any(isinstance(part, ReturnStmt) for part in _statements_of(loop)):
        walk.reached = NOTHING
        walk.returned.append(NOTHING)


_HANDLERS: Final[Mapping[type[Statement], Callable[[Any, Env, Walk], End | None]]] = {
    Block: lambda node, env, walk: walk_block(node.body, env, walk) if node.body else None,
    ReturnStmt: _return,
    BreakStmt: _leave_loop,
    ContinueStmt: _leave_loop,
    RaiseStmt: _raise,
    ExpressionStmt: _expression,
    AssertStmt: _assert,
    AssignmentStmt: _assign,
    OperatorAssignmentStmt: _assign_operation,
    IfStmt: _if,
    WhileStmt: _while,
    ForStmt: _for,
}
