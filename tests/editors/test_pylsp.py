"""An editor with `pylsp` shows the errors at the argument, and no longer when they are mended."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.editors.language_server import Editor, Place, editor
from tests.plugin.running import LIGHT

pytestmark = pytest.mark.thorough

BIN = Path(sys.executable).parent
SETTINGS = f"""
[tool.mypy]
plugins = ["jaxtyped_static_mypy"]
mypy_path = ["{LIGHT}"]

[tool.pylsp-mypy]
live_mode = false
"""
PROGRAM = """\
from dataclasses import dataclass

from jaxtyped_static import Static, jit


@dataclass(eq=False)
class Solver:
    dt: float


@jit
def step(y: float, solver: Static[Solver]) -> float:
    return y
"""


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Editor]:
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    (tmp_path / "main.py").write_text(PROGRAM)
    with editor([BIN / "pylsp"], tmp_path, {"pylsp": {}}) as started:
        started.open("main.py")
        yield started


def test_an_error_is_underlined_at_the_argument_and_goes_with_the_fault(opened: Editor) -> None:
    reports = opened.diagnostics("main.py")
    first = next(reports)
    errors = {report["code"]: report["range"] for report in first if report["source"] == "mypy" and report.get("code")}
    assert set(errors) == {"static-mutable", "static-hash"}
    assert errors["static-hash"]["start"] == Place.of(PROGRAM, "float, |solver").json

    opened.save("main.py", PROGRAM.replace("eq=False", "frozen=True"), 2)
    assert not [report for report in next(reports) if report["source"] == "mypy"]
