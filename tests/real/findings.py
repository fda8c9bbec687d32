"""Runs mypy with the plugin over a real program and returns the plugin's findings."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests import processes
from tests.real.invocation import cache_folder, invocation
from tests.real.library_cache import library_cache
from tests.real.packages import Package
from tests.real.workspace import Program, programs

# Every code of the plugin starts with one of these; mypy's own errors in the programs do not matter.
_PREFIXES = ("static-", "jit-", "pytree-")
# The start of the note that the plugin prints in place of one of its own exceptions.
_OWN_FAULT = "jaxtyped_static could not check"


class CheckerFault(AssertionError):
    """mypy or the plugin broke down."""


@dataclass(frozen=True, order=True)
class Finding:
    """One error of the plugin; `path` is relative to the program's folder."""

    path: str
    line: int
    code: str
    column: int  # distinguishes findings at one place
    message: str

    @property
    def place(self) -> str:
        """The place that a review is valid for."""
        return f"{self.path}:{self.line} [{self.code}]"

    def __str__(self) -> str:
        return f"{self.place} {self.message}"


def find(package: Package, workers: int = 0, *, cold: bool = False) -> list[Finding]:
    """Returns the plugin's findings in the package, with this many workers; `cold`: without the libraries' cache.

    Raises CheckerFault if mypy stops, the plugin raises, or anything but a list of errors is printed.
    """
    flags = ("--output", "json", *(("--num-workers", str(workers)) if workers else ()))
    found = (_find_in(program, flags, cold=cold) for program in programs(package))
    return sorted({finding for part in found for finding in part})


def _find_in(program: Program, flags: Sequence[str], *, cold: bool) -> list[Finding]:
    with tempfile.TemporaryDirectory(prefix="real-") as scratch:
        if not cold:
            shutil.copytree(library_cache(), cache_folder(Path(scratch)))
        run = invocation(program, Path(scratch), *flags)
        done = processes.run(run.command, cwd=run.folder, env=run.environment)
    if done.returncode not in (0, 1) or done.stderr:
        where = " ".join(program.targets)
        raise CheckerFault(f"mypy {where} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr}")
    return [replace(finding, path=program.prefix + finding.path) for finding in _parse(done.stdout)]


def _parse(output: str) -> Iterator[Finding]:
    for line in output.splitlines():
        try:
            report = json.loads(line)
        except json.JSONDecodeError as error:
            raise CheckerFault(f"mypy printed something that is no report: {line}") from error
        if _OWN_FAULT in report["message"]:
            raise CheckerFault(f"{report['file']}:{report['line']}: {report['message']}")
        if report["severity"] == "error" and (report["code"] or "").startswith(_PREFIXES):
            yield Finding(report["file"], report["line"], report["code"], report["column"], report["message"])
