"""Which code of a traced function runs only where nothing is traced: it asks for tracers first."""

from itertools import pairwise, takewhile

from mypy.nodes import Block, ConditionalExpr, FuncItem, IfStmt, Node, Statement

from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ...syntax.trees import last_statement
from ..traced.always import leaves_function
from ..traced.narrowing import keeps_tracers_out


def runs_outside_traces(node: Node, file: CheckedFile) -> bool:
    """Whether `if not isinstance(x, Tracer)` is around the code, or `if isinstance(x, Tracer): return x` before it.

    Whoever asks one value means all: the code is there for calls outside of a trace.
    """
    within = takewhile(lambda pair: not isinstance(pair[1], FuncItem), pairwise(surroundings(node, file).around))
    return any(_keeps_out(child, parent, file) for child, parent in within)


def _keeps_out(child: Node, parent: Node, file: CheckedFile) -> bool:
    if isinstance(parent, IfStmt):
        return _is_guarded_way(child, parent, file)
    if isinstance(parent, ConditionalExpr) and child is not parent.cond:
        return keeps_tracers_out(parent.cond, child is parent.if_expr, file)
    if not isinstance(parent, Block):
        return False
    return any(_ends_traces(before, file) for before in takewhile(lambda one: one is not child, parent.body))


def _is_guarded_way(child: Node, parent: IfStmt, file: CheckedFile) -> bool:
    """Whether a condition that leads to this block, or one that leads past another, keeps tracers out."""
    index = next((index for index, block in enumerate(parent.body) if block is child), len(parent.body))
    if index == len(parent.body) and child is not parent.else_body:
        return False  # it is a condition
    past = (keeps_tracers_out(condition, False, file) for condition in parent.expr[:index])
    return any(past) or any(keeps_tracers_out(condition, True, file) for condition in parent.expr[index : index + 1])


def _ends_traces(before: Statement, file: CheckedFile) -> bool:
    """Whether a statement lets nothing past it that is traced."""
    if not isinstance(before, IfStmt):
        return False
    last = last_statement(before.body[0])
    return last is not None and leaves_function(last) and keeps_tracers_out(before.expr[0], False, file)
