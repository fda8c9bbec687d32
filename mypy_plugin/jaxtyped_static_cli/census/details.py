"""All that is known of one function or class, for people."""

from collections.abc import Iterator, Mapping

from rich.text import Text

from ..terminal.words import counted
from .model import Call, Class, Field, Function, Parameter, Reason, Role, Use
from .styles import MARKS, indented, place_text, reason_text, role_of, role_text


def class_details(cls: Class, known: Mapping[str, Class], names: Mapping[str, str]) -> Iterator[Text]:
    mark, style = MARKS[cls.verdict]
    declared = f"; declared a {cls.declared}" if cls.declared else ""
    yield Text.assemble((f"{mark} {cls.verdict}", style), ", ", role_text(role_of(cls)), declared)
    yield from (reason_text(reason, cls.name) for reason in cls.reasons)
    yield Text("used as")
    yield from indented(use_text(use, names) for use in actual_uses(cls))
    if cls.fields:
        yield Text("holds")
        yield from _tree(cls, known, frozenset())


def actual_uses(cls: Class) -> tuple[Use, ...]:
    """Without the declaration, unless there is nothing else."""
    return tuple(use for use in cls.uses if use.kind != "declaration") or cls.uses


def _tree(cls: Class, known: Mapping[str, Class], above: frozenset[str], lead: str = "") -> Iterator[Text]:
    """The fields of a class, and those of the classes that they hold, once on each branch."""
    for number, field in enumerate(cls.fields, 1):
        is_last = number == len(cls.fields)
        yield Text.assemble((f"{lead}{'└─ ' if is_last else '├─ '}", "dim"), _field(field, cls))
        for held in field.classes:
            if held in known and held not in above and held != cls.id:
                yield from _tree(known[held], known, above | {cls.id}, lead + ("   " if is_last else "│  "))


def _field(field: Field, owner: Class) -> Text:
    line = Text(f"{field.name}: {field.type}")
    if field.role is not None:
        line.append_text(Text.assemble("  ", role_text(field.role)))
    for reason in reasons_of_field(field, owner):
        mark, style = MARKS[reason.verdict]
        line.append_text(Text.assemble("  ", (f"{mark} {reason.code}", style)))
    return line


def reasons_of_field(field: Field, owner: Class) -> list[Reason]:
    """Its own, and those of the class that are about the field."""
    steps = (f".{field.name}", f".{field.name}.", f".{field.name}[")
    inside = [reason for reason in owner.reasons if reason.path == steps[0] or reason.path.startswith(steps[1:])]
    return list({reason.code: reason for reason in (*field.reasons, *inside)}.values())


def function_details(function: Function) -> Iterator[Text]:
    yield Text.assemble(("compiled by ", "dim"), function.compiler)
    if function.unread:
        yield Text(f"not read: {function.unread}", style="yellow")
    for parameter in function.parameters:
        yield Text.assemble(role_text(parameter.role, 8), parameter_text(parameter, Role.STATIC))
        yield from indented((reason_text(reason, parameter.name) for reason in parameter.reasons), 8)
    calls = [call for call in function.calls if call.is_call]
    mentions = [call for call in function.calls if not call.is_call]
    yield Text(f"called in {counted(len(calls), 'place')}")
    yield from indented(map(_call, calls))
    if mentions:
        yield Text("passed on, or used without a call, in")
        yield from indented(map(_call, mentions))


def parameter_text(parameter: Parameter, role: Role, *, codes: bool = False) -> Text:
    """With the type, for a static one. `codes`: with the rules that it breaks."""
    text = f"{parameter.name}: {parameter.type}" if role is Role.STATIC else parameter.name
    line = Text.assemble(text, (" (donated)", "green") if parameter.is_donated else "")
    for reason in shown_reasons(parameter) if codes else ():
        mark, style = MARKS[reason.verdict]
        line.append(f" {mark} {reason.code}", style=style)
    return line


def shown_reasons(shown: Class | Parameter) -> list[Reason]:
    """Those that are certain, or all if none is: what is broken need not be proved."""
    return [reason for reason in shown.reasons if reason.is_certain] or list(shown.reasons)


def use_text(use: Use, names: Mapping[str, str]) -> Text:
    owner = names.get(use.owner, use.owner.partition("::")[2])
    words = {
        "parameter": f'parameter "{use.name}" of {owner}',
        "argument": f'passed for "{use.name}" of {owner}',
        "field": f'field "{use.name}" of {owner}',
        "subclass": f"a kind of {owner}",
        "declaration": "declared so",
    }[use.kind]
    place = Text.assemble("  ", place_text(use.place)) if use.place is not None else Text()
    return Text.assemble(role_text(use.role, 8), words, place)


def _call(call: Call) -> Text:
    passed = ", ".join(f"{argument.name}={argument.value}" for argument in call.arguments)
    scope = f"in {call.scope}: " if call.scope and passed else f"in {call.scope}" if call.scope else ""
    return Text.assemble(place_text(call.place), "  ", scope, passed)
