"""The commands that the README promises."""

import sys

import pytest

from tests.e2e.environments import ROOT, run


@pytest.mark.parametrize(
    ("target", "last"),
    [
        ("demo", "python examples/demo.py"),
        ("test", '-m "not thorough"'),
        ("test-all", "-m thorough"),
        ("rest", "-m thorough"),
        ("pytest", "python -m pytest"),
        ("lint", "python -m ruff check ."),
        ("types", "python -m mypy"),
    ],
)
def test_a_target_ends_with_its_command(target: str, last: str) -> None:
    lines = run("make", "--dry-run", target, cwd=ROOT).stdout.splitlines()
    assert lines[-1].strip().endswith(last)


def test_an_old_or_missing_python_is_named() -> None:
    done = run("make", "VENV=.venv-of-a-test", "PYTHON=no-such-python", "demo", cwd=ROOT, check=False)
    assert done.returncode != 0
    assert "error: Python 3.11 or newer is needed; found: none" in done.stderr


@pytest.mark.thorough
@pytest.mark.usefixtures("cache_of_the_demo")
def test_the_demo_finds_every_failure_it_shows() -> None:
    done = run(sys.executable, "examples/demo.py", cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "every corrected program is silent and right" in done.stdout
