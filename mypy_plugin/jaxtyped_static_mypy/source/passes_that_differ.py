"""Loops of which each pass needs compiled programs of its own, by what it gives to the code that it runs.

More data each time, a graph of another size, or the settings of another run. Only names are compared, so that the
answer is the same in a file that mypy has not analysed.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from mypy.nodes import FuncItem, IndexExpr, MemberExpr, NameExpr, Node, StrExpr

from ..knowledge import naming
from ..memory import once_per_run
from ..syntax.assignments import loops_of
from ..syntax.names import base_of
from ..syntax.trees import nodes_below
from .longer_passes import gets_more
from .passes_apart import all_bound
from .surroundings import repeats


def compiles_anyway(around: Sequence[Node]) -> bool:
    """Whether JAX has to compile on each pass of the innermost loop around a node for what the node gets there.

    `around`: the nodes around a call, or around what is compiled, in its function, innermost first, and itself first.
    """
    inner = [around[0], *takewhile(lambda node: not isinstance(node, FuncItem), around[1:])]
    loop = next((parent for child, parent in pairwise(inner) if repeats(child, parent)), None)
    if loop is None:
        return False
    return gets_more(around) or (_differs(loop) and not all_bound(loop).isdisjoint(_names_below(around[0])))


@once_per_run
def _differs(loop: Node) -> bool:
    """Whether a loop goes over graphs, of which nothing fills each up to one size, or over settings."""
    variables = {name for target, _ in loops_of(loop) for name in _names_below(target)}
    if any(map(naming.is_setting, variables)):
        return True
    is_of_graphs = any(map(naming.is_graph, variables)) or any(_reads_edges(node, loop) for node in nodes_below(loop))
    return is_of_graphs and not any(map(naming.fills_up, _names_in(loop)))


def _reads_edges(node: Node, loop: Node) -> bool:
    """Whether this is `graph.senders` or `graph["senders"]`, of a graph that the loop makes or gets."""
    match node:
        case MemberExpr(name=name) | IndexExpr(index=StrExpr(value=name)) if naming.is_part_of_graph(name):
            base = base_of(node)
            return isinstance(base, NameExpr) and base.name in all_bound(loop)
    return False


def _names_below(node: Node) -> set[str]:
    return {part.name for part in nodes_below(node) if isinstance(part, NameExpr)}


def _names_in(loop: Node) -> Iterator[str]:
    return (part.name for part in nodes_below(loop) if isinstance(part, (NameExpr, MemberExpr)))
