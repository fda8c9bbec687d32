"""Resolves names by the syntax of a module alone: its functions are read before mypy analyses them."""

from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    ClassDef,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    MypyFile,
    OverloadedFuncDef,
    Statement,
)

from ...memory import keep_last
from ...source.bindings import constants
from ...syntax.imports import imported_name
from ...syntax.names import dotted_name
from ...syntax.trees import names_assigned, statements
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


class Packed(NamedTuple):
    """The `*names` of a helper: all positional arguments that no parameter before it takes."""

    name: str


ANY: Final = "**"  # as the key of an entry: all items of another dict
REST: Final = "**"  # as its parameter: the helper's own `**options`


class Entry(NamedTuple):
    """One item of a dict that a helper builds, or all items of another dict."""

    key: str
    value: Any = None  # a literal, or a `Table`; None for any other value
    parameter: str = ""  # of the helper, whose value it is, or whose items they are
    when: str = ""  # the parameter that has to be true for it, perhaps after "not "


class Table(NamedTuple):
    """A dict that a helper builds. Later entries win."""

    entries: tuple[Entry, ...] = ()

    def joined(self, *others: Entry) -> "Table":
        return Table((*self.entries, *others))


Value = Wrapped | Made | Decorates | Changed | Packed | Table | None


@dataclass(frozen=True)
class ModuleNames:
    """The names of a module."""

    file: MypyFile
    defined: frozenset[str]
    constants: dict[str, Expression]  # those bound once, with their value

    @classmethod
    def of(cls, file: MypyFile) -> "ModuleNames":
        return _names_of(file, tuple(file.defs))  # the daemon puts others into the same file

    def full_name(self, dotted: str) -> str:
        """The full name as the module imports it, or of its own definition."""
        if dotted.partition(".")[0] in self.defined:
            return f"{self.file.fullname}.{dotted}"
        return imported_name(self.file, dotted) or f"builtins.{dotted}"


@keep_last
def _names_of(file: MypyFile, written: tuple[Statement, ...]) -> ModuleNames:
    body = statements(written, into_definitions=False)
    assigned = (name for node in body for name in names_assigned(node))
    defined = (node.name for node in body if isinstance(node, (FuncDef, ClassDef, Decorator, OverloadedFuncDef)))
    return ModuleNames(file, frozenset((*assigned, *defined)), constants(body))


@dataclass
class Scope:
    """A function that is being read: what its names hold, and the functions nested in it."""

    module: ModuleNames
    values: dict[str, Value] = field(default_factory=dict)  # by name, or `self.name`
    taken: dict[str, Any] = field(default_factory=dict)  # options that it takes out of its `**options`, with defaults

    def full_name(self, node: Expression) -> str | None:
        """The full name of a name of the module; None for a local one."""
        name = dotted_name(node)
        if name is None or name in self.values or name.partition(".")[0] in self.values:
            return None
        return self.module.full_name(name)
