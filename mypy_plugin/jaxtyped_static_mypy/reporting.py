"""Turns faults into mypy's errors: one per position and code, with the path to the offender and what to do about it."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from mypy.nodes import Context, TypeInfo
from mypy.plugin import CheckerPluginInterface
from mypy.types import Instance, TupleType, Type, get_proper_type

from .compat import mypy_api
from .compat.dependencies import record_dependency, target_of_check
from .config.settings import Settings
from .judgement.judge import judge
from .judgement.reasons import Fault
from .knowledge.known_types import KNOWN_TYPES
from .markers.marker import marked
from .memory import MEMORY, Verdict
from .rules import CONTRACT_RULES
from .rules._rule import Rule


class Position(NamedTuple):
    """A static position: where it is reported, what it is called, and its declared type."""

    context: Context
    kind: str  # "Static argument", "Static field", ...
    name: str
    type: Type
    owner: str = ""  # at a call: the function or class that has the parameter or field
    undo: str = ""  # what to do for it not to be static

    def __str__(self) -> str:
        return f'{self.kind} "{self.name}"' + (f' of "{self.owner}"' if self.owner else "")

    @property
    def is_argument(self) -> bool:
        return self.kind == "Static argument"


def check_position(
    position: Position,
    settings: Settings,
    api: CheckerPluginInterface,
    *,
    at_declaration: bool = False,
    keep: Callable[[Fault], bool] | None = None,
    rules: Sequence[Rule] = CONTRACT_RULES,
) -> None:
    """Judges a static position, reports its faults by these rules and records what the answer depends on.

    `at_declaration`: the position is the statement of a static class. `keep`: which faults belong to the position.
    """
    typ = marked(position.type)
    verdict = judge(typ, settings, at_declaration=at_declaration, is_argument=position.is_argument)
    if keep is not None:
        verdict = verdict._replace(faults=tuple(filter(keep, verdict.faults)))
    _record(verdict, api)
    for rule, fault in select_faults(verdict, settings, rules):
        _report(position, typ, rule, fault, api)


def check_value(position: Position, typ: Type, settings: Settings, api: CheckerPluginInterface) -> None:
    """Judges what is passed to a static position, and reports by each rule whose fault the declared type does not have.

    A value that mypy refuses anyway is not judged.
    """
    if get_proper_type(typ) == get_proper_type(position.type):
        return
    verdict = judge(typ, settings, is_argument=position.is_argument)
    found = [(rule, fault) for rule, fault in select_faults(verdict, settings, CONTRACT_RULES) if not rule.strict_only]
    _record(verdict, api)
    if not found or not mypy_api.is_subtype(typ, position.type):
        return
    expected = judge(position.type, settings, is_argument=position.is_argument)
    declared = {rule.code for rule, _ in select_faults(expected, settings, CONTRACT_RULES)}
    for rule, fault in found:
        if rule.code not in declared:
            _report(position, typ, rule, fault, api)


def _record(verdict: Verdict, api: CheckerPluginInterface) -> None:
    record_dependency(api, MEMORY.untold(target_of_check(api), verdict.consulted))


def select_faults(verdict: Verdict, settings: Settings, rules: Sequence[Rule]) -> Iterator[tuple[Rule, Fault]]:
    """The outermost fault of each rule that is on; every fault of one that reports at the offender itself."""
    for rule in rules:
        if rule.strict_only and not settings.strict:
            continue
        faults = [fault for fault in verdict.faults if fault.reason in rule.words]
        yield from ((rule, fault) for fault in (faults if rule.place is not None else faults[:1]))


def _report(position: Position, typ: Type, rule: Rule, fault: Fault, api: CheckerPluginInterface) -> None:
    if (place := _own_place(rule, fault, api)) is not None:
        api.fail(f"{fault.subject}{fault.path[-1]} {_words(position, rule, fault)}", place, code=rule.code)
        return
    api.fail(message(position, typ, rule, fault), position.context, code=rule.code)
    if fault.declared is not None:
        mypy_api.note(api, where_declared(fault.declared, api), position.context, rule.code)


def _own_place(rule: Rule, fault: Fault, api: CheckerPluginInterface) -> Context | None:
    """An error can only be reported in the file being checked."""
    if rule.place is None or fault.declared is None or fault.declared.module_name != mypy_api.checked_module(api):
        return None
    return rule.place(fault)


def message(position: Position, typ: Type, rule: Rule, fault: Fault) -> str:
    path = f"{_root(position, typ)}{''.join(fault.path)}: " if fault.path else ""
    return f"{position}: {path}{_words(position, rule, fault)}"


def _words(position: Position, rule: Rule, fault: Fault) -> str:
    words = rule.words[fault.reason]
    if rule.is_about_position and position.undo and not fault.path:
        words = words._replace(advice=position.undo)
    return words.fill(subject=fault.subject, detail=fault.detail)


def _root(position: Position, typ: Type) -> str:
    """A path starts at the class that declares its first field; at the position itself where there is none."""
    proper = get_proper_type(typ)
    if isinstance(proper, TupleType):
        proper = proper.partial_fallback
    if isinstance(proper, Instance) and proper.type.fullname not in KNOWN_TYPES:
        return proper.type.name
    return position.name


def where_declared(info: TypeInfo, api: CheckerPluginInterface) -> str:
    """A line is named only in the file being checked: those of other modules are not in mypy's cache.

    A `TypedDict` has none.
    """
    module = mypy_api.checked_module(api)
    if info.module_name == module and info.line >= 0:
        return f'"{info.name}" is declared at line {info.line}'
    return f'"{info.name}" is declared in "{info.module_name}"'
