"""Runs pytest in a separate process, with the plugin registered as by an installed distribution."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Final

from tests import processes
from tests.processes import ROOT

# If these are set, pytest does not truncate, and repeats messages in its summary.
_LONGER_REPORTS: Final = ("CI", "BUILD_NUMBER")


def run_pytest(folder: Path, source: str, *options: str, ini: str = "") -> subprocess.CompletedProcess[str]:
    """Runs the tests in `source`. The installed metadata of the checkout may predate the plugin."""
    project = folder / "project"
    project.mkdir(exist_ok=True)
    (project / "test_it.py").write_text(textwrap.dedent(source))
    (project / "pytest.ini").write_text(f"[pytest]\n{ini}\n")
    distribution = folder / "site" / "registered-1.dist-info"
    distribution.mkdir(parents=True, exist_ok=True)
    (distribution / "METADATA").write_text("Metadata-Version: 2.1\nName: registered\nVersion: 1\n")
    (distribution / "entry_points.txt").write_text("[pytest11]\njaxtyped_static = jaxtyped_static_pytest\n")
    inherited = {name: value for name, value in os.environ.items() if name not in _LONGER_REPORTS}
    path = os.pathsep.join(map(str, (ROOT, ROOT / "pytest_plugin", distribution.parent)))
    return processes.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options],
        cwd=project,
        env={**inherited, "PYTHONPATH": path, "JAX_PLATFORMS": "cpu"},
    )


def outcomes(done: subprocess.CompletedProcess[str]) -> str:
    """Returns the last line of the report, without the time: `1 failed, 2 passed`."""
    return done.stdout.splitlines()[-1].strip("= ").partition(" in ")[0]
