"""The command line: help, rules, and what the command needs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jaxtyped_static_cli import main
from jaxtyped_static_cli.interpreter import find_interpreter
from jaxtyped_static_mypy.rules import CODES
from tests.cli.running import run

pytestmark = pytest.mark.xdist_group("light")


@pytest.mark.parametrize("arguments", [(), ("check",), ("rule",)])
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


@pytest.mark.parametrize("missing", ["mypy", "rich"])
def test_a_missing_package_is_named_with_the_line_to_run(
    missing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(main, "find_spec", lambda name: None if name == missing else object())
    assert main.main(["check"]) == 2
    assert capsys.readouterr().err == f"error: {missing} not installed; run: pip install 'jaxtyped-static[cli]'\n"


def test_an_old_mypy_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(main, "version", lambda name: "1.19.0")
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
    del variables["VIRTUAL_ENV"]
    assert str(find_interpreter(None, root, variables).path) == outer
    (tmp_path / ".venv" / "bin" / "python").unlink()
    assert str(find_interpreter(None, root, variables).path) == conda
    assert find_interpreter(None, root, {}).origin == "the command's own"
