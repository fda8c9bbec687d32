"""Resolves names by the syntax of a module alone: its functions are read before mypy analyses them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    ClassDef,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    MypyFile,
    NameExpr,
    OverloadedFuncDef,
)

from ...source.bindings import constants
from ...syntax.imports import imported_name
from ...syntax.trees import assignment_targets, dotted_name, statements
from .steps import FunctionFacts, Step


class Wrapped(NamedTuple):
    """The subject of a helper, after these steps."""

    takes: str
    steps: tuple[Step, ...] = ()

    def then(self, step: Step) -> "Wrapped":
        return Wrapped(self.takes, (*self.steps, step))


class Made(NamedTuple):
    """What a call returns if it is not given the subject: `dataclass(frozen=True)`, `field(...)`."""

    step: Step
    is_partial: bool = False


class Decorates(NamedTuple):
    """A nested function that is itself a decorator."""

    facts: FunctionFacts


class Changed(NamedTuple):
    """A nested function that does not just pass calls on."""

    wrapper: FuncItem | None = None


Value = Wrapped | Made | Decorates | Changed | None


@dataclass(frozen=True)
class ModuleNames:
    """The names of a module."""

    file: MypyFile
    defined: frozenset[str]
    constants: dict[str, Expression]  # those bound once, with their value

    @classmethod
    def of(cls, file: MypyFile) -> "ModuleNames":
        body = statements(file.defs, into_definitions=False)
        defined = {name for node in body for name in _names(node)}
        return cls(file, frozenset(defined), constants(body))

    def full_name(self, dotted: str) -> str:
        """The full name as the module imports it, or of its own definition."""
        if dotted.partition(".")[0] in self.defined:
            return f"{self.file.fullname}.{dotted}"
        return imported_name(self.file, dotted) or f"builtins.{dotted}"


def _names(node: object) -> Iterator[str]:
    if isinstance(node, (FuncDef, ClassDef, Decorator, OverloadedFuncDef)):
        yield node.name
    elif isinstance(node, AssignmentStmt):
        yield from (target.name for target in assignment_targets(node) if isinstance(target, NameExpr))


@dataclass
class Scope:
    """A function that is being read: what its names hold, and the functions nested in it."""

    module: ModuleNames
    values: dict[str, Value] = field(default_factory=dict)  # by name, or `self.name`
    options: str | None = None  # the name of its `**options`, if it only passes them on

    def full_name(self, node: Expression) -> str | None:
        """The full name of a name of the module; None for a local one."""
        name = dotted_name(node)
        if name is None or name in self.values or name.partition(".")[0] in self.values:
            return None
        return self.module.full_name(name)
