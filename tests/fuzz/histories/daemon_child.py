"""Runs mypy's daemon in this process: reads source trees as JSON lines from stdin, and prints its answers.

The answer is `null` if the daemon wants to restart.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path
from typing import Final

from mypy.dmypy_server import Server, process_start_options
from mypy.version import __version__

sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.rules.daemon_child import ask
from tests.rules.tree import write

_SECONDS: Final = 300


def main(tree: Path, flags: list[str]) -> None:
    os.chdir(tree)
    server = Server(process_start_options(flags, allow_sources=False), str(tree.parent / "daemon-status.json"))
    for line in sys.stdin:
        write(tree, json.loads(line))
        _limit_cpu_time()
        print(json.dumps(_run(server, flags)), flush=True)


def _run(server: Server, flags: list[str]) -> str | None:
    response, text = ask(server.cmd_run, version=__version__, args=[*flags, "."])
    return None if "restart" in response else text


def _limit_cpu_time() -> None:
    """Limits the next run: if two answers of a plugin alternate, the daemon checks forever."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + _SECONDS, resource.RLIM_INFINITY))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
