"""Narrows values by conditions. A call that may tell a tracer from a concrete value makes its arguments doubted.

A doubted variable is unknown where the condition has been tested, until control has rejoined.
"""

from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from functools import partial, reduce
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    Expression,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SymbolNode,
    TryStmt,
    TupleExpr,
    UnaryExpr,
)

from ...facts.functions.keeping import facts_of_function, is_of_program, split_name
from ...facts.functions.steps import uses_of
from ...knowledge import naming
from ...knowledge.type_rows import AsKey, Trait
from ...libraries import KEY_TYPES, types_with
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...syntax.imports import full_name
from ...syntax.literals import is_none
from ...syntax.names import callee_name
from ...syntax.tracer_questions import Reader, excludes_tracers, implies
from .frame import Env, Frame, join_envs
from .telling import asked_about, may_tell
from .values import Doubt, Doubted, OrNone, Value, present

_ARRAYS: Final = (AsKey.ARRAY, AsKey.HOST_ARRAY)
_NO_TRACERS: Final = types_with(Trait.PLAIN)


class Path(NamedTuple):
    """One way through a conditional statement."""

    start: Env  # as the condition narrows it
    end: Env | None
    leaves: bool  # in it is a `return`, `break` or `continue`


def narrow(condition: Expression, env: Env, outcome: bool, file: CheckedFile) -> Env:
    """Returns the variables where the condition had this outcome."""
    if isinstance(condition, UnaryExpr) and condition.op == "not":
        return narrow(condition.expr, env, not outcome, file)
    if isinstance(condition, OpExpr) and condition.op in ("and", "or"):
        both = narrow(condition.right, narrow(condition.left, env, condition.op == "and", file), outcome, file)
        if (condition.op == "and") == outcome:
            return both
        return join_envs(narrow(condition.left, env, outcome, file), both) or {}
    if isinstance(condition, ComparisonExpr) and len(condition.operands) == 2:
        return _narrow_comparison(condition, env, outcome, file)
    if isinstance(condition, CallExpr):
        return _narrow_call(condition, env, outcome, file)
    return _not_none(condition, env, outcome) if isinstance(condition, NameExpr) else env


@contextmanager
def where(condition: Expression, outcome: bool, env: Env, frame: Frame) -> Iterator[Env]:
    """The variables of code that runs where a condition had this outcome.

    If it keeps tracers out, the code is there for other calls: what JAX computes of concrete values need not be traced.
    """
    staged, guarded = frame.staged, frame.guarded
    frame.staged = staged and not keeps_tracers_out(condition, outcome, frame.walk.file)
    excludes_none = frame.emptied and implies(condition, outcome, partial(_excludes_none, variables=frame.emptied))
    frame.guarded = bool(guarded or excludes_none or implies(condition, outcome, _finds_jit_off))
    yield narrow(condition, env, outcome, frame.walk.file)
    frame.staged, frame.guarded = staged, guarded


def emptied_by(node: TryStmt) -> set[SymbolNode]:
    """The variables that each handler sets to None."""
    found = [
        {
            target.node
            for part in handler.body
            if isinstance(part, AssignmentStmt) and is_none(part.rvalue)
            for target in part.lvalues
            if isinstance(target, NameExpr) and target.node is not None
        }
        for handler in node.handlers
    ]
    return set.intersection(*found) if found else set()


def _excludes_none(condition: Expression, outcome: bool, variables: Set[SymbolNode]) -> bool:
    """Whether one of these variables is not None where a comparison, or a variable, has this outcome."""
    if isinstance(condition, ComparisonExpr) and len(condition.operands) == 2 and is_none(condition.operands[1]):
        is_excluding = condition.operators[0] == ("is not" if outcome else "is")
        return is_excluding and _is_one_of(condition.operands[0], variables)
    return outcome and _is_one_of(condition, variables)


def _is_one_of(node: Expression, variables: Set[SymbolNode]) -> bool:
    return isinstance(node, NameExpr) and node.node in variables


def keeps_tracers_out(condition: Expression, outcome: bool, file: CheckedFile) -> bool:
    """Whether a condition has this outcome for no tracer: `not isinstance(x, jax.core.Tracer)`, or a name for that."""
    reader = Reader(callee_name, lambda node: made_by(node, file), lambda call: _asks_for_tracers(call, file))
    return excludes_tracers(condition, outcome, reader)


def _asks_for_tracers(call: CallExpr, file: CheckedFile) -> bool | None:
    """Whether the function that is called holds of tracers, as its source says; False if it holds of none."""
    function = full_name(call.callee, file.tree)
    if not is_of_program(function, file.modules):
        return None
    file.helpers.add(split_name(function, file.modules)[0])
    return (facts_of_function(uses_of(function), file.modules) or {}).get("asks")


def _finds_jit_off(condition: Expression, outcome: bool) -> bool:
    """Whether it is `jax.config.jax_disable_jit`, for code that is run without a trace to find an error."""
    return outcome and isinstance(condition, MemberExpr) and naming.is_setting_without_jit(condition.name)


def rejoined(paths: Iterable[Path], before: Env) -> Env | None:
    """The variables where the paths rejoin; what a condition has asked about is no longer doubted.

    Unless a path leaves the statement: it may have taken the tracer with it. If one raises, there is nothing behind it.
    """
    known = list(paths)
    is_left = any(path.leaves for path in known)
    return reduce(join_envs, (path.end if is_left else _settled(path, before) for path in known), None)


def _settled(path: Path, before: Env) -> Env | None:
    """The variables at the end of a path, with what was known of those that were doubted only on this path."""
    if path.end is None:
        return None
    asked = {name: value for name, value in path.start.items() if value != before.get(name) and _is_asked(value)}
    return {name: before[name] if value == asked.get(name) else value for name, value in path.end.items()}


def _is_asked(value: Value) -> bool:
    return isinstance(value, Doubted) and value.why is Doubt.ASKED


def _narrow_comparison(condition: ComparisonExpr, env: Env, outcome: bool, file: CheckedFile) -> Env:
    left, right = condition.operands
    operator = condition.operators[0]
    if operator in ("is", "is not") and is_none(right):
        return _not_none(left, env, (operator == "is not") == outcome)
    return _doubt_asked(left, env, file) if isinstance(left, CallExpr) else env


def _not_none(node: Expression, env: Env, outcome: bool) -> Env:
    """Narrows a name that is compared with None."""
    variable = node.node if isinstance(node, NameExpr) else None
    if variable is None or variable not in env:
        return env
    value = env[variable]
    if outcome:
        return {**env, variable: present(value)}
    return _doubt({variable}, env, Doubt.NONE) if isinstance(value, OrNone) else env


def _narrow_call(call: CallExpr, env: Env, outcome: bool, file: CheckedFile) -> Env:
    """Narrows by `isinstance`: a tracer is an `Array` and never an `int`, so it cannot reach the other branch."""
    direct = bool(call.args) and isinstance(call.args[0], NameExpr)
    if callee_name(call) != "builtins.isinstance" or not direct or len(call.args) != 2:
        return _doubt_asked(call, env, file)
    is_tracer = _is_tracer(call.args[1])
    if is_tracer is None:
        return _doubt(asked_about(call), env, Doubt.ASKED)
    return env if outcome == is_tracer else _doubt(asked_about(call), env, Doubt.NO_TRACER)


def _is_tracer(classes: Expression) -> bool | None:
    """Whether a tracer is an instance of one of these; None where that is not known."""
    items = classes.items if isinstance(classes, TupleExpr) else [classes]
    names = [item.fullname if isinstance(item, RefExpr) else "" for item in items]
    if any(name in KEY_TYPES and KEY_TYPES[name].key in _ARRAYS for name in names):
        return True
    return False if all(name in _NO_TRACERS for name in names) else None


def _doubt_asked(call: CallExpr, env: Env, file: CheckedFile) -> Env:
    return _doubt(asked_about(call), env, Doubt.ASKED) if may_tell(call, file) else env


def _doubt(variables: Set[SymbolNode | None], env: Env, why: Doubt) -> Env:
    return {
        variable: Doubted(value, why) if variable in variables and not isinstance(value, Doubted) else value
        for variable, value in env.items()
    }
