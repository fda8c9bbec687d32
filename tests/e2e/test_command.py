"""The command, installed apart from the project that it checks."""

from pathlib import Path

import pytest

from tests.e2e.environments import create, install, run
from tests.e2e.test_environments import CONFIG
from tests.rules.cases import GUIDE, read_blocks
from tests.rules.marks import read_marks

pytestmark = pytest.mark.thorough


def test_a_project_is_checked_from_an_environment_of_the_command_s_own(wheel: Path, tmp_path: Path) -> None:
    tool = create(tmp_path / "tool").parent / "jaxtyped-static"
    install(tool.parent / "python", f"jaxtyped-static[cli] @ {wheel.as_uri()}")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "main.py").write_text(CONFIG)
    install(create(folder / ".venv"), "jax")

    said = run(tool, "check", cwd=folder, check=False)
    assert said.stdout.startswith("static-mutable: Config is not frozen\n --> main.py:7:7\n"), said.stderr
    assert f"with {folder / '.venv/bin/python'}" in said.stdout and said.returncode == 1
    assert not run("git", "init", cwd=folder, check=False).returncode
    assert "main.py" in run("git", "status", "--porcelain", cwd=folder).stdout
    assert ".jaxtyped_static_cache" not in run("git", "status", "--porcelain", cwd=folder).stdout
    assert "hashed by its address" in run(tool, "rule", "static-hash", cwd=folder).stdout

    (folder / "main.py").write_text(CONFIG.replace("@dataclass", "@dataclass(frozen=True)"))
    assert run(tool, "check", cwd=folder).stdout.startswith("Nothing found.\n")

    program, quoted = first_page()
    (folder / "main.py").write_text(program)
    assert run(tool, "check", cwd=folder, check=False).stdout.startswith(quoted)


def first_page() -> tuple[str, str]:
    """Returns the first program of the guide, and what it says that the command prints."""
    blocks = [block for _, block in read_blocks(GUIDE / "ten-minutes.md")]
    program, quoted = (next(block.text for block in blocks if block.language == name) for name in ("python", "text"))
    return read_marks(program)[0], quoted
