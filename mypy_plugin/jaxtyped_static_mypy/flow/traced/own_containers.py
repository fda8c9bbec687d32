"""Which local variables alone hold a list or dict, and what is known of it after a change."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from mypy.nodes import (
    AssertStmt,
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    DelStmt,
    DictExpr,
    DictionaryComprehension,
    Expression,
    ForStmt,
    FuncItem,
    GeneratorExpr,
    IfStmt,
    IndexExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    OpExpr,
    RefExpr,
    ReturnStmt,
    SliceExpr,
    StarExpr,
    SymbolNode,
    TupleExpr,
    UnaryExpr,
    WhileStmt,
)

from ...knowledge.full_names import KNOWN_PACKAGES
from ...knowledge.members import CHANGING_METHODS, COMPARING_METHODS, CONCRETE_METHODS, ELEMENT_METHODS
from ...source.bindings import bound_by
from ...source.checked_file import CheckedFile, once_per_file
from ...syntax.assignments import targets_of
from ...syntax.literals import text_or_number
from ...syntax.trees import parts_of
from .items import extended, with_item
from .joining import element
from .values import Each, Entries, Items, Value, present, sequence

_DISPLAYS: Final = (DictExpr, DictionaryComprehension, ListComprehension, ListExpr)
_MAKERS: Final = frozenset({"builtins.dict", "builtins.list", "builtins.sorted"})
_METHODS: Final = CHANGING_METHODS | ELEMENT_METHODS | CONCRETE_METHODS | COMPARING_METHODS
_PYTHON: Final = "builtins."


def is_own(node: Expression, file: CheckedFile) -> bool:
    """Whether a variable, or a part of what it holds, is a container that nothing else refers to."""
    while isinstance(node, IndexExpr):
        node = node.base
    return isinstance(node, NameExpr) and node.node in own_containers(file)


@once_per_file
def own_containers(file: CheckedFile) -> frozenset[SymbolNode]:
    """The variables that are bound to new containers alone, and used where nobody keeps these or changes them."""
    made: dict[SymbolNode, list[bool]] = {}
    users: dict[SymbolNode, set[FuncItem | None]] = {}
    kept: set[SymbolNode] = set()
    for function, nodes in _by_function(file.tree):
        harmless = {part for node in nodes for part in _harmless(node)}
        for node in nodes:
            for variable, binding in bound_by(node):
                made.setdefault(variable, []).append(_makes(binding.whole) or isinstance(node, OperatorAssignmentStmt))
            if isinstance(node, NameExpr) and node.node is not None:
                users.setdefault(node.node, set()).add(function)
                kept |= {node.node} if node not in harmless else set()
    return (
        frozenset(variable for variable, are_new in made.items() if all(are_new) and len(users.get(variable, ())) == 1)
        - kept
    )


def _by_function(tree: Node) -> Iterator[tuple[FuncItem | None, list[Node]]]:
    """The nodes of each function, without those of functions in it."""
    pending: list[tuple[FuncItem | None, Node]] = [(None, tree)]
    while pending:
        function, top = pending.pop()
        nodes, below = [], [top] if function is None else [*parts_of(top)]
        while below:
            node = below.pop()
            nodes.append(node)
            if isinstance(node, FuncItem):
                pending.append((node, node))
            else:
                below += parts_of(node)
        yield function, nodes


def _makes(value: Expression | None) -> bool:
    if isinstance(value, CallExpr):
        return isinstance(value.callee, RefExpr) and value.callee.fullname in _MAKERS
    if isinstance(value, IndexExpr):
        return isinstance(value.index, SliceExpr)
    return isinstance(value, _DISPLAYS) or (isinstance(value, OpExpr) and value.op in "+*")


def _harmless(node: Node) -> Sequence[Node | None]:
    """The parts of a node that it reads, or changes in a way that is seen, and does not keep."""
    match node:
        case CallExpr():
            return node.args if _is_known(node.callee) else [arg for arg in node.args if isinstance(arg, StarExpr)]
        case MemberExpr():
            return [node.expr] if node.name in _METHODS else []
        case IndexExpr():
            return [node.base]
        case ReturnStmt():
            returned = node.expr
            return [returned, *(returned.items if isinstance(returned, TupleExpr) else [])]
        case AssignmentStmt() | OperatorAssignmentStmt() | DelStmt():
            return list(targets_of(node))
        case GeneratorExpr() | DictionaryComprehension():
            return node.sequences
        case ComparisonExpr():
            return node.operands
        case OpExpr():
            return [node.left, node.right] if node.op in ("+", "*") else [node.left]
        case IfStmt():
            return node.expr
        case ConditionalExpr():
            return [node.cond]
        case ForStmt() | WhileStmt() | UnaryExpr() | StarExpr() | AssertStmt():
            return [node.expr]
    return []


def _is_known(callee: Expression) -> bool:
    """Whether a function is one of Python or a library, which keeps no list that it is given."""
    name = callee.fullname if isinstance(callee, RefExpr) else ""
    return name.startswith(_PYTHON) or name.partition(".")[0] in KNOWN_PACKAGES


def changed(method: str, call: CallExpr, base: Value, values: Sequence[Value]) -> Value:
    """What is known of a container after `base.method(...)`."""
    first = values[0] if values else None
    names = [name for name in call.arg_names if name is not None]
    match method:
        case "append" if isinstance(base, Items) and len(values) == 1:
            return sequence((*base.values, first))
        case "append" if len(values) == 1:
            return extended(base, Items((first,)))
        case "insert" if len(values) == 2 and isinstance(base, (Items, Each)):
            return extended(Each(element(base)) if base != Items(()) else base, Items((values[1],)))
        case "extend" if len(values) == 1:
            return extended(base, first)
        case "clear":
            return Entries(is_closed=True) if isinstance(base, Entries) else Items(())
        case "pop" if isinstance(base, Items) and not values and base.values:
            return Items(base.values[:-1])
        case "pop" | "remove" | "reverse" | "sort" if isinstance(base, (Items, Each)):
            return Each(element(base))
        case "update" if isinstance(base, Entries) and len(names) == len(values):
            return _updated(base, dict(zip(names, values, strict=True)))
        case "update" if isinstance(base, Entries) and isinstance(first, Entries) and len(values) == 1:
            return _updated(base, dict(first.values)) if first.is_closed else None
        case "pop" if isinstance(base, Entries) and isinstance(key := text_or_number(call.args[0]), str):
            return Entries(tuple(entry for entry in base.values if entry[0] != key), base.other, base.is_closed)
    return None


def _updated(base: Entries, others: Mapping[str, Value]) -> Value:
    value: Value = base
    for key, other in others.items():
        value = with_item(value, key, other)
    return value


def popped(base: Value, call: CallExpr) -> Value:
    """What `base.pop(...)` returns, if no default stands in for it."""
    base = present(base)
    if isinstance(base, Items) and not call.args:
        return base.values[-1] if base.values else None
    if isinstance(base, (Items, Each)):
        return element(base)
    key = text_or_number(call.args[0]) if len(call.args) == 1 else None
    return dict(base.values).get(key) if isinstance(base, Entries) and isinstance(key, str) else None
