"""mypy's daemon in its own process, because it keeps its state in module globals."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.fuzz.histories.visits import Stopped, refuse_stop
from tests.rules.engines import Workspace
from tests.rules.tree import Files

_CHILD: Final = Path(__file__).with_name("daemon_child.py")


class Daemon:
    """Acts like `dmypy run`, which restarts the daemon if the settings have changed."""

    def __init__(self, space: Workspace, *flags: str) -> None:
        space.tree.mkdir(parents=True, exist_ok=True)
        self._command = [sys.executable, str(_CHILD), str(space.tree), *space.flags(), *flags]
        self._process = self._started()

    def run(self, files: Files) -> str:
        """Returns the daemon's output for a tree with these files. Raises `Stopped`."""
        output = self._ask(files)
        if output is None:
            self.close()
            self._process = self._started()
            output = self._ask(files)
        if output is None:
            raise Stopped("the daemon wants to restart again and again")
        refuse_stop(output)
        return output

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _started(self) -> subprocess.Popen[str]:
        return subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _ask(self, files: Files) -> str | None:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps(dict(files)), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            raise Stopped(f"the daemon ended with status {self._process.wait()}")
        said: str | None = json.loads(answer)
        return said
