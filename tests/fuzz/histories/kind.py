"""Edit histories as a kind of case of the fuzzer."""

from __future__ import annotations

import atexit
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

from tests.fuzz.histories.checking import Bench
from tests.fuzz.histories.disagreements import disagreements
from tests.fuzz.histories.edits import random_history, random_settings
from tests.fuzz.histories.model import History
from tests.fuzz.histories.rendering import files_of
from tests.fuzz.histories.shrinking import shrunk
from tests.fuzz.kinds import Failure

PLUGIN: Final = "jaxtyped_static_mypy"
PLAIN: Final = str(Path(__file__).with_name("hookless_plugin.py"))
_EDITS: Final = 5
TOGETHER: Final = 25  # histories that are checked side by side; they share settings


@dataclass(frozen=True)
class Case:
    name: str
    history: History


def cases(seed: int) -> Iterator[Case]:
    for number in count():
        yield Case(f"histories-{seed}-{number}", _history(seed, number))


def _history(seed: int, number: int) -> History:
    settings = random_settings(Random(f"settings-{seed}-{number // TOGETHER}"), _EDITS)
    return random_history(Random(f"histories-{seed}-{number}"), settings)


def run(cases: Sequence[Case], folder: Path) -> Iterator[Failure]:
    names = {id(case.history): case.name for case in cases}
    for found in disagreements([case.history for case in cases], *_benches(folder)):
        yield Failure(names[id(found.history)], found.cause, found.details, _files(found.history))


def smallest(failure: Failure, folder: Path) -> Failure:
    mode = failure.cause.partition(":")[0]
    _, seed, number = failure.case.split("-")

    def fails(histories: Sequence[History]) -> list[bool]:
        all_found = disagreements(histories, *_benches(folder), [mode])
        found = {id(one.history) for one in all_found if one.cause == failure.cause}
        return [id(history) in found for history in histories]

    history = shrunk(_history(int(seed), int(number)), fails)
    found = next(disagreements([history], *_benches(folder), [mode]), None)
    return Failure(failure.case, failure.cause, found.details if found else failure.details, _files(history))


@cache
def _benches(folder: Path) -> tuple[Bench, Bench]:
    """Returns benches with the plugin, and without."""
    benches = Bench(folder / "histories" / "plugin", PLUGIN), Bench(folder / "histories" / "plain", PLAIN)
    for bench in benches:
        atexit.register(bench.close)
    return benches


def _files(history: History) -> dict[str, str]:
    """Returns files with a folder for each state."""
    files: dict[str, str] = {}
    for state, program in enumerate(history):
        files |= {f"{state}/{path}": text for path, text in files_of(program).items()}
        files[f"{state}/pyproject.toml"] = f"[tool.jaxtyped_static]\n{program.settings}"
    return files
