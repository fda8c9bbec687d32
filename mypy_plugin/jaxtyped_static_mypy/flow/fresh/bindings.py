"""What binds a local name where it is used."""

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

from ...syntax.trees import parts_of
from ..bindings import UPDATED, bound_by
from ..checked_file import CheckedFile, once_per_file
from .reading import Reader
from .scope import covers, functions_around


class LocalBinding(NamedTuple):
    """One place where a local name gets a value; a parameter has none."""

    value: Expression | None
    statement: Node
    block: Block | None  # in which it stands
    loops: tuple[Node, ...]


def bindings_of(name: NameExpr, var: Var, reader: Reader) -> list[LocalBinding]:
    """What a local name may be bound to where it is used."""
    return _bindings_at(reader.file, (name, var))


@once_per_file
def _bindings_at(file: CheckedFile, use: tuple[NameExpr, Var]) -> list[LocalBinding]:
    name, var = use
    functions = functions_around(name.line, file)
    roots: list[Node] = (
        [functions[0].node] if functions else [node for node in file.tree.defs if covers(node, name.line)]
    )
    bindings = [binding for root in roots for binding in _index(file, root).get(var, ())]
    if functions and not any(covers(functions[-1].node, binding.statement.line) for binding in bindings):
        return bindings  # of an outer function, which may have gone on since
    return _reaching(bindings, name)


def _reaching(bindings: list[LocalBinding], name: NameExpr) -> list[LocalBinding]:
    """Leaves out what an assignment on the way to the name has replaced, and what comes later but not by a loop."""
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
    """An assignment binds when it is done, everything else (a loop, a comprehension, a parameter) where it begins."""
    if isinstance(statement, AssignmentStmt) and statement.end_line is not None:
        return (statement.end_line, statement.end_column or 0) <= _start(name)
    return _start(statement) <= _start(name) or isinstance(statement, (GeneratorExpr, LambdaExpr))


def _is_on_the_way(binding: LocalBinding, name: NameExpr) -> bool:
    """Whether the name cannot be reached without this assignment: it stands in a block around the name."""
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
                index.setdefault(var, []).append(LocalBinding(bound.value, node, block, loops))
        block = node if isinstance(node, Block) else block
        loops = (*loops, node) if isinstance(node, (ForStmt, WhileStmt)) else loops
        pending.extend((part, block, loops) for part in parts_of(node))
    return index
