"""What makes an array as long as a counter: `jnp.zeros(i)`, `jnp.ones((i, 3))`, `np.random.rand(i, 3)`."""

from collections.abc import Callable, Iterator
from typing import Final

from mypy.nodes import CallExpr, Expression, ListExpr, OpExpr, TupleExpr

from ...knowledge.full_names import JAX, NUMPY
from ...knowledge.sizes import DIMENSIONS, DRAWN_SIZES, RANDOM, SIZE_NAMES, SIZES, SPANS
from ...syntax.arguments import argument, keyword_argument, named_arguments
from ...syntax.names import last_name
from ...syntax.trees import nodes_below
from ..declared_types import signatures
from .changing import Changing
from .iterated import called_name
from .loops import Passes

_SUMS: Final = ("+", "-")


def changing_size(
    call: CallExpr, changing: Callable[[Expression], Changing | None], follows: Callable[[Expression], bool]
) -> Changing | None:
    """What the shape of a new array depends on, if it changes with each pass.

    `follows`: whether a value does, perhaps up to a limit. A span of which both ends move keeps its length. Over a
    range of unknown length, sizes that double may be those of the levels of a model.
    """
    called, name = called_name(call), last_name(call.callee)
    if not called.startswith((JAX, f"{NUMPY}.")):
        return None
    if name in SPANS:
        ends = [end for position in SPANS[name] if (end := argument(call, *position)) is not None]
        moving = [found for end in ends if (found := changing(end)) is not None]
        is_one = len(moving) == 1 == len(list(filter(follows, ends)))
        return moving[0] if is_one and _is_sum_or_long(ends, moving[0]) else None
    for part in _parts(call, name):
        found = changing(part)
        if found is not None and _is_sum_or_long([part], found):
            return found
    return None


def _parts(call: CallExpr, name: str) -> Iterator[Expression]:
    """The dimensions of the array, those of a tuple each by itself."""
    if name in DIMENSIONS:
        yield from call.args
        return
    given = [argument(call, *position) for position in SIZES.get(name, ())]
    for size in given or [_drawn(call, name)]:
        if isinstance(size, (TupleExpr, ListExpr)):
            yield from size.items
        elif size is not None:
            yield size


def _drawn(call: CallExpr, name: str) -> Expression | None:
    """The shape of random numbers."""
    called = called_name(call)
    if RANDOM not in called:
        return None
    given = keyword_argument(call, *SIZE_NAMES)
    if given is None and called.startswith(NUMPY):
        given = next((argument(call, *position) for position in DRAWN_SIZES.get(name, ())), None)
    elif given is None:
        names = next((one.arg_names for one in signatures(getattr(call.callee, "node", None))), ())
        given = named_arguments(call, names).get(SIZE_NAMES[0])
    return given


def _is_sum_or_long(parts: list[Expression], found: Changing) -> bool:
    operations = (node for part in parts for node in nodes_below(part) if isinstance(node, OpExpr))
    return found.passes is Passes.MANY or all(operation.op in _SUMS for operation in operations)
