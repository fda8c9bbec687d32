"""The process that checks a project, as the server sees it: it is started again when it fails."""

import asyncio
import contextlib
import itertools
import json
import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

Json = Any
_LOG: Final = logging.getLogger(__name__)
# It runs in the folder of a project, whose modules must not be taken for Python's: hence -P.
_COMMAND: Final = (sys.executable, "-P", "-m")
_WORKER: Final = "jaxtyped_static_server.worker"
_LONGEST_LINE: Final = 2**26  # bytes
_FAILURES: Final = 4  # in a row, after which the process is started again only when the user does something
_PAUSE: Final = 0.5  # seconds before it is started again, doubled each time
_ASKED: Final = 10.0  # seconds in which a question is answered


class Worker:
    """`opened`: the texts that a new process must know. `on_message`: gets what the process says by itself."""

    def __init__(
        self,
        root: Path,
        arguments: tuple[str, ...],
        opened: Callable[[], Mapping[str, str]],
        on_message: Callable[[Json], None],
    ) -> None:
        self._root, self._arguments = root, arguments
        self._opened, self._on_message = opened, on_message
        self._process: asyncio.subprocess.Process | None = None
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._failures = 0
        self._task: asyncio.Task[None] | None = None
        self._is_closed = False
        self.serial = 0

    def start(self) -> None:
        """Starts the process, unless it runs."""
        if self._task is None or self._task.done():
            self._failures = 0
            self._task = asyncio.ensure_future(self._keep_running())

    def send_texts(self, texts: Mapping[str, str | None]) -> int:
        """Tells the process the texts of files, None for one that is closed; returns the number of this state."""
        self.serial += 1
        self._write({"texts": texts, "serial": self.serial})
        self.start()
        return self.serial

    async def ask(self, question: Json) -> Json:
        """Returns the reply; None if there is none in time."""
        number = next(self._numbers)
        reply: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[number] = reply
        self._write({**question, "id": number})
        try:
            return await asyncio.wait_for(reply, _ASKED)
        except (TimeoutError, asyncio.CancelledError):
            return None
        finally:
            self._waiting.pop(number, None)

    def close(self) -> None:
        self._is_closed = True
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    def _write(self, message: Json) -> None:
        process = self._process
        if process is not None and process.stdin is not None and not process.stdin.is_closing():
            process.stdin.write((json.dumps(message) + "\n").encode())

    async def _keep_running(self) -> None:
        while not self._is_closed:
            await self._run()
            if self._is_closed:
                return
            self._failures += 1
            code = self._process.returncode if self._process is not None else None
            _LOG.warning("%s: the process that checks it ended (%s)", self._root, code)
            for reply in self._waiting.values():
                if not reply.done():
                    reply.set_result(None)
            if self._failures >= _FAILURES:
                self._on_message({"problem": f"the check of {self._root} keeps failing; the log says why"})
                return
            await asyncio.sleep(_PAUSE * 2**self._failures)

    async def _run(self) -> None:
        process = await asyncio.create_subprocess_exec(
            *_COMMAND,
            _WORKER,
            str(self._root),
            *self._arguments,
            cwd=self._root,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=_LONGEST_LINE,
        )
        self._process = process
        _LOG.info("%s: checked by process %d", self._root, process.pid)
        self._write({"texts": self._opened(), "serial": self.serial})
        await asyncio.gather(self._read(process), self._log(process))
        await process.wait()

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for line in process.stdout:
            message = json.loads(line)
            if "id" in message:
                if (reply := self._waiting.get(message["id"])) is not None and not reply.done():
                    reply.set_result(message["answer"])
            elif "fault" in message:
                _LOG.error("%s: %s", self._root, message["fault"])
            else:
                self._failures = 0
                self._on_message(message)

    async def _log(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            _LOG.info("%s: %s", self._root, line.decode(errors="replace").rstrip())


async def answered(module: str, root: Path, arguments: Sequence[str], question: Json) -> Json:
    """The answer of a process that ends when it has given it."""
    process = await asyncio.create_subprocess_exec(
        *_COMMAND,
        module,
        str(root),
        *arguments,
        cwd=root,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate(json.dumps(question).encode())
    try:
        return json.loads(output)
    except ValueError:
        _LOG.error("%s: %s", root, errors.decode(errors="replace").strip())
        return {"why": "the check of it failed; the log says why"}
