"""Arguments that all commands about a project have in common."""

import argparse
from pathlib import Path

from ..cache.folder import NAME as CACHE


def add_project_arguments(parser: argparse.ArgumentParser) -> None:
    """The files, and the environment."""
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="files and folders (default: the project)")
    group = parser.add_argument_group("environment")
    group.add_argument(
        "--python",
        metavar="PATH",
        help="the project's interpreter or environment (default: $VIRTUAL_ENV, .venv, venv, conda's, or the command's)",
    )
    group.add_argument("--cache-dir", type=Path, metavar="DIR", help=f"(default: {CACHE} in the project)")
    group.add_argument(
        "--no-shared-cache", action="store_true", help="do not begin with what was learnt of JAX in other projects"
    )


def names(text: str) -> list[str]:
    """The names in a list with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]
