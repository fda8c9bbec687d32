"""Finds how many passes a loop makes, as far as the source shows it."""

from collections.abc import Iterable, Iterator
from enum import Enum, auto
from typing import Final

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    GeneratorExpr,
    IntExpr,
    ListExpr,
    NameExpr,
    Node,
    TupleExpr,
    Var,
    WhileStmt,
)

from ...knowledge.full_names import NUMPY
from ...knowledge.function_rows import Effect
from ...knowledge.members import RANGES
from ...knowledge.naming import FEW_PASSES
from ...libraries import known_function
from ...source.bindings import bound_by, made_by
from ...source.checked_file import CheckedFile
from ...syntax.trees import nodes_below
from .bounds import is_named_many, largest_passed
from .iterated import called_name, iterated

_GRIDS: Final = {"geomspace": 50, "linspace": 50, "logspace": 50}
_COUNT: Final = "num"


class Passes(Enum):
    """How many passes a loop makes."""

    FEW = auto()
    UNKNOWN = auto()
    MANY = auto()


def counted_passes(loop: Node, variable: Var, file: CheckedFile) -> Passes | None:
    """How many values a counter takes; None if no loop counts with the variable, as when it takes items of a list."""
    for target, iterable in _targets(loop, file):
        if isinstance(target, NameExpr) and target.node is variable:
            return _passes(iterable, file)
    return None


def updating_passes(loop: Node, variable: Var, file: CheckedFile) -> Passes:
    """How many values a variable takes that the loop updates in its body."""
    if isinstance(loop, ForStmt):
        return _passes(loop.expr, file) or Passes.UNKNOWN
    tested = nodes_below(loop.expr) if isinstance(loop, WhileStmt) else ()
    is_short = any(_is_short_bound(node, variable, file) for node in tested)
    return Passes.FEW if is_short or not isinstance(loop, WhileStmt) else Passes.MANY


def is_short(loop: Node, file: CheckedFile) -> bool:
    """Whether a loop makes few passes, as far as the source shows."""
    return isinstance(loop, ForStmt) and _passes(loop.expr, file) is Passes.FEW


def grid_passes(loop: Node, variable: Var, file: CheckedFile) -> Passes | None:
    """How many numbers of a NumPy grid a variable takes, as of `np.linspace(0, 1, 100)`; None for anything else."""
    for target, iterable in _targets(loop, file):
        if isinstance(target, NameExpr) and target.node is variable:
            made = made_by(iterable, file)
            default = _GRIDS.get(called_name(made).rpartition(".")[2]) if called_name(made).startswith(NUMPY) else None
            return _grid_passes(made, default) if default is not None and isinstance(made, CallExpr) else None
    return None


def _grid_passes(grid: CallExpr, default: int) -> Passes:
    """`default`: how many numbers it has unless the third argument says so."""
    count = next((given for name, given in zip(grid.arg_names, grid.args, strict=True) if name == _COUNT), None)
    count = count or (grid.args[2] if len(grid.args) > 2 and grid.arg_names[2] is None else None)
    if count is None:
        return _count(default)
    return _count(count.value) if isinstance(count, IntExpr) else Passes.UNKNOWN


def binding(variable: Var, nodes: Iterable[Node]) -> Iterator[Node]:
    """Those of these nodes of a loop that bind a variable."""
    return (node for node in nodes if any(bound is variable for bound, _ in bound_by(node)))


def is_target(loop: Node, variable: Var, file: CheckedFile) -> bool:
    return any(isinstance(target, NameExpr) and target.node is variable for target, _ in _targets(loop, file))


def _targets(loop: Node, file: CheckedFile) -> Iterator[tuple[Expression, Expression]]:
    """The targets of a loop, each with its iterable."""
    pairs: list[tuple[Expression, Expression]] = []
    if isinstance(loop, ForStmt):
        pairs = [(loop.index, loop.expr)]
    elif isinstance(loop, (GeneratorExpr, DictionaryComprehension)):
        pairs = list(zip(loop.indices, loop.sequences, strict=True))
    while pairs:
        target, iterable = pairs.pop()
        iterable = iterated(iterable, file)
        items = target.items if isinstance(target, TupleExpr) else []
        called = called_name(iterable)
        if not items:
            yield target, iterable
        elif isinstance(iterable, CallExpr) and called == "builtins.enumerate":
            yield items[0], iterable
            pairs += zip(items[1:], iterable.args, strict=False)
        elif isinstance(iterable, CallExpr) and called == "builtins.zip":
            pairs += zip(items, iterable.args, strict=False)
        else:
            pairs += ((item, TupleExpr([])) for item in items)


def _passes(iterable: Expression, file: CheckedFile) -> Passes | None:
    iterable = iterated(iterable, file)
    called = called_name(iterable)
    if not isinstance(iterable, CallExpr):
        return None
    if Effect.COUNTS in known_function(called).effects:
        return Passes.MANY
    if _is_range(iterable):
        passes = _range_passes([_bound_shown(argument, file) for argument in iterable.args])
        is_long = passes is Passes.UNKNOWN and any(is_named_many(bound, file) for bound in iterable.args[:2])
        return Passes.MANY if is_long else passes
    if called != "builtins.enumerate" or not iterable.args:
        return None
    counted = iterated(iterable.args[0], file)
    if isinstance(counted, (ListExpr, TupleExpr)):
        return _count(len(counted.items))
    return (_passes(counted, file) if _is_range(counted) else None) or Passes.UNKNOWN


def _is_range(node: Expression) -> bool:
    return called_name(node).rpartition(".")[2] in RANGES


def _bound_shown(node: Expression, file: CheckedFile) -> int | None:
    """A number that is written out, for a name, too, or by the calls of the function that gets it."""
    made = made_by(node, file)
    if isinstance(made, IntExpr):
        return made.value
    passed = largest_passed(node, file)
    return passed if passed is not None and passed > FEW_PASSES else None  # others may pass more than a few


def _range_passes(bounds: list[int | None]) -> Passes:
    numbers = [bound for bound in bounds if bound is not None]
    is_known = 0 < len(numbers) == len(bounds) <= 3 and 0 not in numbers[2:]
    return _count(len(range(*numbers))) if is_known else Passes.UNKNOWN


def _count(passes: int) -> Passes:
    return Passes.MANY if passes > FEW_PASSES else Passes.FEW


def _is_short_bound(node: Node, variable: Var, file: CheckedFile) -> bool:
    """Whether this is `i < 4`."""
    operands = node.operands if isinstance(node, ComparisonExpr) else []
    others = [operand for operand in operands if not (isinstance(operand, NameExpr) and operand.node is variable)]
    bounds = (made for operand in others if isinstance(made := made_by(operand, file), IntExpr))
    return len(others) < len(operands) and any(abs(bound.value) <= FEW_PASSES for bound in bounds)


def nodes_in_body(loop: Node) -> Iterable[Node]:
    return nodes_below(loop.body) if isinstance(loop, (ForStmt, WhileStmt)) else ()
