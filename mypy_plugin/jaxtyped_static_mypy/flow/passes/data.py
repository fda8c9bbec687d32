"""Which values are other data on each pass of a loop: what it goes over, and what its body makes of that.

A counter by itself is none: `labels == i` selects the members of a class, or of a fold, and folds are of one size.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Expression,
    FuncDef,
    IndexExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    UnaryExpr,
    Var,
)

from ...knowledge.full_names import NUMPY
from ...knowledge.jax_functions import jax_name
from ...knowledge.members import SHAPE_ATTRIBUTES
from ...source.checked_file import CheckedFile
from ...source.local_bindings import LocalBinding, bindings_of_name
from ...source.surroundings import Surroundings, surroundings
from ...syntax.imports import full_name
from ...syntax.trees import nodes_below
from ..traced.given import passed_for
from .iterated import called_name
from .loops import counted_passes, grid_passes, is_short, is_target

_MAX_DEPTH: Final = 24
_TAKES_NEXT: Final = "builtins.next"
_COUNTS_ITEMS: Final = "builtins.len"


class Place(NamedTuple):
    """Where a value is used: which data is another one there on each pass."""

    file: CheckedFile
    loops: tuple[Node, ...]  # around the use, in its function
    given: frozenset[Var]  # parameters that are other data on each call
    known: dict[Node, bool]  # of what binds names: whether that is other data
    depth: int = _MAX_DEPTH


def place_in(file: CheckedFile, loops: tuple[Node, ...], given: frozenset[Var] = frozenset()) -> Place:
    """`loops`: of which those with few passes do not count."""
    return Place(file, tuple(loop for loop in loops if not is_short(loop, file)), given, {})


def place_of_call(call: Expression, file: CheckedFile) -> Place:
    """Of a call in a loop, or in a function to which a loop of the file passes other data on each pass."""
    around = surroundings(call, file)
    return place_in(file, around.repeating, frozenset(_given(around, file)))


def _given(around: Surroundings, file: CheckedFile) -> Iterator[Var]:
    function = around.function
    if not isinstance(function, FuncDef):
        return
    for argument in function.arguments:
        variable = argument.variable
        passed = (value for value in passed_for(file, function, variable.name) if value is not None)
        if any(data_in(value, place_in(file, surroundings(value, file).repeating)) is not None for value in passed):
            yield variable


def bound_to(node: NameExpr, file: CheckedFile) -> LocalBinding | None:
    """The one binding that a use of a name sees."""
    bound = bindings_of_name(file, node)
    return bound[0] if len(bound) == 1 else None


def data_in(node: Expression, place: Place) -> str | None:
    """The name of the first data in a value that is another one on each pass; None if there is none."""
    place = place._replace(depth=place.depth - 1)
    if not place.depth:
        return None
    if isinstance(node, NameExpr):
        return node.name if _is_data(node, place) else None
    if isinstance(node, MemberExpr):
        return data_in(node.expr, place) if node.name not in SHAPE_ATTRIBUTES else None
    if isinstance(node, CallExpr):
        return _of_call(node, place)
    if isinstance(node, IndexExpr):
        return data_in(node.base, place) or _counted_in(node.index, place)
    return next((found for part in _operands(node) if (found := data_in(part, place)) is not None), None)


def _operands(node: Expression) -> list[Expression]:
    if isinstance(node, ComparisonExpr):
        return node.operands
    if isinstance(node, OpExpr):
        return [node.left, node.right]
    return [node.expr] if isinstance(node, UnaryExpr) else []


def _of_call(call: CallExpr, place: Place) -> str | None:
    """A function of arrays computes with its arguments; any other may look something up, for a counter, too."""
    name = full_name(call.callee, place.file.tree) or called_name(call)
    if name == _TAKES_NEXT:
        return name.rpartition(".")[2]
    if called_name(call) == _COUNTS_ITEMS:
        return None
    holder = [call.callee.expr] if isinstance(call.callee, MemberExpr) else []
    parts = [*call.args, *holder]
    found = next((found for part in parts if (found := data_in(part, place)) is not None), None)
    if found is not None or is_of_numpy(name):
        return found
    return next((found for part in parts if (found := _counted_in(part, place)) is not None), None)


def is_of_numpy(name: str) -> bool:
    """Whether a full name is that of a function of NumPy or `jax.numpy`."""
    return (jax_name(name) or name).startswith(f"{NUMPY}.")


def _counted_in(node: Expression, place: Place) -> str | None:
    """The name of a counter in an expression that looks up an item."""
    names = (part for part in nodes_below(node) if isinstance(part, NameExpr) and isinstance(part.node, Var))
    return next((name.name for name in names if any(_counts(loop, name, place) for loop in place.loops)), None)


def _counts(loop: Node, name: NameExpr, place: Place) -> bool:
    return isinstance(name.node, Var) and is_target(loop, name.node, place.file)


def _is_data(node: NameExpr, place: Place) -> bool:
    """Whether a name stands for data of the pass, whichever of its bindings it sees."""
    bound = bindings_of_name(place.file, node)
    return bool(bound) and all(_binds_data(node, one, place) for one in bound)


def _binds_data(node: NameExpr, bound: LocalBinding, place: Place) -> bool:
    variable = node.node
    assert isinstance(variable, Var)
    if bound.binding.is_parameter:
        return variable in place.given
    if bound.statement in place.loops:
        is_counter = counted_passes(bound.statement, variable, place.file) is not None
        is_grid = grid_passes(bound.statement, variable, place.file) is not None
        return not (is_counter or is_grid or bound.binding.is_concrete)
    is_on_pass = place.given or any(loop in bound.loops for loop in place.loops)
    if not is_on_pass or bound.value is None:
        return False
    if bound.statement not in place.known:
        place.known[bound.statement] = False  # as long as it is being found
        place.known[bound.statement] = data_in(bound.value, place) is not None
    return place.known[bound.statement]
