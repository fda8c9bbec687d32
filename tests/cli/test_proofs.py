"""Which code the proofs look at that a fix is safe."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from pathlib import Path

import pytest

from jaxtyped_static_cli import files
from jaxtyped_static_cli.editing.permission import permission
from jaxtyped_static_cli.fixes.proofs.code import Code
from jaxtyped_static_cli.fixes.proposals import Program
from jaxtyped_static_cli.project import find_project
from tests.cli.running import write


def code_of(project: Path, modules: Mapping[str, Path]) -> Code:
    return Program(find_project([project]), permission(project, []), {}, modules).code


def test_a_folder_that_cannot_be_read_is_a_doubt(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(project, {"closed/inner.py": ""})
    listed = files._listed

    def denied(folder: Path) -> tuple[list[str], list[str]]:
        if folder.name == "closed":
            raise PermissionError(errno.EACCES, "Permission denied")
        return listed(folder)

    assert code_of(project, {}).unreadable == ""
    monkeypatch.setattr(files, "_listed", denied)
    assert code_of(project, {}).unreadable == "closed cannot be read"


def test_what_only_has_the_name_of_a_file_is_none(project: Path) -> None:
    (project / "dangling.py").symlink_to("nothing")
    assert code_of(project, {}).unreadable == ""


def test_modules_elsewhere_count_unless_they_are_of_a_library(project: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path.parent / f"{tmp_path.name}-elsewhere"
    names = {"helper": "helper.py", "jaxtyped_static._jit": "jaxtyped_static/_jit.py", "jax": "jax/__init__.py"}
    write(elsewhere, dict.fromkeys(names.values(), "setattr\n"))
    shown = {one.path for one in code_of(project, {name: elsewhere / path for name, path in names.items()}).sources}
    assert {path.relative_to(elsewhere) for path in shown if path.is_relative_to(elsewhere)} == {Path("helper.py")}
