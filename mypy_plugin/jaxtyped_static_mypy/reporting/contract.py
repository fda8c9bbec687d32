"""Reports faults against the static contract, with the path to the offender.

Each position gets one error per rule, except for the reasons in `REPORTED_EACH`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from mypy.errorcodes import ARG_TYPE, ErrorCode
from mypy.nodes import Context
from mypy.types import Instance, TupleType, Type, UnionType, get_proper_type

from ..classes.reasons import REPORTED_EACH, Fault, Reason
from ..compat import mypy_api
from ..compat.dependencies import record_dependency, target_of_check
from ..config.settings import Settings
from ..facts.objects.uses import ANY_ATTRIBUTE
from ..judgement.class_walk import Consulted, Verdict
from ..judgement.judge import judge
from ..libraries import KEY_TYPES
from ..markers.marker import without_marker
from ..memory import keep_last
from ..reach.objects import attributes_changed_at_home
from ..source.checked_file import CheckedFile
from .contract_rule import ContractRule, statement_of
from .errors import report
from .evidence.needed import evidence, questions, shown
from .finding import Evidence
from .harm import Harm, harm_of
from .held_parts import advice_by_parts
from .notes import recount_places
from .one_cause import (
    Broken,
    advice_for_all,
    has_to_change,
    holds_arrays,
    holds_arrays_deep,
    holds_containers,
    one_for_each_class,
)
from .positions import Position

# Faults that name one attribute, while another one may be what the program assigns.
_OF_ANOTHER: Final = (Reason.SETTABLE_PROPERTY, Reason.ASSIGNED_LATER)


class ValuePart(NamedTuple):
    """A part of a value, or the value itself, that is made at a line that can be seen."""

    path: tuple[str, ...]
    type: Type
    declared: Type | None
    line: int


def check_position(
    position: Position,
    rules: Sequence[ContractRule],
    file: CheckedFile,
    *,
    at_declaration: bool = False,
    keep: Callable[[Fault], bool] | None = None,
) -> None:
    """Judges the declared type of a static position, reports its faults and records what the verdict depends on.

    `at_declaration`: the position is the statement of a static class. `keep`: whether to report a fault here.
    """
    typ = without_marker(position.type)
    verdict = judge(typ, file.settings, at_declaration=at_declaration, is_argument=position.is_argument)
    if keep is not None:
        verdict = verdict._replace(faults=tuple(filter(keep, verdict.faults)))
    _record(verdict, file)
    for broken in _broken_by(typ, verdict, position, rules, file):
        _report(position, typ, broken, file)
        for other in broken.also if broken.shown.harm.is_potential else ():
            _report(position, typ, other, file, is_asked=True)  # the whole program may show that this one does harm


def check_value(
    position: Position,
    typ: Type,
    rules: Sequence[ContractRule],
    file: CheckedFile,
    *,
    is_seen_by_mypy: bool = True,
) -> None:
    """Judges the type of a value in a static position, and reports each rule that only the value breaks.

    Skips a value that mypy rejects, if users see that error. `is_seen_by_mypy`: whether mypy knows this type.
    """
    if get_proper_type(typ) == get_proper_type(position.type):
        return
    settings = file.settings
    verdict = judge(typ, settings, is_argument=position.is_argument)
    found = [(rule, fault) for rule, fault in to_report(verdict, position, rules, settings) if not rule.strict_only]
    _record(verdict, file)
    if not found:
        return
    is_certain = _breaks_always(typ, position, rules, settings)
    if not mypy_api.is_subtype(typ, position.type):
        if is_seen_by_mypy and settings.shows(ARG_TYPE.code, file.options):
            return
        if not is_certain:
            return
    declared = declared_harms(position.type, position, rules, file)
    for broken in _broken(verdict, position, [rule for rule, _ in found], file, is_certain=is_certain):
        known = declared.get(broken.rule.code)
        if known is None or (known.is_potential and not broken.shown.harm.is_potential):
            _report(position, typ, broken, file)


def declared_harms(
    typ: Type, position: Position, rules: Sequence[ContractRule], file: CheckedFile
) -> dict[ErrorCode, Harm]:
    """What is reported of a declared type, by the code of the rule."""
    verdict = judge(typ, file.settings, is_argument=position.is_argument)
    found = _broken_by(typ, verdict, position, rules, file)
    return {part.rule.code: part.shown.harm for broken in found for part in (broken, *broken.also)}


def _broken_by(
    typ: Type, verdict: Verdict, position: Position, rules: Sequence[ContractRule], file: CheckedFile
) -> list[Broken]:
    """The rules that the values of a type break. Most types break none, and nothing more is asked of those."""
    if not verdict.faults:
        return []
    is_certain = _breaks_always(typ, position, rules, file.settings)
    return _broken(verdict, position, rules, file, is_certain=is_certain)


def _breaks_always(typ: Type, position: Position, rules: Sequence[ContractRule], settings: Settings) -> bool:
    """Whether each member of a union breaks a rule."""
    proper = get_proper_type(typ)
    items = proper.items if isinstance(proper, UnionType) else [proper]
    verdicts = (judge(item, settings, is_argument=position.is_argument) for item in items)
    return all(any(True for _ in to_report(verdict, position, rules, settings)) for verdict in verdicts)


def check_part(
    position: Position,
    whole: Type,
    part: ValuePart,
    rules: Sequence[ContractRule],
    file: CheckedFile,
) -> bool:
    """Judges the type of a part of a value, and reports the first rule that neither the value's type nor the part's
    declared type shows to be broken. `whole`: the type of the value. Returns whether there was one.
    """
    settings = file.settings
    declared = [typ for typ in (whole, part.declared) if typ is not None]
    known = {rule.code for typ in declared for rule, _ in to_report(judge(typ, settings), position, rules, settings)}
    verdict = judge(part.type, settings)
    _record(verdict, file)
    for broken in _broken(verdict, position, rules, file, is_certain=True):
        if not broken.rule.strict_only and broken.rule.code not in known:
            inner = broken.fault._replace(path=part.path + broken.fault.path)
            made = Evidence("made", file.tree.path, part.line, f"The value is made at line {part.line}")
            more = [made] if part.line != position.context.line else []
            _report(position, whole, broken._replace(fault=inner), file, more)
            return True
    return False


def _record(verdict: Verdict, file: CheckedFile) -> None:
    record_dependency(file.api, verdict.consulted.new_in(_recorded(target_of_check(file.api))))
    recount_places(file.api)


@keep_last
def _recorded(target: tuple[object, str]) -> set[Consulted]:
    """What mypy knows already that the target being checked depends on: its many positions share most of it."""
    return set()


def to_report(
    verdict: Verdict, position: Position, rules: Sequence[ContractRule], settings: Settings
) -> Iterator[tuple[ContractRule, Fault]]:
    """Yields each enabled rule with its outermost fault, and with every fault whose reason is in `REPORTED_EACH`."""
    seen: set[ErrorCode] = set()
    for rule, fault in _enabled(verdict, position, rules, settings):
        if rule.code not in seen or fault.reason in REPORTED_EACH:
            yield rule, fault
        seen.add(rule.code)


def _enabled(
    verdict: Verdict, position: Position, rules: Sequence[ContractRule], settings: Settings
) -> Iterator[tuple[ContractRule, Fault]]:
    """Yields each enabled rule with all its faults."""
    found = verdict.faults
    if position.is_in_identity:
        found = tuple(fault.in_identity() for fault in found)
    for rule in rules:
        if not rule.strict_only or settings.strict:
            yield from ((rule, fault) for fault in found if rule.message(fault.reason, position) is not None)


def _broken(
    verdict: Verdict, position: Position, rules: Sequence[ContractRule], file: CheckedFile, *, is_certain: bool
) -> list[Broken]:
    """The rules that are broken: of several faults of one kind, the first that does harm, or else the first."""
    found: dict[tuple[ErrorCode, object], Broken] = {}
    told = [rule for rule in rules if rule.code not in file.options.disabled_error_codes]
    for rule, fault in _enabled(verdict, position, told, file.settings):
        key = (rule.code, fault if fault.reason in REPORTED_EACH else None)
        if (known := found.get(key)) is None or known.shown.harm.is_potential:
            statement = statement_of(position, rule, fault)
            proof = shown(position, fault, rule.code.code, statement.kind, file, is_certain=is_certain)
            if known is None or not proof.harm.is_potential:
                held = holds_arrays(fault, verdict.faults), holds_containers(fault, verdict.faults)
                found[key] = Broken(rule, fault, proof, statement.problem, *held, holds_arrays_deep(fault, file))
    return one_for_each_class(found.values())


def _report(
    position: Position,
    typ: Type,
    broken: Broken,
    file: CheckedFile,
    more: Iterable[Evidence] = (),
    *,
    is_asked: bool = False,
) -> None:
    rule, found = broken.rule, broken.shown
    fault = _naming_what_changes(broken, file)
    advice = advice_for_all(broken, position) or advice_by_parts(broken, position, file)
    statement = statement_of(position, rule, fault, advice)
    if (context := _own_context(rule, fault, file)) is not None:
        about = statement.about(f"{fault.subject}{fault.path[-1]}")
        report(file, context, about, rule.code, is_signed=position.is_signed)
        return
    path = f"{_root(position, typ)}{''.join(fault.path)}" if fault.path else ""
    can_be_frozen = not (broken.holds_arrays or broken.holds_arrays_deep or has_to_change(broken, position))
    report(
        file,
        position.context,
        statement,
        rule.code,
        position=position.place,
        path=path,
        declared=fault.declared,
        base=fault.base,
        holder=fault.holder,
        evidence=chain(evidence(position, fault, found, file, can_be_frozen=can_be_frozen), more),
        questions=questions(
            position, fault, found, harm_of(rule.code.code, statement.kind), file, can_be_frozen=can_be_frozen
        ),
        site=position.site,
        harm=found.harm,
        also=tuple(other.problem for other in broken.also),
        is_asked=is_asked,
        is_signed=position.is_signed,
    )


def _naming_what_changes(broken: Broken, file: CheckedFile) -> Fault:
    """A fault that names an attribute which is assigned, where any of several could be."""
    fault = broken.fault
    changed = [change.attribute for _, change in broken.shown.changes if change.attribute != ANY_ATTRIBUTE]
    if fault.reason in _OF_ANOTHER and changed and fault.detail not in changed:
        return fault._replace(reason=Reason.ASSIGNABLE_ATTRIBUTE, detail=changed[0])
    if fault.reason is not Reason.ASSIGNABLE_ATTRIBUTE or fault.declared is None:
        return fault
    if not changed:
        changed = [name for name in attributes_changed_at_home(fault.declared, file) if not name.startswith("_")]
    return fault._replace(detail=changed[0]) if changed and fault.detail not in changed else fault


def _own_context(rule: ContractRule, fault: Fault, file: CheckedFile) -> Context | None:
    """The rule's own place for a fault; None in any other file, as mypy reports only in the one it is checking."""
    is_here = fault.declared is not None and fault.declared.module_name == file.tree.fullname
    return rule.own_context(fault) if rule.own_context is not None and is_here else None


def _root(position: Position, typ: Type) -> str:
    """The start of a path: the class that declares its first field, or else the position."""
    proper = get_proper_type(typ)
    if isinstance(proper, TupleType):
        proper = proper.partial_fallback
    if isinstance(proper, Instance) and proper.type.fullname not in KEY_TYPES:
        return proper.type.name
    return position.name
