"""What the last census of a project says. It is taken in the background, by a process: mypy needs seconds for it."""

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

Json = Any
_LOG: Final = logging.getLogger(__name__)
COMMAND: Final = (sys.executable, "-P", "-m", "jaxtyped_static_mypy", "census", "--format", "json")


class CensusTaker:
    """Takes the census of a project again when its files have been saved. `on_new`: called when there is a new one."""

    def __init__(self, root: Path, python: str, on_new: Callable[[], None]) -> None:
        self._root, self._on_new = root, on_new
        self._command = [*COMMAND, *(["--python", python] if python else []), str(root)]
        self._task: asyncio.Task[None] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self.is_outdated = True
        self.last: Json = None

    def take_when_outdated(self) -> None:
        if self.is_outdated and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self._take())

    def close(self) -> None:
        self.is_outdated = False
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    def functions(self, path: Path) -> Iterator[Json]:
        """The compiled functions that a file defines."""
        yield from (one for one in self._functions if self.path(one) == path)

    def calls(self, path: Path) -> Iterator[tuple[Json, Json]]:
        """The calls in a file, each with the function that it calls."""
        for function in self._functions:
            yield from ((function, call) for call in function["calls"] if self.path(call) == path)

    def path(self, placed: Json) -> Path:
        return Path(os.path.normpath(self._root / placed["path"]))

    @property
    def _functions(self) -> list[Json]:
        return self.last["functions"] if self.last is not None else []

    async def _take(self) -> None:
        while self.is_outdated:
            self.is_outdated = False
            self._process = await asyncio.create_subprocess_exec(
                *self._command, cwd=self._root, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
            )
            output, errors = await self._process.communicate()
            try:
                self.last = json.loads(output)
            except ValueError:  # it says why when it is run by hand
                _LOG.info("%s: no census: %s", self._root, errors.decode(errors="replace").strip())
                return
            self._on_new()
