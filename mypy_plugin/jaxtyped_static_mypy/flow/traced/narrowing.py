"""Narrows values by conditions. A call that is not understood makes the variables in its arguments unknown."""

from collections.abc import Set
from typing import Final

from mypy.nodes import CallExpr, ComparisonExpr, Expression, NameExpr, OpExpr, RefExpr, SymbolNode, TupleExpr, UnaryExpr

from ...knowledge.type_rows import AsKey, Trait
from ...libraries import KEY_TYPES, types_with
from ...syntax.literals import is_none
from ...syntax.trees import callee_name, nodes_below
from .frame import Env
from .values import OrNone, present

_ARRAYS: Final = (AsKey.ARRAY, AsKey.HOST_ARRAY)
_NO_TRACERS: Final = types_with(Trait.PLAIN)


def narrow(condition: Expression, env: Env, outcome: bool) -> Env:
    """Returns the variables where the condition had this outcome."""
    if isinstance(condition, UnaryExpr) and condition.op == "not":
        return narrow(condition.expr, env, not outcome)
    if isinstance(condition, OpExpr) and condition.op in ("and", "or"):
        if (condition.op == "and") == outcome:
            return narrow(condition.right, narrow(condition.left, env, outcome), outcome)
        return env
    if isinstance(condition, ComparisonExpr) and len(condition.operands) == 2:
        return _narrow_comparison(condition, env, outcome)
    if isinstance(condition, CallExpr):
        return _narrow_call(condition, env, outcome)
    return _not_none(condition, env, outcome) if isinstance(condition, NameExpr) else env


def _narrow_comparison(condition: ComparisonExpr, env: Env, outcome: bool) -> Env:
    left, right = condition.operands
    operator = condition.operators[0]
    if operator in ("is", "is not") and is_none(right):
        return _not_none(left, env, (operator == "is not") == outcome)
    return _without(left, env) if isinstance(left, CallExpr) and operator in ("is", "is not", "==", "in") else env


def _not_none(node: Expression, env: Env, outcome: bool) -> Env:
    """Narrows a name that is compared with None."""
    variable = node.node if isinstance(node, NameExpr) else None
    if variable is None or variable not in env:
        return env
    value = env[variable]
    narrowed = present(value) if outcome else None if isinstance(value, OrNone) else value
    return {**env, variable: narrowed} if narrowed is not None else _without_names({variable}, env)


def _narrow_call(call: CallExpr, env: Env, outcome: bool) -> Env:
    """Narrows by `isinstance`: a tracer is an `Array` and never an `int`, so it cannot reach the other branch."""
    name = callee_name(call)
    if name in ("builtins.len", "builtins.bool", "builtins.any", "builtins.all"):
        return env
    direct = bool(call.args) and isinstance(call.args[0], NameExpr)
    if name == "builtins.isinstance" and direct and len(call.args) == 2:
        return env if outcome == _is_tracer(call.args[1]) else _without(call.args[0], env)
    return _without(call, env)


def _is_tracer(classes: Expression) -> bool | None:
    """Whether a tracer is an instance of one of these; None where that is not known."""
    items = classes.items if isinstance(classes, TupleExpr) else [classes]
    names = [item.fullname if isinstance(item, RefExpr) else "" for item in items]
    if any(name in KEY_TYPES and KEY_TYPES[name].key in _ARRAYS for name in names):
        return True
    return False if all(name in _NO_TRACERS for name in names) else None


def _without(node: Expression, env: Env) -> Env:
    """Forgets all variables that an expression mentions."""
    arguments = node.args if isinstance(node, CallExpr) else [node]
    roots = (root for argument in arguments for root in nodes_below(argument) if isinstance(root, NameExpr))
    return _without_names({root.node for root in roots}, env)


def _without_names(variables: Set[SymbolNode | None], env: Env) -> Env:
    return {variable: value for variable, value in env.items() if variable not in variables}
