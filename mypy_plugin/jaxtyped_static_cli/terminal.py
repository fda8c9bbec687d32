"""Output for people."""

import sys
from typing import TextIO

from rich.console import Console


def console_for(color: str, file: TextIO | None = None) -> Console:
    """Lines are never wrapped, as they hold paths to click on and code to copy."""
    forced = {"auto": None, "always": True, "never": False}[color]
    return Console(
        file=file or sys.stdout, soft_wrap=True, highlight=False, markup=False, force_terminal=forced, emoji=False
    )
