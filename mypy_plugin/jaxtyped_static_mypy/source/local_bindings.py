"""The bindings that one use of a local name may see."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Block,
    Expression,
    ForStmt,
    GeneratorExpr,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    SymbolNode,
    Var,
    WhileStmt,
)

from ..syntax.assignments import assigned_pairs
from ..syntax.node_parts import BELOW, OF_OTHERS
from ..syntax.trees import covers
from .bindings import BINDING_VARIABLES, UPDATED, Binding, bound_by
from .checked_file import CheckedFile, once_per_file
from .functions import functions_around

_ASSIGNMENTS: Final = frozenset({AssignmentStmt})


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
def reaching_bindings(file: CheckedFile, name: NameExpr, var: SymbolNode) -> list[LocalBinding]:
    """The bindings that a use of a local name may see; the definition of a function with this name is none."""
    functions = functions_around(name.line, file)
    roots: list[Node] = (
        [functions[0].node] if functions else [node for node in file.tree.defs if covers(node, name.line)]
    )
    bindings = [binding for root in roots for binding in _index(file, root).get(var, ())]
    if functions and not any(covers(functions[-1].node, binding.statement.line) for binding in bindings):
        return bindings  # of an outer function, which may have gone on since
    return reaching(bindings, name)


def bindings_of_local(file: CheckedFile, node: Node) -> list[LocalBinding]:
    """The bindings that a local name may see; none of anything else."""
    if not isinstance(node, NameExpr) or not isinstance(node.node, Var) or "." in node.node.fullname:
        return []
    return reaching_bindings(file, node, node.node)


def bindings_of_name(file: CheckedFile, name: NameExpr) -> list[LocalBinding]:
    """The bindings that the name of a variable may see, of a function or of the module; none of anything else."""
    if not isinstance(name.node, Var):
        return []
    return (reaching_of_module if "." in name.node.fullname else reaching_bindings)(file, name, name.node)


def reaching_of_module(file: CheckedFile, name: NameExpr, var: Var) -> list[LocalBinding]:
    """The bindings that a use of a module's variable may see; a function sees what the module leaves behind."""
    bindings = [binding for root in file.tree.defs for binding in _index(file, root).get(var, ())]
    if not functions_around(name.line, file):
        return reaching(bindings, name)
    own = [binding for binding in bindings if binding.block is None and isinstance(binding.statement, AssignmentStmt)]
    last = max((_start(binding.statement) for binding in own), default=(-1, -1))
    return [
        binding
        for binding in bindings
        if _start(binding.statement) >= last or functions_around(binding.statement.line, file)
    ]


def reaching_attributes(file: CheckedFile, read: MemberExpr, var: Var) -> list[LocalBinding]:
    """The assignments of `obj.name` in a function that a later `obj.name` may see; `var`: the object."""
    functions = functions_around(read.line, file)
    found = _attributes(file, functions[0].node).get((var, read.name), []) if functions else []
    inner = functions[-1].node if functions else None
    if inner is None or not all(covers(inner, binding.statement.line) for binding in found):
        return []
    return reaching(found, read)


def reaching(bindings: list[LocalBinding], name: RefExpr) -> list[LocalBinding]:
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


def _is_before(statement: Node, name: RefExpr) -> bool:
    """Whether the binding comes first. An assignment binds at its end, all else at its start."""
    if isinstance(statement, AssignmentStmt) and statement.end_line is not None:
        return (statement.end_line, statement.end_column or 0) <= _start(name)
    return _start(statement) <= _start(name) or isinstance(statement, (GeneratorExpr, LambdaExpr))


def _is_on_the_way(binding: LocalBinding, name: RefExpr) -> bool:
    """Whether every path to the name runs this assignment: its block surrounds the name."""
    if not isinstance(binding.statement, AssignmentStmt):
        return False
    if binding.block is None:
        return True  # a statement of the module
    last = binding.block.body[-1]
    return name.line <= (last.end_line or last.line)


def assignments_to(name: str, root: Node) -> list[LocalBinding]:
    """The assignments to a name below a node, in a file that mypy may only have parsed."""
    placed = _placed(root, _ASSIGNMENTS)
    found = ((node, block, loops) for node, block, loops in placed if isinstance(node, AssignmentStmt))
    return [
        LocalBinding(Binding(node.rvalue), node, block, loops)
        for node, block, loops in found
        if any(isinstance(target, NameExpr) and target.name == name for target in node.lvalues)
    ]


@once_per_file
def _index(file: CheckedFile, root: Node) -> dict[SymbolNode, list[LocalBinding]]:
    """The bindings of all names below a node."""
    index: dict[SymbolNode, list[LocalBinding]] = {}
    for node, block, loops in _placed(root, BINDING_VARIABLES):
        for var, bound in bound_by(node):
            if UPDATED not in bound.path:
                index.setdefault(var, []).append(LocalBinding(bound, node, block, loops))
    return index


@once_per_file
def _attributes(file: CheckedFile, root: Node) -> dict[tuple[Node, str], list[LocalBinding]]:
    """The assignments of `obj.name` below a node, by the variable and the attribute."""
    index: dict[tuple[Node, str], list[LocalBinding]] = {}
    for node, block, loops in _placed(root, _ASSIGNMENTS):
        for target, value in assigned_pairs(node) if isinstance(node, AssignmentStmt) else ():
            if isinstance(target, MemberExpr) and isinstance(target.expr, NameExpr) and target.expr.node is not None:
                bound = LocalBinding(Binding(value), node, block, loops)
                index.setdefault((target.expr.node, target.name), []).append(bound)
    return index


def _placed(root: Node, kinds: frozenset[type[Node]]) -> Iterator[tuple[Node, Block | None, tuple[Node, ...]]]:
    """The nodes of these kinds below a node, each with its block and the loops around it."""
    pending: list[tuple[Node, Block | None, tuple[Node, ...]]] = [(root, None, ())]
    while pending:
        node, block, loops = pending.pop()
        if type(node) in kinds:
            yield node, block, loops
        if (below := BELOW.get(type(node), OF_OTHERS)) is not None:
            block = node if isinstance(node, Block) else block
            loops = (*loops, node) if isinstance(node, (ForStmt, WhileStmt)) else loops
            pending += [(part, block, loops) for part in below(node)]
