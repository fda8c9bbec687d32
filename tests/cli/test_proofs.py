"""Which code the proofs look at that a fix is safe."""

from __future__ import annotations

import ast
import errno
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType

import pytest

from jaxtyped_static_cli.editing.permission import permission
from jaxtyped_static_cli.files import python_files
from jaxtyped_static_cli.fixes.proofs.calls import why_may_be_pytree
from jaxtyped_static_cli.fixes.proofs.code import Code, read_code
from jaxtyped_static_cli.fixes.proofs.compiling import why_not_compiled
from jaxtyped_static_cli.fixes.proofs.freezing import why_not_frozen
from jaxtyped_static_cli.fixes.proofs.purity import Reading
from jaxtyped_static_cli.fixes.proposals import ProjectFiles
from jaxtyped_static_cli.project.roots import find_project
from tests.cli.running import write


def code_of(project: Path, modules: Mapping[str, Path]) -> Code:
    return ProjectFiles(find_project([project]), permission(project, []), {}, modules).code


def test_a_folder_that_cannot_be_read_is_a_doubt(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(project, {"closed/inner.py": ""})
    listed = python_files._listed

    def denied(folder: Path) -> tuple[list[str], list[str]]:
        if folder.name == "closed":
            raise PermissionError(errno.EACCES, "Permission denied")
        return listed(folder)

    assert code_of(project, {}).unreadable == ""
    monkeypatch.setattr(python_files, "_listed", denied)
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


# NNN is the number of a part.
PART = """
@dataclass
class SolverNNN:
    dt: float


class PlainNNN(Base):
    def __init__(self, a: int) -> None:
        super().__init__()
        self.a = a

    def __len__(self) -> int:
        return self.a

    def update(self, other: int) -> None:
        self.a += other
        setattr(self, "a", other)


doubledNNN = jit(lambda y: jnp.sin(y) + CONST)
"""
HEAD = """
from dataclasses import dataclass
import jax.numpy as jnp
from jaxtyped_static import jit

class Base: ...

CONST = 2.0
"""


@pytest.mark.parametrize("in_files", [False, True], ids=["one file", "many files"])
def test_proofs_about_a_class_do_not_look_at_every_other_one(*, in_files: bool) -> None:
    found = [_calls(size, 5 if in_files else size) for size in (20, 40, 80)]
    first, second = found[1] - found[0], found[2] - found[1]
    # Quadratic work would make it four times as much.
    assert second < 2.5 * first, found


def _calls(parts: int, step: int) -> int:
    """How many functions are called to prove what can be proved about a program."""
    head = f"# {parts}{HEAD}"  # equal files would be parsed once for all sizes
    texts = {Path(f"m{first}.py"): _text(head, first, first + step) for first in range(0, parts, step)}
    modules = {name: Path(f"/lib/{name}.py") for name in ("dataclasses", "jax", "jaxtyped_static")}
    code = read_code(texts, texts.__getitem__, Path(), {**{path.stem: path for path in texts}, **modules})
    count = 0

    def on_event(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(on_event)
    try:
        _prove(code)
    finally:
        sys.setprofile(None)
    return count


def _prove(code: Code) -> None:
    for source, parsed in code.readable:
        for cls in (one for one in parsed.all(ast.ClassDef) if one.name.startswith("Solver")):
            assert why_not_frozen(cls, {"dt"}, code) == why_may_be_pytree(cls.name, code) == ""
        for function in parsed.all(ast.Lambda):
            Reading(code).why_not_pure(function, source)
            assert why_not_compiled(code) == ""


def _text(head: str, first: int, last: int) -> bytes:
    return (head + "".join(PART.replace("NNN", str(number)) for number in range(first, last))).encode()
