"""The process that checks one project, so that mypy never keeps an editor waiting, and can fail without the server.

It reads requests from its input and writes replies to its output, a line of JSON each; `python -P -m
jaxtyped_static_server.worker`. It ends when its input does.

    {"texts": {path: text, or null for a file that is closed}, "serial": number}
    {"ask": "actions", "id": number, "path": path, "range": range}
"""

import argparse
import json
import os
import sys
import time
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any, Final, TextIO

from .asking import asked
from .places import DEFAULT_UNIT, UNITS, Places
from .session import Answer, Session
from .telling import told

Json = Any
_INTERVAL: Final = 1.0  # seconds between two looks at the files on the disk
_SHARE: Final = 0.05  # the part of a CPU's time that looking may take, where there are many files
_END: Final = None


@dataclass
class _Worker:
    """What the worker knows, and where it writes."""

    output: TextIO
    places: Places
    serial: int = 0  # of the texts
    told: int = -1  # the serial of the last answer
    opened: dict[Path, bytes] = field(default_factory=dict)
    answer: Answer | None = None

    def tell(self, answer: Answer) -> None:
        """Also tells that a newer text has the same answer: the server does not show that of an older one."""
        is_known = answer is self.answer and self.serial == self.told
        self.answer, self.told = answer, self.serial
        if not is_known:
            self.write(told(answer, self.places) | {"serial": self.serial, "seconds": time.process_time()})

    def write(self, message: Json) -> None:
        self.output.write(json.dumps(message) + "\n")
        self.output.flush()


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="jaxtyped_static_server.worker")
    parser.add_argument("root", type=Path)
    parser.add_argument("--python")
    parser.add_argument("--unit", choices=UNITS, default=DEFAULT_UNIT)
    given = parser.parse_args(arguments)
    worker = _Worker(_only_for_messages(), Places(given.root, given.unit))
    session = Session(given.root, given.python, worker.tell)
    queue: Queue[str | None] = Queue()
    Thread(target=_read, args=(sys.stdin, queue), daemon=True).start()
    _serve(worker, session, queue)


def _only_for_messages() -> TextIO:
    """The output, which nothing else writes to from now on."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return output


def _read(stream: TextIO, queue: "Queue[str | None]") -> None:
    for line in stream:
        queue.put(line)
    queue.put(_END)


def _serve(worker: _Worker, session: Session, queue: "Queue[str | None]") -> None:
    pause = _INTERVAL
    while True:
        questions, lines = [], list(_waiting(queue, pause))
        if _END in lines:
            return
        for message in map(json.loads, filter(None, lines)):
            if "ask" in message:
                questions.append(message)
            else:
                _take(worker, message)
        start = time.process_time()
        try:
            session.look(worker.opened, is_asked=bool(lines))
        except Exception:
            worker.write({"fault": traceback.format_exc()})
            raise
        if not lines:
            pause = max(_INTERVAL, (time.process_time() - start) / _SHARE)
        for question in questions:
            worker.write({"id": question["id"], "answer": asked(question, worker.answer, worker.places)})
        while queue.empty() and session.warm(worker.opened):
            pass


def _take(worker: _Worker, message: Mapping[str, Json]) -> None:
    worker.serial = message["serial"]
    for path, text in message["texts"].items():
        if text is None:
            worker.opened.pop(Path(path), None)
        else:
            worker.opened[Path(path)] = text.encode(errors="surrogatepass")


def _waiting(queue: "Queue[str | None]", seconds: float) -> Iterator[str | None]:
    """What has come, at least one message, unless nothing comes for a while: files may have changed then."""
    try:
        yield queue.get(timeout=seconds)
        while True:
            yield queue.get_nowait()
    except Empty:
        return


if __name__ == "__main__":
    main(sys.argv[1:])
