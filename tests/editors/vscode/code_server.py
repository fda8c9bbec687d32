"""A VS Code in a browser: code-server, with the extension of this checkout installed.

npm install node@24 && npm install code-server      (see docs/editors.md, "The tests in a real VS Code")
CODE_SERVER="node .../node_modules/code-server/out/node/entry.js" make pytest ARGS=tests/editors/vscode
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tests.editors.language_server import free_port

Json = Any
EXTENSION: Final = Path(__file__).parents[3] / "editors" / "vscode"
_START: Final = 60.0  # seconds


def command() -> list[str] | None:
    """How code-server is started here; None if it is not installed."""
    if given := os.environ.get("CODE_SERVER"):
        return shlex.split(given)
    found = shutil.which("code-server")
    return [found] if found is not None else None


@contextmanager
def running(
    starting: list[str], folder: Path, workspace: Path, settings: Mapping[str, Json], vsix: Path
) -> Iterator[str]:
    """Starts code-server with an extension; yields its address. `folder`: for what it writes."""
    user, extensions = folder / "user-data", folder / "extensions"
    for scope in ("User", "Machine"):  # paths are settings of the machine that has them
        (user / scope).mkdir(parents=True)
        (user / scope / "settings.json").write_text(json.dumps(settings))
    options = ["--user-data-dir", str(user), "--extensions-dir", str(extensions)]
    subprocess.run([*starting, *options, "--install-extension", str(vsix)], check=True, stdout=subprocess.DEVNULL)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    served = [*starting, *options, "--auth", "none", "--disable-telemetry", "--disable-update-check"]
    with (folder / "code-server.log").open("wb") as log:
        process = subprocess.Popen([*served, "--bind-addr", f"127.0.0.1:{port}"], stdout=log, stderr=log)
    try:
        _wait_for(address)
        yield f"{address}/?folder={workspace}"
    finally:
        process.terminate()
        process.wait()


def _wait_for(address: str) -> None:
    end = time.monotonic() + _START
    while True:
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
