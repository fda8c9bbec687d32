"""The plugin's judgement of types, in the words of its rules."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mypy.nodes import Context, MypyFile, TypeInfo
from mypy.types import Type
from mypy.typevars import fill_typevars

from jaxtyped_static_mypy.classes import class_model
from jaxtyped_static_mypy.classes.reasons import UNPROVEN
from jaxtyped_static_mypy.classes.untraced import is_untraceable
from jaxtyped_static_mypy.config.settings import Settings
from jaxtyped_static_mypy.judgement.class_walk import Verdict
from jaxtyped_static_mypy.judgement.judge import judge
from jaxtyped_static_mypy.judgement.traceability import Survey
from jaxtyped_static_mypy.markers.marker import without_marker
from jaxtyped_static_mypy.reporting.contract import to_report
from jaxtyped_static_mypy.reporting.contract_rule import statement_of
from jaxtyped_static_mypy.reporting.positions import STATIC_ARGUMENT, STATIC_CLASS, STATIC_FIELD, Position
from jaxtyped_static_mypy.rules.checks import CONTRACT_RULES

from .model import Reason

# The rules about what cannot be traced: a parameter, and the `self` of a method.
_PARAMETER: Final = "jit-untraceable"
_SELF: Final = "jit-self"
UNTRACEABLE: Final = (_PARAMETER, _SELF)


def reasons_of_parameter(typ: Type, settings: Settings, *, is_key: bool) -> tuple[Reason, ...]:
    """Why a static parameter of this type is not safe. `is_key`: its values are hashed and compared."""
    verdict = judge(without_marker(typ), settings, is_argument=True)
    return tuple(_reasons(verdict, STATIC_ARGUMENT, typ, settings, is_key=is_key))


def reasons_of_field(typ: Type, settings: Settings, *, is_hashed: bool) -> tuple[Reason, ...]:
    return tuple(_reasons(judge(without_marker(typ), settings), STATIC_FIELD, typ, settings, is_hashed=is_hashed))


def reasons_of_class(info: TypeInfo, settings: Settings, *, is_hashed: bool) -> tuple[Reason, ...]:
    """Why objects of a class are not safe as static values."""
    typ = fill_typevars(info)
    is_declared = class_model.is_declared_static(info, settings.static_bases)
    verdict = judge(typ, settings, at_declaration=is_declared)
    return tuple(_reasons(verdict, STATIC_CLASS, typ, settings, is_hashed=is_hashed))


def _reasons(
    verdict: Verdict, label: str, typ: Type, settings: Settings, *, is_hashed: bool = True, is_key: bool = True
) -> Iterator[Reason]:
    """The most certain first."""
    position = Position(Context(), label, "", typ, is_hashed=is_hashed, is_key=is_key)
    found = to_report(verdict, position, CONTRACT_RULES, replace(settings, strict=True))
    for rule, fault in sorted(found, key=lambda pair: pair[1].reason in UNPROVEN):
        statement = statement_of(position, rule, fault)
        is_certain = fault.reason not in UNPROVEN
        yield Reason(rule.code.code, "".join(fault.path), statement.problem, statement.advice_text, is_certain)


def survey_of(file: MypyFile, classes: frozenset[TypeInfo], settings: Settings) -> Survey:
    """Looks for what cannot be traced, as seen from a file. `classes`: those of the program."""

    def untraceable(info: TypeInfo) -> bool:
        if info.fullname in settings.static_types or any(base.fullname in settings.static_bases for base in info.mro):
            return False
        return is_untraceable(info, classes, file)

    return Survey(untraceable, lambda: True)


def reason_untraceable(typ: Type, survey: Survey, *, is_self: bool = False) -> Reason | None:
    """Why a dynamic parameter of this type cannot be traced."""
    obstacle = survey.obstacle(without_marker(typ))
    if obstacle is None:
        return None
    advice = f'make "{obstacle.declared.name}" a pytree, or the parameter static' if obstacle.declared else ""
    return Reason(
        _SELF if is_self else _PARAMETER, "".join(obstacle.path), f"{obstacle.subject} cannot be traced", advice
    )
