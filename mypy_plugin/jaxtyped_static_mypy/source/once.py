"""Code that runs once whoever calls the function around it: the program ends there, or keeps what the code makes."""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    ComparisonExpr,
    Expression,
    ExpressionStmt,
    FuncItem,
    IfStmt,
    IndexExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    RaiseStmt,
    ReturnStmt,
    Statement,
    StrExpr,
    TryStmt,
    UnaryExpr,
    WithStmt,
)

from ..knowledge import naming
from ..syntax.imports import full_name
from ..syntax.literals import is_none
from ..syntax.names import dotted_name
from ..syntax.trees import assignment_targets, last_statement, statements
from .checked_file import CheckedFile, once_per_file
from .surroundings import surroundings

_MISSING: Final = frozenset({"KeyError", "AttributeError"})
_LOOKED_UP: Final = frozenset({"get", "keys"})


def is_once_here(node: Node, file: CheckedFile) -> bool:
    """Whether the code in front of and around a node, in its function, shows that it runs once, or compiles nothing."""
    return _code_of(file).is_once(surroundings(node, file).around)


@once_per_file
def _code_of(file: CheckedFile) -> "Code":
    return Code(file.tree)


def is_kept(node: Node, file: CheckedFile) -> bool:
    """Whether a value is stored on an object or in a container."""
    parent = surroundings(node, file).parent
    if isinstance(parent, AssignmentStmt):
        return any(isinstance(target, (MemberExpr, IndexExpr)) for target in assignment_targets(parent))
    return isinstance(parent, CallExpr) and getattr(parent.callee, "name", "") == "setdefault" and node in parent.args


@dataclass(frozen=True, eq=False)
class Code:
    """The code of a file, which mypy has analysed or only parsed."""

    tree: MypyFile
    _blocks: dict[Block, "_Statements"] = field(default_factory=dict)

    def is_once(self, around: Sequence[Node], of_others: Container[str] = ()) -> bool:
        """The same as `is_once_here` of the first of some nodes: those around it follow, innermost first.

        `of_others`: the names that the function declares `global` or `nonlocal`, if mypy has not analysed the file.
        """
        node = around[0]
        inner = list(takewhile(lambda part: part is node or not isinstance(part, FuncItem), around))
        return any(self._is_once(child, parent, of_others) for child, parent in pairwise(inner))

    def _is_once(self, child: Node, parent: Node, of_others: Container[str]) -> bool:
        match parent:
            case WithStmt():
                entered = (full_name(part.callee, self.tree) for part in parent.expr if isinstance(part, CallExpr))
                return child is parent.body and any(map(naming.compiles_nothing, entered))
            case IfStmt() if child in parent.body and isinstance(child, Block):
                asked = set(_missing(parent.expr[parent.body.index(child)]))
                return bool(asked) and not asked.isdisjoint(_stored(child.body, of_others))
            case TryStmt() if child in parent.handlers and isinstance(child, Block):
                types = parent.types[parent.handlers.index(child)]
                return getattr(types, "name", "") in _MISSING and any(_stored(child.body, of_others))
            case Block():
                return self._statements(parent, of_others).make_once(child)
        return False

    def _statements(self, block: Block, of_others: Container[str]) -> "_Statements":
        if block not in self._blocks:
            self._blocks[block] = _read_statements(block, self.tree, of_others)
        return self._blocks[block]


class _Statements(NamedTuple):
    """What the statements of a block say of each other, by where they stand in it."""

    indices: Mapping[Node, int]
    last_end: int  # of the last that ends the process
    guards: Sequence[tuple[int, str]]  # `if key in cache: return cache[key]`, and what it looks for
    stored: Mapping[str, int]  # the last that sets this

    def make_once(self, statement: Node) -> bool:
        """Whether one behind a statement ends the process, or one in front leaves if what is set then is there."""
        index = self.indices.get(statement)
        if index is None:
            return False
        asked = (name for guard, name in self.guards if guard < index)
        return index <= self.last_end or any(index <= self.stored.get(name, -1) for name in asked)


def _read_statements(block: Block, tree: MypyFile, of_others: Container[str]) -> _Statements:
    body = list(enumerate(block.body))
    ends = [index for index, node in body if _ends_process(node, tree)]
    guards = [
        (index, name)
        for index, node in body
        if isinstance(node, IfStmt) and isinstance(last_statement(node.body[0]), ReturnStmt)
        for name in _present(node.expr[0])
    ]
    stored = {name: index for index, node in body for name in _stored([node], of_others)} if guards else {}
    return _Statements({node: index for index, node in body}, ends[-1] if ends else -1, guards, stored)


def _ends_process(node: Statement, tree: MypyFile) -> bool:
    return isinstance(node, (ExpressionStmt, RaiseStmt)) and _names_end(node.expr, tree)


def _names_end(node: Expression | None, tree: MypyFile) -> bool:
    callee = node.callee if isinstance(node, CallExpr) else node
    if callee is None:
        return False
    return (full_name(callee, tree) or f"builtins.{dotted_name(callee)}") in naming.ENDING  # if it is only parsed


def _missing(condition: Expression) -> Iterator[str]:
    """What a condition finds missing: `self.step is None`, `key not in cache`, `not hasattr(self, "step")`."""
    match condition:
        case ComparisonExpr(operators=["is" | "=="], operands=[asked, other]) if is_none(other):
            yield from _keeper(asked)
        case ComparisonExpr(operators=["not in"], operands=[_, holder]):
            yield from _keeper(holder)
        case UnaryExpr(op="not", expr=asked):
            yield from _present(asked)
        case OpExpr(op="or", left=left, right=right):
            yield from (*_missing(left), *_missing(right))


def _present(condition: Expression) -> Iterator[str]:
    """What a condition finds there: `key in cache`, `hasattr(self, "step")`."""
    match condition:
        case ComparisonExpr(operators=["is not" | "!="], operands=[asked, other]) if is_none(other):
            yield from _keeper(asked)
        case ComparisonExpr(operators=["in"], operands=[_, holder]):
            yield from _keeper(holder)
        case CallExpr(callee=NameExpr(name="hasattr"), args=[owner, StrExpr(value=name)]):
            yield f"{dotted_name(owner)}.{name}"
        case NameExpr() | MemberExpr() | IndexExpr():
            yield from _keeper(condition)


def _keeper(node: Expression) -> Iterator[str]:
    """The attribute, container or variable of the module that an expression reads."""
    if isinstance(node, IndexExpr):
        node = node.base
    elif isinstance(node, CallExpr) and isinstance(node.callee, MemberExpr) and node.callee.name in _LOOKED_UP:
        node = node.callee.expr
    name = dotted_name(node)
    if name is not None:
        yield name


def _stored(body: list[Statement], of_others: Container[str]) -> Iterator[str]:
    """The attributes, containers and variables of the module that statements set."""
    for node in statements(body, into_definitions=False):
        for target in assignment_targets(node):
            is_local = isinstance(target, NameExpr) and "." not in (target.fullname or "")
            if not is_local or getattr(target, "name", "") in of_others:
                yield from _keeper(target)
