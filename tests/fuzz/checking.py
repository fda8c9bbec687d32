"""Runs mypy over many programs at once, in a process that may crash."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final, NoReturn

import mypy.api

from jaxtyped_static_mypy.plugin import JaxtypedStaticPlugin
from tests.fuzz.vocabulary import ODDITIES
from tests.rules.marks import Report, read_reports

Program = Mapping[str, str]  # path → text; absolute imports among these files refer to this program

_FLAGS: Final = (
    *("--no-color-output", "--no-error-summary", "--hide-error-context", "--no-pretty", "--show-traceback"),
    *("--soft-error-limit=-1", "--python-version=3.13"),
)
# A module that all programs can import. The settings name everything in it.
_ODDITIES: Final = Path(__file__).with_name("oddities.py").read_text(encoding="utf-8")
_NAMED: Final = [f"oddities.{name}" for name in ODDITIES]
CONFIG: Final = f"""\
[tool.mypy]
plugins = ["jaxtyped_static_mypy"]
explicit_package_bases = true
mypy_path = "../../libraries"
check_untyped_defs = true
[tool.jaxtyped_static]
strict = true
static_bases = {_NAMED}
static_types = ["oddities.Number"]
pytree_types = {_NAMED}
static_markers = {_NAMED}
jit_functions = {_NAMED}
"""
# The files needed to reproduce a failure.
SURROUNDINGS: Final = {"oddities.py": _ODDITIES, "pyproject.toml": CONFIG}
# The imports of most programs.
_LIBRARIES: Final = """\
import equinox, flax.linen, flax.nnx, flax.struct, jax.numpy, jax_dataclasses, jaxtyped_static
"""
# CPU seconds after which a run counts as endless.
_LIMIT, _LIMIT_PER_PROGRAM = 60, 3
_LIMIT_OF_LIBRARIES: Final = 1800
_TAG: Final = re.compile(r"__(\d+)(?=\b|_)")


@dataclass(frozen=True)
class Outcome:
    """The result of a run of mypy."""

    output: str
    cpu: float  # seconds
    status: int | None  # of mypy; None if it did not end by itself
    ended_by: str = ""  # the signal, in that case

    @property
    def crashed(self) -> bool:
        return self.status is None or "INTERNAL ERROR" in self.output or "Traceback (most recent" in self.output

    @property
    def stopped_early(self) -> bool:
        """Returns whether nothing was checked because some programs have blocking errors; only these are reported."""
        return self.status == 2 and not self.crashed

    def reports(self) -> list[tuple[int, Report]]:
        """Yields reports, each with the number of its program."""
        reports = (line for line in read_reports(self.output) if isinstance(line, Report))
        return [(int(tag[1]), report) for report in reports if (tag := _TAG.search(report.file))]


class Checker:
    """Runs mypy in forks of this process. The libraries come from a cache, which the first checker makes.

    Stubs in `folder / "libraries"` replace installed libraries.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._runs = count(1)
        shutil.rmtree(folder / "scratch", ignore_errors=True)
        (folder / "scratch").mkdir(parents=True)
        (folder / "pyproject.toml").write_text(CONFIG, encoding="utf-8")
        self._build([{"libraries.py": _LIBRARIES}], folder / "cache", _LIMIT_OF_LIBRARIES, plugin=True)
        # Keeps the cache of the libraries free of what is checked here.
        shutil.copytree(folder / "cache", folder / "scratch" / "cache")

    def check(self, programs: Sequence[Program], *, plugin: bool = True) -> Outcome:
        """Checks all programs in one build, and those with several files again after their entries changed.

        To check without the plugin, its hooks are disabled: one cache serves both.
        """
        cache, limit = self._folder / "scratch" / "cache", _LIMIT + _LIMIT_PER_PROGRAM * len(programs)
        outcome = self._build(programs, cache, limit, plugin=plugin)
        if outcome.crashed or outcome.stopped_early or all(len(program) == 1 for program in programs):
            return outcome
        again = self._build(programs, cache, limit, plugin=plugin, is_second=True)
        return replace(again, output=outcome.output + again.output, cpu=outcome.cpu + again.cpu)

    def _build(
        self, programs: Sequence[Program], cache: Path, limit: int, *, plugin: bool, is_second: bool = False
    ) -> Outcome:
        tree = self._folder / "scratch" / "tree"
        if not is_second:
            shutil.rmtree(tree, ignore_errors=True)
        run = next(self._runs)
        changed = time.time() + run  # mypy compares whole seconds
        tree.mkdir(exist_ok=True)
        (tree / "oddities.py").write_text(_ODDITIES, encoding="utf-8")
        for number, program in enumerate(programs):
            for path, text in tagged(program, number).items():
                if is_second and (len(program) == 1 or path != _tagged_path(entry(program), number)):
                    continue
                (tree / path).parent.mkdir(parents=True, exist_ok=True)
                # An earlier run's text would be taken from the cache.
                (tree / path).write_text(f"{text}\n# run {run}\n", encoding="utf-8")
                os.utime(tree / path, (changed, changed))
        flags = [*_FLAGS, "--config-file", str(self._folder / "pyproject.toml"), "--cache-dir", str(cache), "."]
        return _run_in_fork(flags, tree, limit, plugin=plugin)


@cache
def checker_in(folder: Path) -> Checker:
    return Checker(folder / "programs")


def tagged(program: Program, number: int) -> dict[str, str]:
    """Renames the modules of a program to unique names."""
    heads = {path.partition("/")[0].removesuffix(".py") for path in program}
    names = re.compile(rf"\b({'|'.join(map(re.escape, sorted(heads)))})\b") if len(program) > 1 else None
    texts = {path: names.sub(rf"\g<1>__{number}", text) if names else text for path, text in program.items()}
    return {_tagged_path(path, number): text for path, text in texts.items()}


def _tagged_path(path: str, number: int) -> str:
    return re.sub(r"^([^/.]+)", rf"\g<1>__{number}", path)


def entry(program: Program) -> str:
    """Returns the file that uses the others."""
    return "main.py" if "main.py" in program else list(program)[-1]


def _run_in_fork(arguments: list[str], folder: Path, limit: int, *, plugin: bool) -> Outcome:
    printed = folder.parent / "printed"
    child = os.fork()
    if child == 0:
        _run(arguments, folder, printed, limit, plugin=plugin)
    _, status, used = os.wait4(child, 0)
    output = printed.read_text(encoding="utf-8", errors="replace")
    cpu = used.ru_utime + used.ru_stime
    if os.WIFSIGNALED(status):
        return Outcome(output, cpu, None, signal.Signals(os.WTERMSIG(status)).name)
    return Outcome(output, cpu, os.WEXITSTATUS(status))


def _run(arguments: list[str], folder: Path, printed: Path, limit: int, *, plugin: bool) -> NoReturn:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    status = 2
    with (
        printed.open("w", encoding="utf-8", errors="backslashreplace") as file,
        redirect_stderr(file),
        redirect_stdout(file),
    ):
        try:
            os.chdir(folder)
            if not plugin:
                _switch_off()
            out, errors, status = mypy.api.run(arguments)
            print(out, errors, sep="")
        except BaseException:
            traceback.print_exc()
    os._exit(status)


def _switch_off() -> None:
    """Disables the plugin except for its version and settings, which the cache depends on."""
    for name in list(vars(JaxtypedStaticPlugin)):
        if name.startswith("get_"):
            delattr(JaxtypedStaticPlugin, name)
