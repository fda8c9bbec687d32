"""Values as texts: two that are alike are the same value, for all that the source shows."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from mypy.nodes import (
    CallExpr,
    DictExpr,
    Expression,
    FloatExpr,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    SymbolNode,
    TupleExpr,
    UnaryExpr,
)

from ...knowledge.full_names import JAX
from ...syntax.literals import is_none, literal, text_or_number
from ...syntax.names import callee_name

NEW: Final = "?"  # begins a value that may differ each time, with a number
_LONGEST: Final = 400
_NEXT: Final = "next"
_RANDOM: Final = "random"


@dataclass
class Values:
    """The values of local variables where a program is."""

    is_state: Callable[[Expression], bool]  # whether an expression is the state that is looked at
    known: dict[SymbolNode, str] = field(default_factory=dict)
    tells_reads_apart: bool = False  # whether two parts of what may differ each time have nothing to do with each other
    _parts: dict[str, str] = field(default_factory=dict)
    _count: int = 0

    def new(self) -> str:
        self._count += 1
        return f"{NEW}{self._count};"

    def of(self, node: Expression | None, state: str) -> str:
        """`state`: the value of what is looked at."""
        text = self._text(node, state) if node is not None else self.new()
        return text if len(text) < _LONGEST else self.new()

    def _text(self, node: Expression, state: str) -> str:
        text = self._written(node, state)
        if self.tells_reads_apart and text.startswith(NEW) and isinstance(node, MemberExpr | IndexExpr | CallExpr):
            return self._parts.setdefault(text, self.new())
        return text

    def _written(self, node: Expression, state: str) -> str:
        if (known := constant(node)) is not None:
            return known
        if self.is_state(node):
            return state
        match node:
            case NameExpr():
                return self.known.get(node.node, node.name) if node.node is not None else node.name
            case MemberExpr():
                return f"{self._text(node.expr, state)}.{node.name}"
            case UnaryExpr():
                return f"{node.op}{self._text(node.expr, state)}"
            case OpExpr():
                return f"({self._text(node.left, state)}{node.op}{self._text(node.right, state)})"
            case IndexExpr():
                return f"{self._text(node.base, state)}[{self._text(node.index, state)}]"
            case TupleExpr() | ListExpr() | DictExpr():
                return _display(node, [self._text(item, state) for item in _items(node)])
            case CallExpr() if not _differs(node):
                given = (
                    f"{name or ''}={self._text(arg, state)}"
                    for name, arg in zip(node.arg_names, node.args, strict=True)
                )
                return f"{self._text(node.callee, state)}({','.join(given)})"
        return self.new()


def constant(node: Expression) -> str | None:
    """A value that the source gives."""
    if isinstance(node, FloatExpr):
        return repr(node.value)
    if is_none(node):
        return "None"
    if isinstance(node, TupleExpr | ListExpr | DictExpr):
        items = [constant(item) for item in _items(node)]
        known = [text for text in items if text is not None]
        return _display(node, known) if len(known) == len(items) else None
    value = text_or_number(node)
    value = literal(node) if value is None else value
    return repr(value) if value is not None else None


def _items(node: TupleExpr | ListExpr | DictExpr) -> list[Expression]:
    """The items; of a dict, its keys and values in turn."""
    if not isinstance(node, DictExpr):
        return node.items
    return [part for pair in node.items for part in pair if part is not None]


def _display(node: Expression, items: Iterable[str]) -> str:
    return f"{type(node).__name__}[{','.join(items)}]"


def _differs(call: CallExpr) -> bool:
    """Whether a call may return something else each time, though its arguments are the same."""
    name = callee_name(call)
    is_drawn = _RANDOM in name.split(".") and not name.startswith(JAX)
    return is_drawn or name.rpartition(".")[2] == _NEXT


def new_parts(text: str) -> frozenset[str]:
    """The parts of a value that may differ each time."""
    return frozenset(part.partition(";")[0] for part in text.split(NEW)[1:])
