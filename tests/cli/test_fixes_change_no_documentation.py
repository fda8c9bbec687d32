"""What `--fix` and `migrate --write` do changes no program of the documentation, nor of the rules' cases."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jaxtyped_static_cli.fixes.proposals import NEVER
from jaxtyped_static_cli.fixes.table import FIXES
from tests.cli.before_and_after import Files, difference, read
from tests.cli.running import findings_of, run, write
from tests.rules.cases import Program, load_programs

# They take minutes, with a cache of their own: beside the other tests of the command, not after them.
pytestmark = [pytest.mark.xdist_group("documented"), pytest.mark.thorough]


def documented() -> dict[str, tuple[Program, Files]]:
    """The programs of the documentation and of the cases that run, by a name for a file or folder."""
    chosen = [one for one in load_programs() if not one.jax and any(module.runs for module in one.states[-1].values())]
    return {
        f"case_{number:03}": (program, {name: module.text for name, module in program.states[-1].items()})
        for number, program in enumerate(chosen)
    }


@pytest.fixture(scope="module")
def fixable(tmp_path_factory: pytest.TempPathFactory, cache_with_jax: str) -> Mapping[str, tuple[Program, Files]]:
    """Those that have a finding with a fix that may be safe: mypy reads all at once.

    Those of several files it would confuse: they count if a mark says that they have a finding of such a code.
    """
    programs = documented()
    single = {name: files for name, (program, files) in programs.items() if len(files) == 1 and not program.config}
    folder = tmp_path_factory.mktemp("documented")
    _write_real(folder, {f"{name}.py": next(iter(files.values())) for name, files in single.items()})
    findings = findings_of(folder, cache_with_jax)
    maybe_safe = [fix for fix in FIXES if fix.is_safe_if != NEVER]
    does, codes = {fix.does for fix in maybe_safe}, {code for fix in maybe_safe for code in fix.codes}
    found = {Path(one["path"]).stem for one in findings if one["fix"] and one["fix"]["does"] in does}
    marked = {name for name, (program, _) in programs.items() if codes & _marked(program)}
    return {name: programs[name] for name in sorted(found | (marked - single.keys()))}


def _marked(program: Program) -> set[str | None]:
    return {mark.code for module in program.states[-1].values() for mark in module.marks}


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


@pytest.mark.xdist_group("migrated")
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
