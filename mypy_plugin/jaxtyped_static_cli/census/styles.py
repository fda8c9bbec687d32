"""How roles and verdicts look in the terminal."""

from collections.abc import Iterable
from typing import Final

from rich.text import Text

from .model import Class, Place, Reason, Role, Verdict

BOTH: Final = "both"
STYLES: Final = {Role.STATIC: "blue", Role.DYNAMIC: "yellow", BOTH: "magenta", Role.UNKNOWN: "dim"}
MARKS: Final = {
    Verdict.BROKEN: ("✗", "bold red"),
    Verdict.UNPROVEN: ("?", "bold yellow"),
    Verdict.SOUND: ("✓", "green"),
}


def role_of(cls: Class) -> str:
    return BOTH if cls.is_both else cls.roles[0]


def role_text(role: str, width: int = 0) -> Text:
    return Text(role.ljust(width), style=STYLES[role])


def place_text(place: Place) -> Text:
    return Text(str(place), style="dim")


def reason_text(reason: Reason, subject: str = "") -> Text:
    """`✗ static-mutable .limiter: Limiter is not frozen; declare it frozen`."""
    mark, style = MARKS[reason.verdict]
    path = f"{subject}{reason.path}: " if reason.path else ""
    advice = f"; {reason.advice}" if reason.advice else ""
    return Text.assemble((f"{mark} ", style), (reason.code, style), f" {path}{reason.problem}{advice}")


def indented(lines: Iterable[Text], by: int = 2) -> Iterable[Text]:
    return (Text.assemble(" " * by, line) for line in lines)
