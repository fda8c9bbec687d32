"""What binds a local name where it is used."""

from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    Block,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncDef,
    GeneratorExpr,
    LambdaExpr,
    ListExpr,
    MatchStmt,
    NameExpr,
    Node,
    StarExpr,
    TupleExpr,
    Var,
    WhileStmt,
    WithStmt,
)

from ...syntax.trees import nodes_below, parts_of
from ..checked_file import CheckedFile, once_per_file
from .reading import Reader
from .scope import covers, functions_around


class Binding(NamedTuple):
    """One place where a local name gets a value; a parameter has none."""

    value: Expression | None
    statement: Node
    block: Block | None  # in which it stands
    loops: tuple[Node, ...]


def bindings_of(name: NameExpr, var: Var, reader: Reader) -> list[Binding]:
    """What a local name may be bound to where it is used."""
    return _bindings_at(reader.file, (name, var))


@once_per_file
def _bindings_at(file: CheckedFile, use: tuple[NameExpr, Var]) -> list[Binding]:
    name, var = use
    functions = functions_around(name.line, file)
    roots: list[Node] = (
        [functions[0].node] if functions else [node for node in file.tree.defs if covers(node, name.line)]
    )
    bindings = [binding for root in roots for binding in _index(file, root).get(var, ())]
    if functions and not any(covers(functions[-1].node, binding.statement.line) for binding in bindings):
        return bindings  # of an outer function, which may have gone on since
    return _reaching(bindings, name)


def _reaching(bindings: list[Binding], name: NameExpr) -> list[Binding]:
    """Leaves out what an assignment on the way to the name has replaced, and what comes later but not by a loop."""
    before = [binding for binding in bindings if _is_before(binding.statement, name)]
    last = max((_start(found.statement) for found in before if _is_on_the_way(found, name)), default=(-1, -1))

    def reaches(binding: Binding) -> bool:
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


def _is_on_the_way(binding: Binding, name: NameExpr) -> bool:
    """Whether the name cannot be reached without this assignment: it stands in a block around the name."""
    if binding.block is None or not isinstance(binding.statement, AssignmentStmt):
        return False
    last = binding.block.body[-1]
    return name.line <= (last.end_line or last.line)


@once_per_file
def _index(file: CheckedFile, root: Node) -> dict[Var, list[Binding]]:
    """The bindings of all names below a node."""
    index: dict[Var, list[Binding]] = {}
    pending: list[tuple[Node, Block | None, tuple[Node, ...]]] = [(root, None, ())]
    while pending:
        node, block, loops = pending.pop()
        for var, value in _bound_by(node):
            index.setdefault(var, []).append(Binding(value, node, block, loops))
        block = node if isinstance(node, Block) else block
        loops = (*loops, node) if isinstance(node, (ForStmt, WhileStmt)) else loops
        pending.extend((part, block, loops) for part in parts_of(node))
    return index


def _bound_by(node: Node) -> Iterator[tuple[Var, Expression | None]]:
    if isinstance(node, (FuncDef, LambdaExpr)):
        yield from ((argument.variable, None) for argument in node.arguments)
    elif isinstance(node, AssignmentStmt):
        for target in node.lvalues:
            yield from _match(target, node.rvalue)
    elif isinstance(node, AssignmentExpr):
        yield from _match(node.target, node.value)
    elif isinstance(node, ForStmt):
        yield from _match(node.index, node.expr)
    elif isinstance(node, (GeneratorExpr, DictionaryComprehension)):
        for index, sequence in zip(node.indices, node.sequences, strict=True):
            yield from _match(index, sequence)
    elif isinstance(node, (WithStmt, MatchStmt)):
        yield from ((var, None) for var in _captured(node))


def _captured(node: WithStmt | MatchStmt) -> Iterator[Var]:
    """The variables of `with ... as name` and of the patterns of a `match`, whose values are not followed."""
    targets = node.target if isinstance(node, WithStmt) else node.patterns
    names = (part for target in targets if target is not None for part in nodes_below(target))
    yield from (part.node for part in names if isinstance(part, NameExpr) and isinstance(part.node, Var))


def _match(target: Expression, value: Expression) -> Iterator[tuple[Var, Expression]]:
    """The part of a value that each name in a target gets; all of it where that cannot be told."""
    if isinstance(target, NameExpr):
        if isinstance(target.node, Var):
            yield target.node, value
    elif isinstance(target, (TupleExpr, ListExpr)):
        fits = isinstance(value, (TupleExpr, ListExpr)) and len(value.items) == len(target.items)
        values = value.items if fits and isinstance(value, (TupleExpr, ListExpr)) else [value] * len(target.items)
        for item, part in zip(target.items, values, strict=True):
            yield from _match(item, part)
    elif isinstance(target, StarExpr):
        yield from _match(target.expr, value)
