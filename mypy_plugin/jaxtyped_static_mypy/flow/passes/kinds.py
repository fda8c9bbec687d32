"""How a value changes with each pass of a loop, and what is needed to find that out."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from types import MappingProxyType
from typing import Final, NamedTuple

from mypy.nodes import Expression, FloatExpr, NameExpr, Node, SymbolNode, Var

from ...source.bindings import bindings_of
from ...source.checked_file import CheckedFile
from ..declared_types import TypeOf
from .loops import Passes
from .numbers import is_float_by_default

MAX_DEPTH: Final = 8


class ValueKind(Enum):
    """What a changing value is."""

    INTEGER = auto()
    NUMBER = auto()
    ELEMENT = auto()  # a number of a NumPy array, of which mypy knows no type
    TEXT = auto()
    OBJECT = auto()  # one that holds a changing value


class Changing(NamedTuple):
    """A value that changes with each pass of a loop."""

    kind: ValueKind
    counter: str  # the variable that it depends on
    passes: Passes

    @property
    def is_costly(self) -> bool:
        return self.passes is Passes.MANY or self.kind is not ValueKind.INTEGER


def as_kind(kind: ValueKind, found: Changing | None) -> Changing | None:
    return found._replace(kind=kind) if found is not None else None


class Search(NamedTuple):
    """What is needed to follow an argument through the loops around it."""

    file: CheckedFile
    type_of: TypeOf
    around: Sequence[Node]  # of the argument
    loops: Sequence[Node]  # innermost first
    is_fraction: bool  # it stands where a `float` is declared
    depth: int = MAX_DEPTH
    given: Mapping[SymbolNode, Changing] = MappingProxyType({})  # parameters that change with each call

    def is_float(self, node: Expression) -> bool:
        """By its type, which mypy may not have inferred yet of a variable of the module, or by a value it is given."""
        if isinstance(node, FloatExpr):
            return True
        if getattr(getattr(self.type_of(node), "type", None), "fullname", "") == "builtins.float":
            return True
        bound = bindings_of(node.node, self.file) if isinstance(node, NameExpr) and isinstance(node.node, Var) else ()
        return any(isinstance(one.value, FloatExpr) for one in bound) or is_float_by_default(node, self.file)
