"""Puts histories side by side into one source tree for each run of mypy, and splits mypy's output among them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tests.fuzz.histories.model import History, Program
from tests.fuzz.histories.rendering import files_of
from tests.fuzz.histories.vocabulary import HEADER
from tests.rules.marks import Report, read_reports
from tests.rules.modes import is_stopped
from tests.rules.tree import Files

# Without these in the build, the daemon would drop jax with its last importer, and reloading it takes long.
LIBRARIES: Final = {
    "libraries.py": "".join(f"{line}\n" for line in dict.fromkeys("\n".join(HEADER.values()).split("\n")))
}
_PREFIX: Final = re.compile(r"\bh(\d{5})[st]\d?_")
_SAID_ONCE: Final = "See https://mypy.readthedocs.io"  # printed once per run
# The daemon finds these in files that it checks as a whole, and loses them when it rechecks the top level.
_OF_WHOLE_FILES: Final = ("used-before-def", "possibly-undefined")

Said = tuple[Report, ...]  # about one state
Walk = list[Said]  # about each state of a history
Batch = Sequence[tuple[int, History]]  # with the same settings, state by state; the numbers are unique in a bench


class Stopped(Exception):
    """mypy broke down; the argument is its output."""


@dataclass(frozen=True)
class Visit:
    """One run of mypy: the state of each history of the batch, or none while its files are still empty."""

    states: Sequence[int | None]
    settings: str

    def tree(self, batch: Batch) -> Files:
        tree = dict(LIBRARIES)
        for (number, history), state in zip(batch, self.states, strict=True):
            tree |= files_of(history[state] if state is not None else _emptied(history[0]), _prefix(number))
        return tree


def one_by_one(batch: Batch) -> list[Visit]:
    """Returns visits from state to state; a shorter history stays in its last."""
    settings = max((settings_of(history) for _, history in batch), key=len)
    return [Visit([min(at, len(history) - 1) for _, history in batch], settings[at]) for at in range(len(settings))]


def settings_of(history: History) -> tuple[str, ...]:
    return tuple(program.settings for program in history)


def all_states(batch: Batch) -> dict[str, Files]:
    """Returns one visit per setting with the states of all histories at once, under unique names."""
    trees: dict[str, dict[str, str]] = {}
    for number, history in batch:
        for at, state in enumerate(history):
            trees.setdefault(state.settings, dict(LIBRARIES)).update(files_of(state, _prefix(number, at)))
    return dict(trees)


def walks_of(outputs: Sequence[str], visits: Sequence[Visit], batch: Batch) -> list[Walk]:
    """Returns the last reports about each state while the history was in it."""
    walks: list[Walk] = [[() for _ in history] for _, history in batch]
    for output, visit in zip(outputs, visits, strict=True):
        said = _said(output)
        for walk, (number, _), state in zip(walks, batch, visit.states, strict=True):
            if state is not None:
                walk[state] = said.get((number, ""), ())
    return walks


def walks_of_all_states(outputs: Sequence[str], batch: Batch) -> list[Walk]:
    said = {key: reports for output in outputs for key, reports in _said(output).items()}
    return [[said.get((number, str(at)), ()) for at in range(len(history))] for number, history in batch]


def refuse_stop(output: str) -> None:
    if is_stopped(output):
        raise Stopped(output)


def _emptied(program: Program) -> Program:
    return replace(program, modules=tuple(replace(module, declarations=()) for module in program.modules))


def _prefix(number: int, state: int | None = None) -> str:
    return f"h{number:05}t_" if state is None else f"h{number:05}s{state}_"


def _said(output: str) -> dict[tuple[int, str], Said]:
    """Returns reports by the number of a history, and of the state if all were there at once."""
    refuse_stop(output)
    said: dict[tuple[int, str], list[Report]] = {}
    for line in read_reports(output):
        owner = _PREFIX.match(line.file) if isinstance(line, Report) else None
        if owner is None or not isinstance(line, Report):
            raise Stopped(f"of no history: {line}\n{output[-2000:]}")
        if line.text.startswith(_SAID_ONCE) or line.code in _OF_WHOLE_FILES:
            continue
        state = owner[0][len("h00000s") : -1]
        file = _PREFIX.sub("", line.file)
        said.setdefault((int(owner[1]), state), []).append(replace(line, file=file, text=_PREFIX.sub("", line.text)))
    return {key: tuple(sorted(reports)) for key, reports in said.items()}
