"""`make fuzz`: runs cases until time is up, and writes down the failures."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

from tests.fuzz import calls, grid, texts
from tests.fuzz.histories import kind as histories
from tests.fuzz.kinds import Failure, Kind

KINDS: Final[Mapping[str, Kind[Any]]] = {
    "texts": Kind(
        "cases and files of libraries, with changes", texts.cases, texts.run, texts.smallest, together=40, in_tests=2
    ),
    "calls": Kind(
        "what the checker knows by name, with odd arguments", calls.cases, calls.run, calls.smallest, together=12
    ),
    "grid": Kind("every special form in every place", grid.cases, grid.run, grid.smallest, together=8),
    "histories": Kind(
        "edits, in every mode of mypy",
        histories.cases,
        histories.run,
        histories.smallest,
        histories.TOGETHER,
        in_tests=3,
    ),
}

# Outside of the checkout: if that is an editable install, mypy takes everything in it for installed packages, and its
# daemon reports nothing about an installed module that it meets through a new import.
_FOLDER: Final = Path(tempfile.gettempdir()) / "jaxtyped-static-fuzz"


@dataclass
class Session:
    """The cases that ran, and the failures."""

    folder: Path  # for caches
    out: Path
    counts: dict[str, int] = field(default_factory=dict)
    causes: dict[str, int] = field(default_factory=dict)

    def run(self, name: str, cases: Sequence[Any]) -> None:
        kind = KINDS[name]
        self.counts[name] = self.counts.get(name, 0) + len(cases)
        for failure in kind.run(cases, self.folder):
            is_new = failure.cause not in self.causes
            self.causes[failure.cause] = self.causes.get(failure.cause, 0) + 1
            if is_new:
                say(f"{failure.case}: {failure.cause}")
                written = write(kind.smallest(failure, self.folder), self.out)
                say(f"  written to {written}")

    def progress(self) -> str:
        done = ", ".join(f"{count} {name}" for name, count in self.counts.items())
        return f"{done}: {sum(self.causes.values())} failures, {len(self.causes)} causes"


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def write(failure: Failure, out: Path) -> Path:
    folder = out / failure.case
    for path, text in failure.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    (folder / "failure.txt").write_text(f"{failure.cause}\n\n{failure.details}\n", encoding="utf-8")
    return folder


def batches(name: str, seed: int) -> Iterator[list[Any]]:
    cases = KINDS[name].cases(seed)
    while batch := list(islice(cases, KINDS[name].together)):
        yield batch


def named(case: str) -> tuple[str, list[Any]]:
    """Returns the kind of a case, and the case alone."""
    match = re.fullmatch(r"(\w+)-(\d+)-(\d+)", case)
    if match is None or match[1] not in KINDS:
        raise argparse.ArgumentTypeError(f"{case!r} is not a case; an example is grid-0-17")
    return match[1], list(islice(KINDS[match[1]].cases(int(match[2])), int(match[3]), int(match[3]) + 1))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.epilog = "kinds:\n" + "\n".join(f"  {name}: {kind.about}" for name, kind in KINDS.items())
    parser.add_argument("kinds", nargs="*", help="the kinds to run, in turn (default: all)", metavar="kind")
    parser.add_argument("--seconds", type=float, default=60, help="when to stop (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="the same seed makes the same cases (%(default)s)")
    parser.add_argument("--case", type=named, help="run only this one, such as grid-0-17")
    parser.add_argument(
        "--out", type=Path, default=Path(".cache/fuzz/failures"), help="where failures go (%(default)s)"
    )
    parser.add_argument(
        "--folder", type=Path, default=_FOLDER, help="where caches are kept, for one run at a time (%(default)s)"
    )
    arguments = parser.parse_args()
    if unknown := set(arguments.kinds) - KINDS.keys():
        parser.error(f"no kind is called {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}")
    return arguments


def main() -> int:
    arguments = _arguments()
    session = Session(arguments.folder.resolve(), arguments.out.resolve())
    if arguments.case is not None:
        session.run(*arguments.case)
    else:
        until = time.monotonic() + arguments.seconds
        running = {name: batches(name, arguments.seed) for name in arguments.kinds or KINDS}
        for name in cycle(running):
            if time.monotonic() >= until:
                break
            session.run(name, next(running[name]))
            say(session.progress())
    for cause, count in session.causes.items():
        print(f"{count:6} {cause}")
    print(session.progress())
    return 1 if session.causes else 0


if __name__ == "__main__":
    sys.exit(main())
