"""Serves one source tree with mypy's daemon: a request on stdin, the answers as JSON on stdout.

It is a separate process, because the daemon keeps its state in module globals that a plain build resets.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from unittest import mock

from mypy.dmypy_server import Server, process_start_options

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.rules.tree import Files, write


def answers(tree: Path, flags: list[str], visits: Sequence[Files]) -> list[str]:
    """Returns the daemon's reports after each visit; after a crash, the traceback instead, and no further visit."""
    server = Server(process_start_options(flags, allow_sources=False), str(tree.parent / "daemon-status.json"))
    said: list[str] = []
    for files in visits:
        write(tree, files)
        response, text = ask(server.cmd_check, files=["."])
        said.append(text)
        if not response:
            break
    return said


def ask(command: Callable[..., Mapping[str, object]], **arguments: object) -> tuple[Mapping[str, object], str]:
    """Returns the response to a command, and all output; after a crash, no response and the traceback."""
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            response = command(**arguments, export_types=False, is_tty=False, terminal_width=200)
    except (Exception, SystemExit):
        return {}, printed.getvalue() + traceback.format_exc()
    said = (str(response.get(key, "")) for key in ("out", "err", "error"))
    return response, f"{printed.getvalue()}{''.join(said)}"


if __name__ == "__main__":
    request = json.load(sys.stdin)
    gc.disable()  # a tenth of the time, for a process that ends before it needs the memory
    mock.patch.object(gc, "enable").start()  # which mypy calls
    os.chdir(request["tree"])
    print(json.dumps(answers(Path(request["tree"]), request["flags"], request["visits"])), flush=True)
    os._exit(0)  # as mypy itself ends: Python would first free the trees of jax, for seconds
