"""Output for people: lines, in which nothing that comes from the checked code can look like anything else."""

import sys
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from .saying import harmless, start_of_command, visible


class Lines(Console):
    """A console that shows each object that it prints on one line."""

    def print(self, *objects: Any, **options: Any) -> None:
        super().print(*map(_shown, objects), **options)


def console_for(color: str = "auto", file: TextIO | None = None) -> Console:
    """Lines are never wrapped, as they hold paths to click on and code to copy."""
    forced = {"auto": None, "always": True, "never": False}[color]
    return Lines(
        file=file or sys.stdout, soft_wrap=True, highlight=False, markup=False, force_terminal=forced, emoji=False
    )


def _shown(part: Any) -> Any:
    if isinstance(part, str):
        return harmless(part)
    if isinstance(part, Text):
        part = part.copy()
        part.plain = visible(part.plain)  # as long as before, so that the styles stay in their places
        if (start := start_of_command(part.plain)) is not None:
            return Text.assemble(part[:start], "./", part[start:])
    return part
