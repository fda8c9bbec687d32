"""Where a number goes that Python code converts: what decides a shape, or how often a loop runs, is no array."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ConditionalExpr,
    Expression,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    SliceExpr,
    TupleExpr,
    UnaryExpr,
)

from ..flow.declared_types import signatures
from ..knowledge.full_names import JAX_NUMPY, NUMPY
from ..knowledge.jax_functions import jax_function
from ..source.checked_file import CheckedFile
from ..source.surroundings import surroundings
from ..syntax.arguments import named_arguments
from ..syntax.imports import full_name

_COMPUTING: Final = (OpExpr, UnaryExpr, TupleExpr, ListExpr, ConditionalExpr)
_KEEPING: Final = frozenset({"builtins.abs", "builtins.int", "builtins.max", "builtins.min", "builtins.round"})
_SHAPING_METHODS: Final = frozenset({"reshape"})
_RANGE: Final = "builtins.range"


class Goal(Enum):
    """What a number decides."""

    SHAPE = auto()
    LOOP = auto()


def goal_of(number: Expression, file: CheckedFile) -> Goal | None:
    """What a number decides by itself, by what is computed from it, or under a name; None for anything else."""
    pending: list[Node] = [number]
    seen = set[Node]()
    while pending:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        parent = surroundings(node, file).parent
        if isinstance(parent, SliceExpr):
            return Goal.SHAPE
        if isinstance(parent, CallExpr) and node in parent.args:
            if (goal := _goal_of_argument(node, parent, file)) is not None:
                return goal
            pending += [parent] if full_name(parent.callee, file.tree) in _KEEPING else []
        elif isinstance(parent, _COMPUTING):
            pending.append(parent)
        elif isinstance(parent, AssignmentStmt):
            pending += _uses(parent, file)
    return None


def _goal_of_argument(node: Node, call: CallExpr, file: CheckedFile) -> Goal | None:
    callee, name = call.callee, full_name(call.callee, file.tree)
    if name == _RANGE:
        return Goal.LOOP
    if isinstance(callee, MemberExpr) and callee.name in _SHAPING_METHODS:
        return Goal.SHAPE
    of_numpy = name.removeprefix(f"{NUMPY}.")
    shapes = jax_function(name if of_numpy == name else f"{JAX_NUMPY}{of_numpy}").shapes
    if not shapes:
        return None
    listed = signatures(callee.node) if isinstance(callee, RefExpr) else []
    named = (named_arguments(call, signature.arg_names) for signature in listed)
    is_shape = any(given.get(parameter) is node for given in named for parameter in shapes)
    is_first = of_numpy != name and call.args[0] is node  # its stubs have other names
    return Goal.SHAPE if is_shape or is_first else None


def _uses(statement: AssignmentStmt, file: CheckedFile) -> Sequence[Expression]:
    """The uses of the one name that a statement binds."""
    target = statement.lvalues[0] if len(statement.lvalues) == 1 else None
    if not isinstance(target, NameExpr) or target.node is None:
        return []
    return file.other_uses(target)
