"""Prints mypy's output for some cases beside their source: `python -m tests.rules.show PATTERN...`

A pattern is a part of a case's id, as pytest shows it (`docs/static-mutable/found`). This runs one incremental build
with a cache that is kept between calls: use it to look at a rule while writing it, not to judge it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace

from tests.rules import engines
from tests.rules.cases import ROOT, State, load_programs
from tests.rules.configuration import by_configuration
from tests.rules.layout import history, side_by_side, source_trees
from tests.rules.marks import Report
from tests.rules.modes import Group, make_workspace, outcome_of
from tests.rules.verdicts import against_marks

_FOLDER = ROOT / ".cache" / "rules-show"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.rules.show", description=__doc__)
    parser.add_argument("patterns", nargs="+", metavar="PATTERN")
    patterns = parser.parse_args(arguments).patterns
    programs = [p for p in load_programs() if p.is_checked and any(pattern in p.id for pattern in patterns)]
    for members in by_configuration(list(enumerate(programs))):
        show(Group(_FOLDER, tuple(members)))
    if not programs:
        print(f"no case has any of {patterns} in its id", file=sys.stderr)
    return 0 if programs else 1


def show(group: Group) -> None:
    workspace = replace(make_workspace("show", group, seed=None), cache=_FOLDER / "cache")
    visits = side_by_side(group.programs)
    outputs = engines.build(workspace, source_trees(visits))
    outcome = outcome_of(visits, outputs, {})
    print("\n".join(outcome.strays))
    for number, program in group.programs:
        print(f"\n=== {program.id} ({program.states[0][program.entry].place}) {program.config.strip()}")
        first = len(history(program)) - len(program.states)
        for step, seen in enumerate(outcome.seen[number][first:]):
            _show_state(program.states[step], seen.reports, f" at step {step + 1}" if len(program.states) > 1 else "")
        print("\n".join(against_marks(number, program, outcome)) or "as marked")


def _show_state(state: State, reports: Sequence[Report], when: str) -> None:
    for name, module in state.items():
        print(f"--- {name}{when}")
        for line, text in enumerate(["", *module.text.splitlines()]):
            if line:
                print(f"{line:4} {text}")
            for report in reports:
                if (report.file, report.line) == (name, line):
                    print(f"     >>> {report}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
