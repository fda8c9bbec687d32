"""What `--fix` and `migrate --write` do changes no program that is right: it prints the same before and after."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.before_and_after import Files, difference, read, run_program
from tests.cli.right_programs import PROGRAMS as SEEN
from tests.cli.running import run, write
from tests.cli.unseen_programs import UNSEEN
from tests.rules.cases import Program, load_programs

pytestmark = pytest.mark.xdist_group("light")

PROGRAMS = {**SEEN, **UNSEEN}
# A few of each kind for every run.
QUICK = (
    "frozen: setattr of a name",
    "tuple: item",
    "loop: global",
    "function: constant",
    "callable: module",
    "callable: constant",
    "keys: by identity",
    "frozen: alias of setattr",
    "misdeclared: imported as",
    "sees: constant",
)
# Nothing in these programs minds the fix, so it is safe.
FIXED = {
    *(f"frozen: {name}" for name in ("dict of attributes", "past the class", "copies", "key", "nothing")),
    "frozen: hash of another class",
    "sees: namespace that is read",
    *(f"sees: {name}" for name in ("patch of another name", "setattr of another name", "patch of a plot")),
    *(f"{kind}: constant" for kind in ("loop", "function", "callable", "applying")),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.thorough) for name in PROGRAMS]
)
def test_a_safe_fix_changes_no_right_program(name: str, tmp_path: Path, cache: str) -> None:
    before = PROGRAMS[name]
    project = write(tmp_path / "project", before)
    left = json.loads(run(project, "check", cache, "--fix", "--format=json").out)["findings"]
    after = read(project)
    if after != before:
        assert run_program(before, tmp_path / "runs").raised == ()
        assert difference(before, after, tmp_path / "runs") == ""
    assert (after != before) == (name in FIXED)
    assert [bool(one["fix"]["unsafe_because"]) for one in left] == [True] * (name not in FIXED)


def test_the_reason_is_shown(tmp_path: Path, cache: str) -> None:
    project = write(tmp_path, PROGRAMS["frozen: setattr of a name"])
    reason = 'util.py:3 uses setattr on what may be a "Solver"'
    shown = " ".join(run(project, "check", cache).out.split())
    assert f"= unsafe fix: {reason} = where" in shown
    assert "1 fixable with --fix --unsafe-fixes." in shown
    diff = run(project, "check", cache, "--diff")
    assert diff.errors == f"main.py:10: static-mutable: only with --unsafe-fixes: {reason}\nNothing to change.\n"


def documented() -> dict[str, tuple[Program, Files]]:
    """The programs of the documentation and of the cases that run, by a name for a file or folder."""
    chosen = [one for one in load_programs() if not one.jax and any(module.runs for module in one.states[-1].values())]
    return {
        f"case_{number:03}": (program, {name: module.text for name, module in program.states[-1].items()})
        for number, program in enumerate(chosen)
    }


@pytest.fixture(scope="module")
def fixable(tmp_path_factory: pytest.TempPathFactory, cache_with_jax: str) -> Mapping[str, tuple[Program, Files]]:
    """Those that have a finding with a fix, safe or not, and those of several files. mypy reads all of them at once."""
    programs = documented()
    single = {name: files for name, (program, files) in programs.items() if len(files) == 1 and not program.config}
    folder = tmp_path_factory.mktemp("documented")
    _write_real(folder, {f"{name}.py": next(iter(files.values())) for name, files in single.items()})
    findings = json.loads(run(folder, "check", cache_with_jax, "--format=json").out)["findings"]
    found = {Path(one["path"]).stem for one in findings if one["fix"]}
    return {name: both for name, both in programs.items() if name in found or name not in single}


@pytest.mark.thorough
def test_a_safe_fix_changes_no_program_of_the_documentation(
    fixable: Mapping[str, tuple[Program, Files]], tmp_path: Path, cache_with_jax: str
) -> None:
    changed, wrong = 0, dict[str, str]()
    for name, (program, before) in fixable.items():
        project = _write_real(tmp_path / name, before, program.config)
        run(project, "check", cache_with_jax, "--fix")
        after = read(project)
        if after != before:
            changed += 1
            if text := difference(before, after, tmp_path / "runs" / name, program.entry):
                wrong[program.id] = text
    assert wrong == {} and changed > 10


@pytest.mark.thorough
def test_migrate_changes_no_program_of_the_documentation(tmp_path: Path, cache_with_jax: str) -> None:
    single = {name: files for name, (program, files) in documented().items() if len(files) == 1 and not program.config}
    texts = {f"{name}.py": next(iter(files.values())) for name, files in single.items()}
    texts = {name: text for name, text in texts.items() if "static_arg" in text or "jdc." in text}
    folder = _write_real(tmp_path / "all", texts)
    said: dict[str, Any] = json.loads(run(folder, "migrate", cache_with_jax, "--write", "--format=json").out)
    after = read(folder)
    changed = {Path(one["path"]).name for one in said["changed"]}
    assert changed == {name for name, text in texts.items() if after[name] != text} and len(changed) > 20
    runs = tmp_path / "runs"
    wrong = {
        name: text
        for name in sorted(changed)
        if (text := difference({"main.py": texts[name]}, {"main.py": after[name]}, runs / name))
    }
    assert wrong == {}


def _write_real(folder: Path, files: Files, settings: str = "") -> Path:
    """A project that sees the real JAX."""
    return write(folder, {**files, "pyproject.toml": f"[tool.jaxtyped_static]\n{settings}"})
