"""The plugin is never silently off: if mypy cannot see jax, it says so once, with the setting that fixes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plugin.running import run_mypy

pytestmark = pytest.mark.xdist_group("light")

PROGRAM = "import jax\n\n@jax.jit\ndef step(x):\n    return x\n"
SKIP = "[mypy-jax.*]\nfollow_imports = skip\n"


def test_jax_that_mypy_cannot_find_is_named_once(tmp_path: Path, without_jax: str) -> None:
    (tmp_path / "other.py").write_text(PROGRAM)
    missing = "ignore_missing_imports = True\n"
    options = (missing, "--python-executable", without_jax)
    errors = run_mypy(tmp_path, "import other\n" + PROGRAM, *options, mypy_path=tmp_path).errors
    assert errors.count("mypy cannot find jax") == 1
    assert "python_executable" in errors


def test_follow_imports_skip_is_named_with_the_setting_that_fixes_it(tmp_path: Path) -> None:
    assert 'set follow_imports = "normal" for the modules "jax.*"' in run_mypy(tmp_path, PROGRAM, SKIP).errors


def test_markers_that_mypy_cannot_find_are_named(tmp_path: Path) -> None:
    errors = run_mypy(tmp_path, PROGRAM, "[mypy-jaxtyped_static.*]\nfollow_imports = skip\n").errors
    assert "mypy cannot find jaxtyped_static" in errors and "are not checked" in errors


@pytest.mark.parametrize("settings", ["", SKIP])
def test_a_program_without_jax_gets_no_messages(tmp_path: Path, settings: str) -> None:
    assert run_mypy(tmp_path, "print(1)\n", settings) == ("Success: no issues found in 1 source file\n", "", 0)


def test_if_jax_is_visible_nothing_is_reported(tmp_path: Path) -> None:
    assert run_mypy(tmp_path, PROGRAM).errors == ""
