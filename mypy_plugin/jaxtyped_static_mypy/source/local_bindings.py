"""The bindings that one use of a local name may see."""

from typing import NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Block,
    Expression,
    ForStmt,
    GeneratorExpr,
    LambdaExpr,
    NameExpr,
    Node,
    SymbolNode,
    Var,
    WhileStmt,
)

from ..syntax.trees import covers, parts_of
from .bindings import UPDATED, Binding, bound_by
from .checked_file import CheckedFile, once_per_file
from .functions import functions_around


class LocalBinding(NamedTuple):
    """One place that binds a local name."""

    binding: Binding
    statement: Node
    block: Block | None  # in which it stands
    loops: tuple[Node, ...]

    @property
    def value(self) -> Expression | None:
        """What the name, or a part of it, is bound to; a parameter has no value."""
        return self.binding.value


@once_per_file
def reaching_bindings(file: CheckedFile, name: NameExpr, var: Var) -> list[LocalBinding]:
    """The bindings that a use of a local name may see."""
    functions = functions_around(name.line, file)
    roots: list[Node] = (
        [functions[0].node] if functions else [node for node in file.tree.defs if covers(node, name.line)]
    )
    bindings = [binding for root in roots for binding in _index(file, root).get(var, ())]
    if functions and not any(covers(functions[-1].node, binding.statement.line) for binding in bindings):
        return bindings  # of an outer function, which may have gone on since
    return _reaching(bindings, name)


def _reaching(bindings: list[LocalBinding], name: NameExpr) -> list[LocalBinding]:
    """Drops bindings that a later assignment replaces, and those after the use unless a loop comes back."""
    before = [binding for binding in bindings if _is_before(binding.statement, name)]
    last = max((_start(found.statement) for found in before if _is_on_the_way(found, name)), default=(-1, -1))

    def reaches(binding: LocalBinding) -> bool:
        if _is_before(binding.statement, name):
            return _start(binding.statement) >= last
        return any(covers(loop, name.line) and _start(loop) > last for loop in binding.loops)

    return [binding for binding in bindings if reaches(binding)]


def _start(node: Node) -> tuple[int, int]:
    return node.line, node.column


def _is_before(statement: Node, name: NameExpr) -> bool:
    """Whether the binding comes first. An assignment binds at its end, all else at its start."""
    if isinstance(statement, AssignmentStmt) and statement.end_line is not None:
        return (statement.end_line, statement.end_column or 0) <= _start(name)
    return _start(statement) <= _start(name) or isinstance(statement, (GeneratorExpr, LambdaExpr))


def _is_on_the_way(binding: LocalBinding, name: NameExpr) -> bool:
    """Whether every path to the name runs this assignment: its block surrounds the name."""
    if binding.block is None or not isinstance(binding.statement, AssignmentStmt):
        return False
    last = binding.block.body[-1]
    return name.line <= (last.end_line or last.line)


@once_per_file
def _index(file: CheckedFile, root: Node) -> dict[SymbolNode, list[LocalBinding]]:
    """The bindings of all names below a node."""
    index: dict[SymbolNode, list[LocalBinding]] = {}
    pending: list[tuple[Node, Block | None, tuple[Node, ...]]] = [(root, None, ())]
    while pending:
        node, block, loops = pending.pop()
        for var, bound in bound_by(node):
            if UPDATED not in bound.path:
                index.setdefault(var, []).append(LocalBinding(bound, node, block, loops))
        block = node if isinstance(node, Block) else block
        loops = (*loops, node) if isinstance(node, (ForStmt, WhileStmt)) else loops
        pending.extend((part, block, loops) for part in parts_of(node))
    return index
