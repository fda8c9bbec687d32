"""What a condition answers for a parameter that is a tracer, whatever else is passed."""

from typing import NamedTuple

from mypy.nodes import CallExpr, ComparisonExpr, Expression, NameExpr, OpExpr, TupleExpr, UnaryExpr

from ...knowledge.full_names import NO_TRACERS
from ...syntax.literals import is_none
from .recording import NOTHING, Env, Origins, Walk


class Told(NamedTuple):
    """The parameters for which a condition holds, or not, if they are tracers."""

    holds: Origins = NOTHING
    fails: Origins = NOTHING


def told(test: Expression, env: Env, walk: Walk) -> Told:
    if isinstance(test, UnaryExpr) and test.op == "not":
        inner = told(test.expr, env, walk)
        return Told(inner.fails, inner.holds)
    if isinstance(test, OpExpr) and test.op in ("and", "or"):
        left, right = told(test.left, env, walk), told(test.right, env, walk)
        if test.op == "and":
            return Told(left.holds & right.holds, left.fails | right.fails)
        return Told(left.holds | right.holds, left.fails & right.fails)
    if isinstance(test, ComparisonExpr) and len(test.operands) == 2 and is_none(test.operands[1]):
        known = _origins(test.operands[0], env)
        return {"is": Told(fails=known), "is not": Told(known)}.get(test.operators[0], Told())
    return Told(fails=_no_instance(test, env, walk)) if isinstance(test, CallExpr) else Told()


def _no_instance(test: CallExpr, env: Env, walk: Walk) -> Origins:
    """The parameters of which `isinstance(x, float)` asks what no tracer is."""
    if walk.full_name(test.callee) != "builtins.isinstance" or len(test.args) != 2:
        return NOTHING
    classes = test.args[1].items if isinstance(test.args[1], TupleExpr) else [test.args[1]]
    is_none_a_tracer = all(walk.full_name(one) in NO_TRACERS for one in classes)
    return _origins(test.args[0], env) if is_none_a_tracer else NOTHING


def _origins(node: Expression, env: Env) -> Origins:
    return env.get(node.name, NOTHING) if isinstance(node, NameExpr) else NOTHING
