"""Which compiled function an expression stands for."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Decorator,
    Expression,
    MemberExpr,
    MypyFile,
    NameExpr,
    RefExpr,
    SymbolNode,
)
from mypy.types import CallableType, Instance, get_proper_type

from jaxtyped_static_mypy.syntax.trees import nodes_below

from .functions import Found
from .program import Program

Variables = dict[CallExpr, NameExpr | MemberExpr]


def variables_of(trees: Iterable[MypyFile]) -> Variables:
    """The variables and attributes that the results of calls are assigned to."""
    nodes = (node for tree in trees for node in nodes_below(tree) if isinstance(node, AssignmentStmt))
    return {
        node.rvalue: target
        for node in nodes
        for target in node.lvalues
        if isinstance(node.rvalue, CallExpr) and isinstance(target, (NameExpr, MemberExpr))
    }


@dataclass(frozen=True)
class Callees:
    """The compiled functions of a program, by what refers to them."""

    program: Program
    by_symbol: dict[SymbolNode, Found] = field(default_factory=dict)
    by_call: dict[Expression, Found] = field(default_factory=dict)
    by_definition: dict[SymbolNode, Found | None] = field(default_factory=dict)  # None for several

    @classmethod
    def of(cls, program: Program, found: Sequence[Found], variables: Variables) -> "Callees":
        known = cls(program)
        for entry in found:
            node = entry.compiled.node
            if isinstance(node, Decorator):
                known.by_symbol[node] = known.by_symbol[node.var] = entry
            else:
                known.by_call[node] = entry
                if node in variables and (symbol := known.symbol_of(variables[node])) is not None:
                    known.by_symbol[symbol] = entry
            for definition in _definitions(entry):
                known.by_definition[definition] = None if definition in known.by_definition else entry
        return known

    def called(self, node: Expression) -> Found | None:
        """What a call calls."""
        if isinstance(node, CallExpr):
            return self.by_call.get(node)
        return self.named(node) or self._by_type(node)

    def named(self, node: Expression) -> Found | None:
        symbol = self.symbol_of(node)
        return self.by_symbol.get(symbol) if symbol is not None else None

    def symbol_of(self, node: Expression) -> SymbolNode | None:
        """What a name or an attribute refers to; mypy does not keep that for attributes of objects."""
        if not isinstance(node, RefExpr):
            return None
        if node.node is not None or not isinstance(node, MemberExpr):
            return node.node
        owner = self._owner(node)
        symbol = owner.type.get(node.name) if owner is not None else None
        return symbol.node if symbol is not None else None

    def binds(self, node: Expression) -> bool:
        """Whether an expression is a method of an object, which passes the object along."""
        return isinstance(node, MemberExpr) and isinstance(self._type(node.expr), Instance)

    def _owner(self, node: MemberExpr) -> Instance | None:
        """The object, or the class, that has an attribute."""
        typ = self._type(node.expr)
        if isinstance(typ, CallableType) and typ.is_type_obj():
            typ = get_proper_type(typ.ret_type)
        return typ if isinstance(typ, Instance) else None

    def _type(self, node: Expression) -> object:
        return get_proper_type(self.program.checked.types.get(node))

    def _by_type(self, node: Expression) -> Found | None:
        """What a variable holds, if mypy still knows which function was compiled."""
        typ = self._type(node)
        definition = typ.definition if isinstance(typ, CallableType) else None
        is_function_itself = isinstance(node, RefExpr) and definition is node.node
        return self.by_definition.get(definition) if definition is not None and not is_function_itself else None


def _definitions(found: Found) -> Iterator[SymbolNode]:
    if isinstance(found.compiled.node, Decorator):
        yield found.compiled.node
    if found.definition is not None:
        yield found.definition
