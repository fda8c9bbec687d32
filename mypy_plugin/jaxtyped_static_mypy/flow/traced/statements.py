"""Walks the statements of a function in order; a variable keeps a value only if it holds on every path."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from mypy.nodes import (
    AssertStmt,
    AssignmentStmt,
    Block,
    BreakStmt,
    CallExpr,
    ClassDef,
    ContinueStmt,
    Decorator,
    DelStmt,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    FuncItem,
    IfStmt,
    IndexExpr,
    MatchStmt,
    NameExpr,
    OperatorAssignmentStmt,
    OverloadedFuncDef,
    RaiseStmt,
    RefExpr,
    ReturnStmt,
    Statement,
    SymbolNode,
    TryStmt,
    WhileStmt,
    WithStmt,
)

from ...knowledge.function_rows import Effect
from ...knowledge.jax_functions import jax_function
from ...source.expected import is_raising_expected_by, may_catch_tracer_errors
from ...syntax.assignments import known_pairs, targets_of
from ...syntax.patterns import captured, compares, is_irrefutable
from ...syntax.trees import assignment_targets, has_kind, nodes_below, parts_of
from .expressions import bind, condition, evaluate
from .flags import decided
from .frame import Env, Frame, Nested, join_envs
from .items import operation
from .joining import element
from .loops import settled_loop
from .narrowing import Path, emptied_by, keeps_tracers_out, narrow, rejoined, where
from .type_tests import record_guard, record_type_tests

# What leaves a branch, or the loop around it.
_LEAVING: Final = frozenset({ReturnStmt, BreakStmt, ContinueStmt})


def walk_block(block: Iterable[Statement], env: Env | None, frame: Frame) -> Env | None:
    """Returns the variables after a block; None if control never reaches its end."""
    staged = frame.staged
    for node in block:
        if env is None:
            break
        handler = _HANDLERS.get(type(node), _other)
        env = handler(node, env, frame)
    frame.staged = staged  # an `if` may keep tracers out of what follows it in the block
    return env


def walk_body(function: FuncItem, env: Env, frame: Frame) -> None:
    """Walks the body of a function; `frame` then has what it returns."""
    if walk_block(function.body.body, env, frame) is not None:
        frame.returned.append(None)


def _other(node: Statement, env: Env, frame: Frame) -> Env:
    for part in parts_of(node):
        if isinstance(part, Expression):
            evaluate(part, env, frame)
    return env


def _ends(node: Statement, env: Env, frame: Frame) -> None:
    _other(node, env, frame)


def _return(node: ReturnStmt, env: Env, frame: Frame) -> None:
    frame.returned.append(evaluate(node.expr, env, frame) if node.expr is not None else None)


def _assign(node: AssignmentStmt, env: Env, frame: Frame) -> Env:
    """`a, b = x, y` is two assignments, if no target takes several values."""
    pairs = list(known_pairs(node))
    if len(pairs) < len(list(assignment_targets(node))):
        pairs = [(target, node.rvalue) for target in node.lvalues]
    values = {value: evaluate(value, env, frame) for value in dict.fromkeys(value for _, value in pairs)}
    for target, value in pairs:
        bind(target, values[value], env, frame)
    return env


def _assign_operation(node: OperatorAssignmentStmt, env: Env, frame: Frame) -> Env:
    left, right = evaluate(node.lvalue, env, frame), evaluate(node.rvalue, env, frame)
    bind(node.lvalue, operation(node.op, left, right), env, frame)
    return env


def _delete(node: DelStmt, env: Env, frame: Frame) -> Env:
    deleted = node.expr.base if isinstance(node.expr, IndexExpr) else node.expr
    bind(deleted, None, env, frame)
    return env


def _assert(node: AssertStmt, env: Env, frame: Frame) -> Env | None:
    """As an `if` whose other branch raises."""
    condition(node.expr, "assert", env, frame)
    record_guard(node, env, frame)
    holds = narrow(node.expr, env, True, frame.walk.file)
    frame.staged = frame.staged and not keeps_tracers_out(node.expr, True, frame.walk.file)
    return rejoined([Path(holds, holds, leaves=False)], env)


def _if(node: IfStmt, env: Env, frame: Frame) -> Env | None:
    record_type_tests(node, env, frame)
    before, paths, staged = env, list[Path](), frame.staged
    for tested, body in zip(node.expr, node.body, strict=True):
        condition(tested, "if", env, frame)
        outcome = decided(tested, frame.flags)
        if outcome is not False:
            with where(tested, True, env, frame) as inside:
                paths.append(_path(body, inside, frame))
        if outcome is True:
            frame.staged = staged
            return rejoined(paths, before)
        env = dict(narrow(tested, env, False, frame.walk.file))
        frame.staged = frame.staged and not keeps_tracers_out(tested, False, frame.walk.file)
    paths.append(_path(node.else_body, env, frame) if node.else_body is not None else Path(env, env, leaves=False))
    is_left = paths[0].end is None  # by all for which the first condition holds
    frame.staged = staged and not (is_left and keeps_tracers_out(node.expr[0], False, frame.walk.file))
    return rejoined(paths, before)


def _path(body: Block, start: Env, frame: Frame) -> Path:
    leaves = has_kind(nodes_below(body), _LEAVING)
    return Path(start, walk_block(body.body, dict(start), frame), leaves)


def _while(node: WhileStmt, env: Env, frame: Frame) -> Env | None:
    def once(start: Env) -> Env | None:
        condition(node.expr, "while", start, frame)
        return rejoined([_path(node.body, narrow(node.expr, start, True, frame.walk.file), frame)], start)

    def again(end: Env) -> None:
        """The first pass may give the variables of the condition their first traced values."""
        condition(node.expr, "while-again", dict(end), frame)

    return _loop(node, env, once, frame, again)


def _for(node: ForStmt, env: Env, frame: Frame) -> Env | None:
    def once(start: Env) -> Env | None:
        bind(node.index, element(evaluate(node.expr, start, frame)), start, frame)
        return walk_block(node.body.body, start, frame)

    return _loop(node, env, once, frame)


def _loop(
    node: ForStmt | WhileStmt,
    env: Env,
    once: Callable[[Env], Env | None],
    frame: Frame,
    after_first: Callable[[Env], None] | None = None,
) -> Env | None:
    settled = settled_loop(node, env, once, frame, after_first)
    after: Env | None = dict(settled.entry)
    if node.else_body is not None:
        after = walk_block(node.else_body.body, after, frame)
    for jumped in settled.breaks:
        after = join_envs(after, jumped)
    return after


def _break(node: BreakStmt, env: Env, frame: Frame) -> None:
    if frame.loops:
        frame.loops[-1].breaks.append(env)


def _continue(node: ContinueStmt, env: Env, frame: Frame) -> None:
    if frame.loops:
        frame.loops[-1].continues.append(env)


def _with(node: WithStmt, env: Env, frame: Frame) -> Env | None:
    for manager, target in zip(node.expr, node.target, strict=True):
        evaluate(manager, env, frame)
        if target is not None:
            bind(target, None, env, frame)
    concrete, guarded = frame.concrete, frame.guarded
    frame.concrete = concrete or any(_makes_concrete(manager) for manager in node.expr)
    frame.guarded = guarded or is_raising_expected_by(node)
    after = walk_block(node.body.body, env, frame)
    frame.concrete, frame.guarded = concrete, guarded
    return after


def _makes_concrete(manager: Expression) -> bool:
    called = manager.callee if isinstance(manager, CallExpr) else None
    return isinstance(called, RefExpr) and Effect.UNTRACED_BODY in jax_function(called.fullname).effects


def _try(node: TryStmt, env: Env, frame: Frame) -> Env | None:
    """A handler may come after any part of the body."""
    assigned = _assigned(node.body)
    outside, fails = frame.guarded, frame.fails
    frame.guarded, frame.fails = outside or may_catch_tracer_errors(node), False
    after = walk_block(node.body.body, dict(env), frame)
    emptied = emptied_by(node) if frame.fails else set()
    frame.guarded, frame.fails = outside, fails
    interrupted = {variable: value for variable, value in env.items() if variable not in assigned}
    if after is not None and node.else_body is not None:
        after = walk_block(node.else_body.body, after, frame)
    for variable, handler in zip(node.vars, node.handlers, strict=True):
        start = dict(interrupted)
        if variable is not None:
            bind(variable, None, start, frame)
        after = join_envs(after, walk_block(handler.body, start, frame))
    frame.emptied |= emptied
    if node.finally_body is None:
        return after
    finished = walk_block(node.finally_body.body, dict(interrupted) if after is None else after, frame)
    return finished if after is not None else None


def _assigned(block: Block) -> set[SymbolNode]:
    """The variables that a block may assign, or whose objects it may change."""
    nodes = nodes_below(block)
    targets = (target for node in nodes for target in targets_of(node))
    names = (name for target in targets for name in nodes_below(target) if isinstance(name, RefExpr))
    patterns = (pattern for node in nodes if isinstance(node, MatchStmt) for pattern in node.patterns)
    bound = (variable for pattern in patterns for variable in captured(pattern))
    return {*bound, *(name.node for name in names if name.node is not None)}


def _match(node: MatchStmt, env: Env, frame: Frame) -> Env | None:
    """Patterns may narrow their subject and bind names: forget all of these, inside and after."""
    subject = evaluate(node.subject, env, frame)
    if any(compares(pattern) for pattern in node.patterns):
        frame.needs_concrete(node.subject, "match", subject)
    bound = {variable for pattern in node.patterns for variable in captured(pattern)}
    for variable in bound:
        frame.bind(variable, None, env)
    told = bound.union(name.node for name in nodes_below(node.subject) if isinstance(name, NameExpr))
    start = {variable: value for variable, value in env.items() if variable not in told}
    after = None if any(is_irrefutable(pattern) for pattern in node.patterns) else start
    for guard, body in zip(node.guards, node.bodies, strict=True):
        inside = dict(start)
        if guard is not None:
            condition(guard, "if", inside, frame)
            inside = dict(narrow(guard, inside, True, frame.walk.file))
        after = join_envs(after, walk_block(body.body, inside, frame))
    return after


def _define(node: FuncDef | Decorator, env: Env, frame: Frame) -> Env:
    decorator = node if isinstance(node, Decorator) else None
    function = node.func if isinstance(node, Decorator) else node
    if decorator is not None:
        for applied in decorator.decorators:
            evaluate(applied, env, frame)
    for argument in function.arguments:
        if argument.initializer is not None:
            evaluate(argument.initializer, env, frame)
    frame.walk.add_nested(Nested(function, decorator, dict(env), frame))
    return env


def _define_each(node: OverloadedFuncDef, env: Env, frame: Frame) -> Env:
    """Definitions of one name."""
    for item in node.unanalyzed_items:
        env = _define(item, env, frame)
    return env


_HANDLERS: Final[Mapping[type[Statement], Callable[[Any, Env, Frame], Env | None]]] = {
    Block: lambda node, env, frame: walk_block(node.body, env, frame),
    ExpressionStmt: _other,
    AssignmentStmt: _assign,
    OperatorAssignmentStmt: _assign_operation,
    DelStmt: _delete,
    AssertStmt: _assert,
    IfStmt: _if,
    WhileStmt: _while,
    ForStmt: _for,
    BreakStmt: _break,
    ContinueStmt: _continue,
    WithStmt: _with,
    TryStmt: _try,
    MatchStmt: _match,
    ReturnStmt: _return,
    RaiseStmt: _ends,
    FuncDef: _define,
    Decorator: _define,
    OverloadedFuncDef: _define_each,
    ClassDef: lambda node, env, frame: env,
}
