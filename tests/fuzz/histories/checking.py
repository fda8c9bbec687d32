"""Checks many histories side by side in every mode of mypy, and returns each mode's reports about each state."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Final

from mypy.version import __version__ as mypy_version

from jaxtyped_static_mypy.config.daemon import version as plugin_version
from tests.fuzz.histories.daemon import Daemon
from tests.fuzz.histories.model import History
from tests.fuzz.histories.visits import (
    LIBRARIES,
    Batch,
    Stopped,
    Visit,
    Walk,
    all_states,
    one_by_one,
    refuse_stop,
    walks_of,
    walks_of_all_states,
)
from tests.processes import Unfinished
from tests.rules import engines
from tests.rules.engines import Workspace

COLD: Final = "cold"
# Stubs with only what programs use and the checker looks for, because each run has to load all of them.
STUBS: Final = Path(__file__).with_name("stubs")
_PATIENCE: Final = 300.0


class Bench:
    """Runs mypy. The libraries are analysed once for all modes, and once more for the daemon that may use no cache."""

    def __init__(self, folder: Path, plugin: str) -> None:
        self._folder = folder
        self._plugin = plugin
        self._numbers = count()
        self._cold: dict[int, Walk] = {}
        self._daemon: tuple[Workspace, Daemon] | None = None
        self._has_libraries = False

    def numbered(self, histories: Sequence[History]) -> Batch:
        return [(next(self._numbers), history) for history in histories]

    def check(self, mode: str, batch: Batch) -> list[Walk]:
        """Returns a mode's reports about each state of each history. Raises `Stopped`."""
        try:
            return MODES[mode](self, batch)
        except Unfinished as why:
            raise Stopped(str(why)) from why

    def close(self) -> None:
        if self._daemon is not None:
            self._daemon[1].close()
            self._daemon = None

    def cold(self, batch: Batch) -> list[Walk]:
        """Runs cold; the result is stored, because every other mode is compared with it."""
        new = [(number, history) for number, history in batch if number not in self._cold]
        outputs = []
        for settings, tree in all_states(new).items():
            space = self._workspace(COLD)
            self._configure(space, settings)
            outputs += engines.build(space, [tree])
        self._cold |= dict(zip([number for number, _ in new], walks_of_all_states(outputs, new), strict=True))
        return [self._cold[number] for number, _ in batch]

    def incremental(self, batch: Batch) -> list[Walk]:
        return self._build_each(engines.build, self._workspace("incremental"), batch)

    def parallel(self, batch: Batch) -> list[Walk]:
        return self._build_each(engines.build_in_parallel, self._workspace("parallel"), batch)

    def daemon_from_cache(self, batch: Batch) -> list[Walk]:
        """Starts a daemon from a cache. It would not replay cached errors, so a history with errors starts empty."""
        first, *rest = one_by_one(batch)
        starts = Visit([None if walk[0] else 0 for walk in self.cold(batch)], first.settings)
        visits = [starts, first, *rest] if None in starts.states else [first, *rest]
        space = self._workspace("daemon-from-cache")
        self._configure(space, first.settings)
        (output,) = engines.build(space, [visits[0].tree(batch)])
        daemon = Daemon(space, "--use-fine-grained-cache")
        try:
            return walks_of([output, *self._run_each(daemon, space, visits[1:], batch)], visits, batch)
        finally:
            daemon.close()

    def daemon(self, batch: Batch) -> list[Walk]:
        """Uses one daemon for all batches.

        With several new modules at once it would lose errors, so each module first exists as an empty file.
        """
        visits = one_by_one(batch)
        visits = [Visit([None] * len(batch), visits[0].settings), *visits]
        if self._daemon is None:
            space = self._workspace("daemon", with_cache=False)
            self._daemon = space, Daemon(space)
            self._daemon[1].run(LIBRARIES)
        space, daemon = self._daemon
        try:
            return walks_of(self._run_each(daemon, space, visits, batch), visits, batch)
        except Stopped:
            self.close()
            raise

    def _build_each(
        self, engine: Callable[[Workspace, Sequence[Mapping[str, str]]], list[str]], space: Workspace, batch: Batch
    ) -> list[Walk]:
        visits, outputs = one_by_one(batch), []
        for visit in visits:
            self._configure(space, visit.settings)
            outputs += engine(space, [visit.tree(batch)])
        return walks_of(outputs, visits, batch)

    def _run_each(self, daemon: Daemon, space: Workspace, visits: Sequence[Visit], batch: Batch) -> list[str]:
        outputs = []
        for visit in visits:
            self._configure(space, visit.settings)
            outputs.append(daemon.run(visit.tree(batch)))
        return outputs

    def _check_libraries(self) -> None:
        """Analyses the libraries if their cache is not valid; the folder may have been used before."""
        if self._has_libraries:
            return
        self._has_libraries = True
        stamp, wanted = self._folder / "libraries" / "made-for", _digest_of_libraries()
        if stamp.exists() and stamp.read_text() == wanted:
            return
        (output,) = engines.build(self._workspace("libraries", with_cache=False), [LIBRARIES])
        refuse_stop(output)
        stamp.write_text(wanted)

    def _workspace(self, mode: str, *, with_cache: bool = True) -> Workspace:
        if with_cache:
            self._check_libraries()
        folder = self._folder / mode
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if with_cache:
            shutil.copytree(self._folder / "libraries" / "cache", folder / "cache")
        space = Workspace(folder / "tree", folder / "pyproject.toml", folder / "cache", _PATIENCE)
        self._configure(space, "")
        return space

    def _configure(self, space: Workspace, settings: str) -> None:
        space.config.write_text(
            f"[tool.mypy]\nplugins = ['{self._plugin}']\nmypy_path = '{STUBS}'\n"
            f"check_untyped_defs = true\nexplicit_package_bases = true\n[tool.jaxtyped_static]\n{settings}"
        )


def _digest_of_libraries() -> str:
    files = sorted(STUBS.rglob("*.pyi"))
    texts = [mypy_version, plugin_version(), *LIBRARIES.values(), *(f"{path}\n{path.read_text()}" for path in files)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


MODES: Final[Mapping[str, Callable[[Bench, Batch], list[Walk]]]] = {
    COLD: Bench.cold,
    "incremental": Bench.incremental,
    "parallel": Bench.parallel,
    "daemon": Bench.daemon,
    "daemon-from-cache": Bench.daemon_from_cache,
}
