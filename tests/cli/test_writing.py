"""A file is written whole or not at all, keeps what belongs to it, and is named."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxtyped_static_cli.editing.writing import write as write_contents
from jaxtyped_static_cli.files.replacing import replace_content
from tests.cli import running
from tests.cli.conftest import SOLVER, STEPS
from tests.cli.running import run, write

pytestmark = pytest.mark.xdist_group("light")

FullDisk = Callable[..., None]
OLD, NEW = b"old\n" * 1000, b"new\n" * 9000


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> FullDisk:
    """From now on, the file system around a folder takes a few more bytes, and then none."""

    def fill(folder: Path, room: int = 700) -> None:
        left = [room]
        real = os.write

        def write(descriptor: int, data: bytes) -> int:
            path = str(Path(f"/proc/self/fd/{descriptor}").readlink())
            if not path.startswith(str(folder)):
                return real(descriptor, data)
            if not left[0]:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            taken = real(descriptor, bytes(data)[: left[0]])
            left[0] -= taken
            return taken

        monkeypatch.setattr(os, "write", write)

    return fill


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the test finds out which file is written from /proc")
@pytest.mark.parametrize("linked", [False, True], ids=["one name", "two names"])
def test_a_full_disk_costs_nothing(tmp_path: Path, full_disk: FullDisk, *, linked: bool) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(OLD)
    if linked:
        (tmp_path / "b.py").hardlink_to(path)
    before = names(tmp_path)
    full_disk(tmp_path)
    assert write_contents({path: NEW}, read_at=path.stat().st_mtime + 1) == {path: "No space left on device"}
    assert path.read_bytes() == OLD and names(tmp_path) == before


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the test finds out which file is written from /proc")
def test_the_old_content_survives_beside_a_file_with_two_names(tmp_path: Path, full_disk: FullDisk) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(OLD)
    (tmp_path / "b.py").hardlink_to(path)
    full_disk(tmp_path, len(OLD) + 700)
    failed = write_contents({path: NEW}, read_at=path.stat().st_mtime + 1)[path]
    said, _, kept = failed.partition("; its old content is in ")
    assert said == "No space left on device" and Path(kept).read_bytes() == OLD


def test_a_limit_of_the_size_of_files_costs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(OLD)
    program = (
        "import pathlib, resource, sys; from jaxtyped_static_cli.files.replacing import replace_content\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))\n"
        f"replace_content(pathlib.Path(sys.argv[1]), {NEW!r})"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        capture_output=True,
        check=False,
        text=True,
    )
    assert "File too large" in done.stderr
    assert path.read_bytes() == OLD and names(tmp_path) == ["a.py"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_nothing_is_left_over_when_a_later_step_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(OLD)

    def fail(*_: object) -> None:
        raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))

    owner: object = os if step == "fsync" else Path
    monkeypatch.setattr(owner, step, fail)
    with pytest.raises(OSError, match="quota"):
        replace_content(path, NEW)
    assert path.read_bytes() == OLD and names(tmp_path) == ["a.py"]


def test_the_new_content_is_on_the_disk_before_it_has_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(OLD)
    seen: list[tuple[str, bytes]] = []
    real_sync, real_replace = os.fsync, Path.replace

    def sync(descriptor: int) -> None:
        seen.append(("sync", path.read_bytes()))
        real_sync(descriptor)

    def replace(old: Path, new: Path) -> Path:
        seen.append(("replace", old.read_bytes()))
        return real_replace(old, new)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(Path, "replace", replace)
    replace_content(path, NEW)
    assert seen == [("sync", OLD), ("replace", NEW), ("sync", NEW)]  # the file; the name; the folder


def test_mode_owner_attributes_and_names_are_kept(tmp_path: Path) -> None:
    path, link, twin = tmp_path / "a.py", tmp_path / "link.py", tmp_path / "twin.py"
    path.write_bytes(OLD)
    path.chmod(0o751)
    link.symlink_to(path)
    if os.geteuid() == 0:
        os.chown(path, 12345, 23456)
        path.chmod(0o6751)
    with_attributes = hasattr(os, "setxattr")
    try:
        os.setxattr(path, "user.note", b"kept")
    except (OSError, AttributeError):
        with_attributes = False
    before = path.stat()
    replace_content(link, NEW)
    after = path.stat()
    assert link.is_symlink() and path.read_bytes() == NEW
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert not with_attributes or os.getxattr(path, "user.note") == b"kept"
    twin.hardlink_to(path)
    replace_content(path, OLD)
    assert twin.read_bytes() == OLD and twin.samefile(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write every file")
def test_a_file_that_is_read_only_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(OLD)
    path.chmod(0o444)
    assert write_contents({path: NEW}, read_at=path.stat().st_mtime + 1) == {path: "Permission denied"}
    assert path.read_bytes() == OLD


def run_here(project: Path, *arguments: str) -> running.Said:
    """Runs the command in this process, whose `os.write` is ours."""
    return running.run_here(project, arguments)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the test finds out which file is written from /proc")
def test_what_was_not_written_is_named_and_not_counted(project: Path, cache: str, full_disk: FullDisk) -> None:
    (project / "app/steps.py").write_text(STEPS + "# a comment\n" * 100)
    before = (project / "app/steps.py").read_text()
    full_disk(project / "app")
    said = run_here(project, "check", cache, "--fix")
    assert said.errors == "app/steps.py: not fixed: No space left on device\n"
    assert "Fixed 1 problem in app/solver.py.\n" in said.out
    assert "Found 1 problem in 1 file: 1 exception\n" in said.out and said.code == 2
    assert (project / "app/steps.py").read_text() == before
    assert names(project / "app") == ["__init__.py", "solver.py", "steps.py"]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the test finds out which file is written from /proc")
def test_a_migration_and_a_baseline_that_cannot_be_written(project: Path, cache: str, full_disk: FullDisk) -> None:
    text = (
        f"import jax\nfrom functools import partial\n\n\n{'# a comment' * 100}\n@partial(jax.jit, static_argnums=1)\n"
    )
    text += "def f(x: int, n: int) -> int:\n    return x\n"
    write(project, {"app/plain.py": text})
    full_disk(project)
    said = run_here(project, "migrate", cache, "--write")
    assert "error: app/plain.py: not written: No space left on device\n" in said.errors and said.code == 2
    assert "changed" not in said.out and (project / "app/plain.py").read_text() == text
    said = run_here(project, "check", cache, "--write-baseline")
    assert said.errors == (
        "error: jaxtyped-static-baseline.json: the baseline cannot be written: No space left on device\n"
    )
    assert said.code == 2 and not (project / "jaxtyped-static-baseline.json").exists()


@pytest.mark.parametrize("format_", ["json", "sarif", "gitlab"])
def test_formats_for_programs_stay_valid_and_the_files_are_named_elsewhere(
    project: Path, cache: str, format_: str
) -> None:
    said = run(project, "check", cache, "--fix", f"--format={format_}")
    json.loads(said.out)
    assert said.errors == "Fixed 2 problems in 2 files:\n  app/solver.py\n  app/steps.py\n" and said.code == 0


def test_links_and_files_elsewhere_are_changed_only_if_they_are_named(tmp_path: Path, cache: str) -> None:
    project, elsewhere = tmp_path / "project", tmp_path / "elsewhere"
    write(project, {"app/__init__.py": "", "app/steps.py": STEPS})
    elsewhere.mkdir()
    outside = elsewhere / "solver.py"
    outside.write_text(SOLVER)
    (project / "app/solver.py").symlink_to(outside)
    said = run(project, "check", cache, "--fix", "--unsafe-fixes")
    assert outside.read_text() == SOLVER and (project / "app/solver.py").is_symlink()
    why = "not fixed: a symbolic link leads to it; name it to change it"
    assert said.errors == f"app/solver.py: {why}\n"
    assert "Fixed 1 problem in app/steps.py.\n" in said.out and "fixable" not in said.out
    said = run(project, "check", cache, "--fix", "app/solver.py", "app/steps.py")
    assert "frozen=True" in outside.read_text() and (project / "app/solver.py").is_symlink()


def test_a_folder_that_a_link_leads_to_is_left_alone(tmp_path: Path, cache: str) -> None:
    project, library = tmp_path / "project", tmp_path / "library"
    library.mkdir()
    (library / "solver.py").write_text(SOLVER)
    write(project, {"steps.py": STEPS.replace("app.solver", "lib.solver")})
    (project / "lib").symlink_to(library)
    said = run(project, "check", cache, "--fix")
    assert (library / "solver.py").read_text() == SOLVER and said.code == 1
    run(project, "check", cache, "--fix", "lib", "steps.py")
    assert "frozen=True" in (library / "solver.py").read_text()


def test_a_migration_leaves_links_alone(tmp_path: Path, cache: str) -> None:
    project, outside = tmp_path / "project", tmp_path / "plain.py"
    text = "from functools import partial\n\nimport jax\n\n\n@partial(jax.jit, static_argnums=1)\n"
    text += "def f(x: int, n: int) -> int:\n    return x\n"
    write(project, {"app/own.py": text})
    outside.write_text(text)
    (project / "app/plain.py").symlink_to(outside)
    said = run(project, "migrate", cache, "--write")
    assert said.out.startswith("app/own.py: changed\n") and outside.read_text() == text
    said = run(project, "migrate", cache, "--write", "app/plain.py")
    assert said.out.startswith("app/plain.py: changed\n") and "Static[int]" in outside.read_text()
