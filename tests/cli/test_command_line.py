"""The command line: help, rules, and what the command needs."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from unittest import mock

import pytest

from jaxtyped_static_cli import main
from jaxtyped_static_cli.project.interpreter import find_interpreter
from jaxtyped_static_mypy.rules import CODES
from tests.cli.running import CONFIG, Said, run, run_here, write
from tests.plugin.running import elsewhere

pytestmark = pytest.mark.xdist_group("light")

CONFIGURED = """\
from jaxtyped_static import Static, jit

class Config: ...

@jit
def step(x: int, config: Static[Config]) -> int:
    return x
"""


@pytest.mark.parametrize("arguments", [(), ("check",), ("census",), ("rule",), ("doctor",), ("migrate",)])
def test_help_has_examples(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    said = run(tmp_path, *arguments, "--help")
    assert "examples:\n  jaxtyped-static " in said.out and said.code == 0


def test_every_rule_has_a_page(tmp_path: Path) -> None:
    rules = json.loads(run(tmp_path, "rule", "--all", "--format=json").out)
    assert [rule["code"] for rule in rules] == list(CODES)
    assert all(rule["page"].startswith(f"# {rule['code']}\n") for rule in rules)


def test_a_rule_is_explained_in_the_terminal(tmp_path: Path) -> None:
    assert "hashed by its address" in run(tmp_path, "rule", "[static-hash]").out
    assert run(tmp_path, "rule", "static-hsh").errors == (
        "error: there is no rule 'static-hsh'; did you mean static-hash?\n"
    )


@pytest.mark.parametrize("missing", ["mypy", "rich", "libcst"])
def test_a_missing_package_is_named_with_the_line_to_run(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(main, "find_spec", lambda name: None if name == missing else object())
    assert main.main(["check"]) == 2
    assert capsys.readouterr().err == f"error: {missing} not installed; run: pip install 'jaxtyped-static[cli]'\n"


def test_an_old_mypy_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(main, "mypy_version", lambda: "1.19.0")
    assert main.main(["check"]) == 2
    assert capsys.readouterr().err == "error: mypy 1.19.0 is too old; run: pip install 'mypy>=2.0'\n"


def test_the_project_s_environment_is_found(tmp_path: Path) -> None:
    def environment(name: str) -> str:
        python = tmp_path / name / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.touch()
        return str(python)

    (tmp_path / ".git").mkdir()
    root = tmp_path / "package"
    conda, outer, active = environment("conda"), environment(".venv"), environment("active")
    variables = {"CONDA_PREFIX": str(tmp_path / "conda"), "VIRTUAL_ENV": str(tmp_path / "active")}
    assert str(find_interpreter(None, root, variables).path) == active
    assert str(find_interpreter(None, root, {**variables, "PRE_COMMIT": "1"}).path) == active
    assert str(find_interpreter(None, root, {"PRE_COMMIT": "1", "VIRTUAL_ENV": sys.prefix}).path) == outer
    del variables["VIRTUAL_ENV"]
    assert str(find_interpreter(None, root, variables).path) == outer
    (tmp_path / ".venv" / "bin" / "python").unlink()
    assert str(find_interpreter(None, root, variables).path) == conda
    assert find_interpreter(None, root, {}).origin == "the command's own"


@pytest.fixture
def puzzling(tmp_path: Path) -> Path:
    """A project of which the checker cannot read everything."""
    lines = [
        "import jax",
        "import nowhere, chex, jax.nowhere",
        "from jaxtyped_static import Static, jit",
        "NAMES = nowhere.names()",
    ]
    lines += [
        "@jit",
        "def f(x: int, n: Static[int]): ...",
        "g = jax.jit(nowhere.g)",
        "h = jax.jit(f, static_argnames=NAMES)",
        "def timed(function): return function",
        "@timed",
        "def k(x: int) -> int: return x",
    ]
    settings = '[tool.jaxtyped_static]\njit_functions = ["jax.jit"]\nstatic_types = ["main.Sovler"]\n'
    return write(tmp_path, {"main.py": "\n".join(lines), "pyproject.toml": CONFIG + settings})


def test_doctor_says_what_was_read_and_what_to_do(puzzling: Path, cache: str) -> None:
    said = run(puzzling, "doctor", cache)
    assert f"Python of the project:  {sys.executable} (the command's own)\n" in said.out, said
    assert "static_types:           ['main.Sovler']\n" in said.out
    assert 'static_types names "main.Sovler", but "main" has no "Sovler"' in said.out
    assert "      6  f: static n; dynamic x\n" in said.out
    assert "      7  g: not read: mypy does not know what is compiled: its type is Any\n" in said.out
    assert "      8  f: not read: its list of static parameters is computed when the program runs\n" in said.out
    assert [line[:6] for line in said.out.splitlines()[-4:]] == ["Do thi", "  1. C", "  2. L", "  3. A"]
    assert "  @timed: not annotated; hides 1 function, the first at main.py:10\n" in said.out
    assert "  nowhere: is not installed; imported by 1 file; install nowhere in the project's environment\n" in said.out
    assert "  jax.nowhere: does not exist; imported by 1 file; correct the import, or install a release" in said.out
    assert "  chex: has no types; imported by 1 file; install jaxtyped-static-stubs" in said.out
    assert said.code == 0


def test_doctor_tells_programs_the_same(puzzling: Path, cache: str) -> None:
    data = json.loads(run(puzzling, "doctor", cache, "--format=json").out)
    assert data["version"] == 1 and data["versions"]["JAX"] and data["settings"]["static_types"] == ["main.Sovler"]
    assert data["sites"][0]["path"] == "main.py" and data["sites"][0]["static"] == ["n"]
    assert [one["name"] for one in data["hiding_decorators"]] == ["timed"]
    assert {one["name"] for one in data["untyped_packages"]} == {"nowhere", "chex", "jax.nowhere"}
    assert len(data["advice"]) == 3 and len(data["warnings"]) == 1 and data["not_checked"] == []


def check_with_a_fault(project: Path, function: str) -> Said:
    with mock.patch(function, side_effect=KeyError("unforeseen")):
        return run_here(project, ("check",))


def test_a_fault_of_the_checker_is_no_clean_run(tmp_path: Path) -> None:
    """Also not when mypy has the file in its cache."""
    project = write(tmp_path, {"app.py": CONFIGURED})
    for _ in range(2):
        said = elsewhere(check_with_a_fault, project, "jaxtyped_static_mypy.reporting.contract.judge")
        assert said.code == 2
        assert re.search(r"app\.py:\d+:\d+: not checked: jaxtyped_static could not check this \(KeyError", said.errors)
