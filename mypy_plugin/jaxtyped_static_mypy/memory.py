"""Everything the plugin remembers between two calls of its hooks, and the one place where it is cleared."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from mypy.nodes import ClassDef, FuncItem, MypyFile, Statement, TypeAlias, TypeInfo
from mypy.types import Instance, ProperType

if TYPE_CHECKING:
    from .classes.reasons import Fault
    from .facts.class_facts import Facts
    from .facts.functions.steps import ModuleFacts
    from .facts.registration_facts import Registering, RegistrationFacts
    from .source.checked_file import CheckedFile
    from .syntax.imports import Imports


@dataclass(frozen=True, eq=False)
class Consulted:
    """The classes and aliases that an answer depends on: a graph, possibly cyclic, as answers share parts."""

    nodes: set[TypeInfo | TypeAlias] = field(default_factory=set)
    below: list["Consulted"] = field(default_factory=list)

    def everything(self) -> set[TypeInfo | TypeAlias]:
        todo, seen = [self], {self}
        for part in todo:
            new = [other for other in part.below if other not in seen]
            todo += new
            seen.update(new)
        return {node for part in todo for node in part.nodes}


class Verdict(NamedTuple):
    """The faults of a type, outermost first, and the classes and aliases that were consulted to find them."""

    faults: "tuple[Fault, ...]"
    consulted: Consulted


@dataclass
class ForeignRegistrations:
    """Registrations of classes of other modules that the module being checked knows of."""

    run: object = None  # the check of the module
    facts: "dict[str, RegistrationFacts]" = field(default_factory=dict)  # by the full name of a class
    imported: list[MypyFile] = field(default_factory=list)  # modules they may come from
    target: object = None  # the function, or top level, whose dependency on these modules is recorded
    kept: object = None  # the check in which the module's own registrations were kept for others


@dataclass
class Memory:
    """Everything that outlives one call of a hook. The daemon changes classes in place: then all of it is forgotten."""

    # Of classes and types
    verdicts: dict[Instance, Verdict] = field(default_factory=dict)  # by class and type arguments
    fields: dict[TypeInfo, list[Any]] = field(default_factory=dict)  # what instances of a class hold
    arrays: dict[ProperType, bool] = field(default_factory=dict)  # whether values of a type hold any
    names: set[str] = field(default_factory=set)  # full names of the classes that all this depends on
    foreign: ForeignRegistrations = field(default_factory=ForeignRegistrations)
    # Of files that are checked
    assignments: dict[MypyFile, dict[str, list[Statement]]] = field(default_factory=dict)  # by name
    maybe_registered: dict[MypyFile, frozenset[str]] = field(default_factory=dict)  # names
    classes: dict[MypyFile, tuple[TypeInfo, ...]] = field(default_factory=dict)
    functions: "dict[MypyFile, ModuleFacts]" = field(default_factory=dict)
    checked_file: "CheckedFile | None" = None  # the last one
    # Of what is analysed: only of the last module, or of the modules that are analysed together
    class_facts: "dict[ClassDef, Facts]" = field(default_factory=dict)  # of classes whose names are all resolved
    heirs_bases: dict[MypyFile, frozenset[str | None]] = field(default_factory=dict)
    reads: dict[MypyFile, Counter[str]] = field(default_factory=dict)  # of attributes, by name
    registering: "dict[MypyFile | FuncItem, Registering]" = field(default_factory=dict)
    imports: "Imports | None" = None
    # What is recorded as dependencies of the target being checked: its many positions share most of them
    target: object = None
    recorded: set[Consulted] = field(default_factory=set)

    def remember(self, typ: Instance, verdict: Verdict) -> None:
        self.verdicts[typ] = verdict
        self.names.update(node.fullname for node in (typ.type, *verdict.consulted.nodes))

    def remember_fields(self, info: TypeInfo, fields: list[Any]) -> None:
        self.fields[info] = fields
        self.names.update(base.fullname for base in info.mro)

    def unrecorded(self, target: object, consulted: Consulted) -> Iterator[TypeInfo | TypeAlias]:
        """The nodes that were not yet recorded as dependencies of this target since mypy began to check it."""
        if target != self.target:
            self.target, self.recorded = target, set()
        todo = [consulted]
        while todo:
            part = todo.pop()
            if part not in self.recorded:
                self.recorded.add(part)
                yield from part.nodes
                todo.extend(part.below)

    def forget(self, fullname: str) -> None:
        """Called when a class is analysed: if anything remembered depends on it, it may be stale, so forgets all."""
        if fullname in self.names:
            self.clear()

    def clear(self) -> None:
        vars(self).update(vars(Memory()))


# mypy gives hooks nothing that lives as long as a run, so this lives as long as the process.
MEMORY: Final = Memory()
