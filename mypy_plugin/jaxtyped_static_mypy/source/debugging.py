"""Calls for debugging: another arm of the same `if` calls what JAX compiles of the function."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile

from mypy.nodes import AssignmentStmt, Block, CallExpr, ConditionalExpr, FuncItem, IfStmt, MypyFile, Node

from ..knowledge import naming
from ..syntax.names import dotted_name, last_name
from ..syntax.trees import nodes_below

Compiled = Mapping[str, frozenset[str]]  # of each function that a file compiles: the names that hold what JAX makes


def compiled_names(tree: MypyFile) -> Compiled:
    """`run = jax.jit(step)`, anywhere in a file."""
    found: dict[str, frozenset[str]] = {}
    for node in nodes_below(tree):
        value = node.rvalue if isinstance(node, AssignmentStmt) else node
        if function := _compiled_by(value):
            names = {last_name(target) for target in node.lvalues} if isinstance(node, AssignmentStmt) else set[str]()
            found[function] = found.get(function, frozenset()) | names
    return found


def is_for_debugging(around: Sequence[Node], compiled: Compiled) -> bool:
    """Whether a call of a function stands beside one that runs it compiled: `if fast: jitted(x)`, `else: step(x)`.

    `around`: the nodes around the call, innermost first, and itself first.
    """
    call = around[0]
    name = last_name(call.callee) if isinstance(call, CallExpr) else ""
    if name not in compiled:
        return False
    inner = takewhile(lambda node: not isinstance(node, FuncItem), around)
    others = (other for child, parent in pairwise(inner) for other in _other_arms(child, parent))
    return any(_runs_compiled(node, name, compiled[name]) for other in others for node in nodes_below(other))


def _runs_compiled(node: Node, name: str, known: frozenset[str]) -> bool:
    return isinstance(node, CallExpr) and (last_name(node.callee) in known or _compiled_by(node.callee) == name)


def _compiled_by(node: Node) -> str:
    """The name of the function that an expression compiles; empty for any other."""
    if not isinstance(node, CallExpr) or not node.args or not naming.compiles(dotted_name(node.callee) or ""):
        return ""
    return last_name(node.args[0])


def _other_arms(child: Node, parent: Node) -> Iterator[Node]:
    match parent:
        case IfStmt() if isinstance(child, Block):
            arms = [*parent.body, *([parent.else_body] if parent.else_body is not None else [])]
            yield from (arm for arm in arms if arm is not child)
        case ConditionalExpr() if child is not parent.cond:
            yield parent.else_expr if child is parent.if_expr else parent.if_expr
