"""The vocabulary of the search: each step leads from an expression to an origin, or to expressions to follow."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import NamedTuple

from mypy.nodes import CallExpr, Context, Decorator, Expression, FuncDef, RefExpr, TypeInfo, Var
from mypy.types import Instance, ProperType, get_proper_type

from ...source.checked_file import CheckedFile
from ..declared_types import TypeOf, declared_type


class FreshKind(Enum):
    """Why a callable is a new object each time its expression is evaluated."""

    LAMBDA = auto()
    NESTED_FUNCTION = auto()
    LOOP_FUNCTION = auto()  # at module level
    NESTED_CLASS = auto()
    PARTIAL = auto()
    TREE_PARTIAL = auto()
    BOUND_METHOD = auto()
    FACTORY = auto()
    OPTIMISER = auto()
    OBJECT = auto()  # no callable, but equal only to itself
    GENERATOR = auto()  # of random numbers: such an object, whose numbers become constants
    ITERATOR = auto()
    VALUE = auto()  # never equal to the one before
    NUMBER = auto()  # such a value, which could be traced
    COUNTER = auto()  # such a number, which a method counts up
    UNKNOWN = auto()  # nothing shows that it is not


class Origin(NamedTuple):
    """The origin of a callable that is, or may be, a new object each time."""

    kind: FreshKind
    subject: str  # as a user writes it
    context: Context
    made: Context | None = None  # where the code that was asked about makes it: the call, if a function returns it


@dataclass(frozen=True)
class Reader:
    """The context of an expression: what its names and types mean."""

    file: CheckedFile
    type_of: TypeOf
    # For a function body read for one call: what the call passes for each parameter; None if it leaves the default.
    given: Mapping[Var, "Unread | None"] = field(default_factory=dict)
    call: Expression | None = None  # for which the function is read
    first_call: Expression | None = None  # for which the first of several functions is read
    path: tuple[str, ...] = ()  # the attributes and items read from the value: `name`, `[0]`, `[*]`

    def taking(self, *path: str) -> "Reader":
        """The context in which these attributes and items are read from the value."""
        return replace(self, path=path)

    @property
    def item(self) -> str | None:
        """The first step of the path, if it is an item: its number, or `*` for any."""
        return self.path[0][1:-1] if self.path and self.path[0].startswith("[") else None

    @property
    def attributes(self) -> tuple[str, ...]:
        """The path without items."""
        return tuple(step for step in self.path if not step.startswith("["))

    def of_body(self, call: Expression, given: Mapping[Var, "Unread | None"]) -> "Reader":
        """The context inside another function's body, which mypy may not have checked yet."""
        return replace(self, call=call, first_call=self.first_call or call, given=given, type_of=type_as_declared)


class Unread(NamedTuple):
    """An expression still to be read, and its context."""

    expression: Expression
    reader: Reader


# What a step yields: answers, and parts to read for more. Nothing: it is one object, or no callable.
Followed = list[Origin | Unread]


def follow(reader: Reader, *expressions: Expression) -> Followed:
    return [Unread(expression, reader) for expression in expressions]


def answer(kind: FreshKind, subject: str, context: Context) -> Followed:
    return [Origin(kind, subject, context)]


def unknown(subject: str, context: Context) -> Followed:
    return answer(FreshKind.UNKNOWN, subject, context)


def type_as_declared(node: Expression) -> ProperType | None:
    """The type of an expression in code that mypy may not have checked yet: as declared, without inference."""
    named = node.node if isinstance(node, RefExpr) else None
    if isinstance(named, Var):
        return declared_type(named)
    if isinstance(named, (FuncDef, Decorator)):
        return get_proper_type(named.type)
    if isinstance(node, CallExpr) and isinstance(node.callee, RefExpr) and isinstance(node.callee.node, TypeInfo):
        made = node.callee.node
        return made.tuple_type or (Instance(made, []) if not made.type_vars else None)
    return None
