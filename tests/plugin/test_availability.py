"""The plugin is never silently off: where mypy cannot see jax, it says so once, with the setting that mends it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.plugin.running import run_mypy

pytestmark = pytest.mark.xdist_group("light")

PROGRAM = "import jax\n\n@jax.jit\ndef step(x):\n    return x\n"
SKIP = "[mypy-jax.*]\nfollow_imports = skip\n"


@pytest.fixture
def without_jax(tmp_path: Path) -> str:
    """An interpreter in whose environment nothing is installed."""
    environment = tmp_path / "empty"
    environment.mkdir()
    (environment / "pyvenv.cfg").write_text(f"home = {Path(sys.base_prefix) / 'bin'}\n")
    (environment / "bin").mkdir()
    (environment / "bin" / "python").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    return str(environment / "bin" / "python")


Printed = pytest.CaptureFixture[str]


def test_jax_that_mypy_cannot_find_is_named_once(tmp_path: Path, without_jax: str, capsys: Printed) -> None:
    (tmp_path / "other.py").write_text(PROGRAM)
    missing = "ignore_missing_imports = True\n"
    run_mypy(tmp_path, "import other\n" + PROGRAM, missing, "--python-executable", without_jax, mypy_path=tmp_path)
    err = capsys.readouterr().err
    assert err.count("mypy cannot find jax") == 1
    assert "python_executable" in err


def test_follow_imports_skip_is_named_with_the_setting_that_mends_it(tmp_path: Path, capsys: Printed) -> None:
    run_mypy(tmp_path, PROGRAM, SKIP)
    assert 'set follow_imports = "normal" for the modules "jax.*"' in capsys.readouterr().err


def test_markers_that_mypy_cannot_find_are_named(tmp_path: Path, capsys: Printed) -> None:
    run_mypy(tmp_path, PROGRAM, "[mypy-jaxtyped_static.*]\nfollow_imports = skip\n")
    err = capsys.readouterr().err
    assert "mypy cannot find jaxtyped_static" in err and "are not checked" in err


@pytest.mark.parametrize("settings", ["", SKIP])
def test_a_program_without_jax_hears_nothing(tmp_path: Path, settings: str, capsys: Printed) -> None:
    assert run_mypy(tmp_path, "print(1)\n", settings) == ("Success: no issues found in 1 source file\n", 0)
    assert capsys.readouterr().err == ""


def test_where_jax_is_seen_nothing_is_said(tmp_path: Path, capsys: Printed) -> None:
    run_mypy(tmp_path, PROGRAM)
    assert capsys.readouterr().err == ""
