"""Prints what a check reports, with each finding as data: `python -P -m jaxtyped_static_cli.reported ROOT`.

For editors: they show the text of mypy's errors, by which they look up what it says.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from jaxtyped_static_mypy.reporting.finding import to_note

from .commands import check
from .project.interpreter import find_interpreter
from .project.roots import find_project


def reported(root: Path) -> list[tuple[str, str, str]]:
    """The file, message and finding of each error."""
    parser = argparse.ArgumentParser()
    check.add_arguments(parser)
    project = find_project([root])
    python = find_interpreter(None, project.root)
    _, outcome, _ = check.check_project(project, python, parser.parse_args([str(root)]), strict=False)
    return [
        (str(project.root / error.span.path), error.message, to_note(error.finding))
        for error in outcome.diagnostics
        if error.is_ours and error.finding is not None
    ]


def main(arguments: Sequence[str]) -> None:
    json.dump(reported(Path(arguments[0])), sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
