"""A damaged cache is thrown away and made again, with one line, and never changes what is found."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import pytest
from mypy.options import Options

from jaxtyped_static_cli.cache.folder import NAME, lend_markers
from tests.cli.environment_made import PROGRAM
from tests.cli.running import Said, run, run_here, write
from tests.plugin.running import elsewhere

pytestmark = pytest.mark.xdist_group("light")


def flip(path: Path, random: random.Random) -> None:
    content = bytearray(path.read_bytes())
    place = random.randrange(len(content))
    content[place] ^= 1 << random.randrange(8)
    path.write_bytes(content)


def cut(path: Path, random: random.Random) -> None:
    path.write_bytes(path.read_bytes()[: random.randrange(path.stat().st_size)])


def garble(path: Path, random: random.Random) -> None:
    path.write_bytes(random.randbytes(random.randrange(1, 5000)))


def remove(path: Path, random: random.Random) -> None:
    path.unlink()


def make_a_folder(path: Path, random: random.Random) -> None:
    path.unlink()
    path.mkdir()
    (path / "inner").touch()


DAMAGES = (flip, cut, garble, remove, make_a_folder)


def files_in(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and path.stat().st_size)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that projects share, with what any project needs of the standard library."""
    user_cache = tmp_path_factory.mktemp("filled")
    another = "from dataclasses import dataclass\nfrom jaxtyped_static import Static, jit\n"
    check(write(tmp_path_factory.mktemp("another"), {"main.py": another}), user_cache)
    return user_cache


@pytest.fixture
def user_cache(tmp_path_factory: pytest.TempPathFactory, filled: Path) -> Path:
    return shutil.copytree(filled, tmp_path_factory.mktemp("user"), dirs_exist_ok=True)


def check(project: Path, user_cache: Path, *arguments: str) -> Said:
    said = elsewhere(check_here, project, user_cache, ("check", "--format=full", *arguments))
    return said._replace(out=said.out.partition("Checked")[0])


def check_here(project: Path, user_cache: Path, arguments: tuple[str, ...]) -> Said:
    return run_here(project, arguments, user_cache)


@pytest.mark.thorough
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_whatever_is_damaged_the_same_is_found(
    project: Path, user_cache: Path, damage: Callable[[Path, random.Random], None]
) -> None:
    chance = random.Random(damage.__name__)
    sound = check(project, user_cache)
    assert "Found 2 problems" in sound.out and check(project, user_cache) == sound
    names = [path.relative_to(project / NAME) for path in files_in(project / NAME)]
    small = [name for name in names if name.suffix != ".db"]
    assert {name.name for name in small} >= {"seal.json", "fixable.json"}
    for name in (*small, *chance.sample([name for name in names if name.suffix == ".db"], 5)):
        damage(project / NAME / name, chance)
        said = check(project, user_cache)
        assert (said.out, said.code) == (sound.out, sound.code), (name, said)
        assert said.errors.count("\n") <= 1 and "error" not in said.errors, (name, said.errors)
        if name.suffix == ".db":
            assert said.errors == f"{project / NAME / 'mypy'}: the cache is damaged or incomplete; it is made again\n"
    assert check(project, user_cache) == sound


@pytest.mark.thorough
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_the_cache_that_projects_share_may_be_damaged_too(
    project: Path, user_cache: Path, damage: Callable[[Path, random.Random], None]
) -> None:
    chance = random.Random(damage.__name__)
    sound = check(project, user_cache)
    names = [path.relative_to(user_cache) for path in files_in(user_cache)]
    assert len(names) > 5
    for name in chance.sample(names, 2):
        damage(user_cache / name, chance)
        shutil.rmtree(project / NAME)
        said = check(project, user_cache)
        assert (said.out, said.code) == (sound.out, sound.code), (name, said)
        # A bit of the seal may be one that says when a file was changed: then the file is read, and is as it was.
        is_harmless = name.name == "seal.json" and not said.errors
        assert is_harmless or said.errors.endswith(": the cache is damaged or incomplete; it is made again\n"), name
        assert said.errors.count("\n") <= 1


def replaced_by_a_file(path: Path) -> None:
    shutil.rmtree(path)
    path.write_text("no folder")


@pytest.mark.parametrize("name", ["", "mypy", "mypy/3.11"])
def test_a_file_in_the_place_of_a_folder_is_thrown_away(project: Path, user_cache: Path, name: str) -> None:
    sound = check(project, user_cache)
    folder = project / NAME / name
    if name == "mypy/3.11":
        (folder,) = (project / NAME / "mypy").glob("3.*")
    replaced_by_a_file(folder)
    said = check(project, user_cache)
    assert (said.out, said.code) == (sound.out, sound.code) and said.errors.count("\n") <= 1
    assert folder.is_dir() and check(project, user_cache) == sound


@pytest.mark.parametrize("name", ["markers", "markers/jaxtyped_static", "markers/jaxtyped_static/__init__.pyi"])
def test_damaged_stubs_of_the_markers_are_written_again(tmp_path: Path, name: str) -> None:
    with mock.patch("jaxtyped_static_cli.cache.folder.find_module", return_value=None):
        lend_markers(Options(), tmp_path, tmp_path)
        sound = {path: path.read_bytes() for path in files_in(tmp_path)}
        damaged = tmp_path / name
        if damaged.is_dir():
            replaced_by_a_file(damaged)
        else:
            make_a_folder(damaged, random.Random())
        lend_markers(Options(), tmp_path, tmp_path)
    assert {path: path.read_bytes() for path in files_in(tmp_path)} == sound and len(sound) >= 3


def test_a_file_of_the_user_s_is_no_cache(project: Path) -> None:
    (project / "notes.txt").write_text("mine")
    said = run(project, "check", "--cache-dir=notes.txt")
    assert said.errors.startswith("error: the cache cannot be written: ") and said.errors.count("\n") == 1
    assert said.code == 2 and (project / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["mypy/build.py", "mypy"])
def test_a_folder_of_the_user_s_is_not_thrown_away(tmp_path: Path, name: str) -> None:
    """`--cache-dir .` in a checkout of mypy."""
    write(tmp_path, {"main.py": "", name: "mine"})
    said = run(tmp_path, "check", "--cache-dir=.")
    assert said.errors.startswith(f"error: {tmp_path}/mypy is no cache") and said.code == 2
    assert (tmp_path / name).read_text() == "mine"


@pytest.mark.parametrize("name", ["", "mypy", "fixable.json", "CACHEDIR.TAG", "markers/jaxtyped_static/jit.pyi"])
@pytest.mark.parametrize("command", ["check", "doctor"])
def test_a_cache_that_leads_elsewhere_is_refused(project: Path, tmp_path: Path, name: str, command: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = project / NAME / name
    link.parent.mkdir(parents=True, exist_ok=True)
    if not name:
        link = project / NAME
    link.symlink_to(elsewhere)
    said = run(project, command)
    assert said.errors.startswith(f"error: {link} is a symbolic link") and said.errors.count("\n") == 1
    assert said.code == 2 and list(elsewhere.iterdir()) == []


def test_the_seal_is_no_proof_of_another_content(project: Path, user_cache: Path) -> None:
    """A copied cache, as CI restores it, has other times, but is sound."""
    sound = check(project, user_cache)
    shutil.copytree(project / NAME, project / "copy", copy_function=shutil.copyfile)
    shutil.rmtree(project / NAME)
    (project / "copy").rename(project / NAME)
    assert check(project, user_cache) == sound
    (seal,) = (project / NAME).rglob("seal.json")
    assert len(json.loads(seal.read_text())) > 1


@pytest.mark.thorough
@pytest.mark.parametrize("kilobytes", [0, 50, 700])
def test_a_full_disk_is_one_line_and_everything_is_found(project: Path, user_cache: Path, kilobytes: int) -> None:
    sound = check(project, user_cache)
    shutil.rmtree(project / NAME)
    said = limited(project, kilobytes)
    assert said.stdout.partition("Checked")[0] == sound.out and said.returncode == sound.code
    assert said.stderr.startswith(f"{project / NAME / 'mypy'}: the cache cannot be written (")
    assert said.stderr.count("\n") == 1
    assert check(project, user_cache) == sound


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("arguments", "code"),
    [("check --fix", 0), ("check --diff", 1), ("census", 0), ("doctor", 0), ("migrate", 1)],
)
def test_on_a_full_disk_each_command_comes_to_its_end(project: Path, arguments: str, code: int) -> None:
    """Also those that run mypy more than once."""
    write(project, {"lists.py": PROGRAM})
    said = limited(project, 50, *arguments.split())
    assert said.stderr.startswith(f"{project / NAME / 'mypy'}: the cache cannot be written ("), said
    assert said.stderr.count("the cache") == 1 and "error: " not in said.stderr
    assert "the cache" not in said.stdout and said.returncode == code, said


def limited(project: Path, kilobytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command while no file can be longer."""
    program = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({kilobytes * 1024},) * 2)\n"
        "from jaxtyped_static_cli.main import run\n"
        "run()"
    )
    command = [sys.executable, "-c", program, *(arguments or ("check", "--format=full")), "--no-shared-cache"]
    environment = {**os.environ, "VIRTUAL_ENV": "", "COLUMNS": "100"}
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.thorough
def test_checks_of_one_project_at_the_same_time_do_not_disturb_each_other(project: Path, user_cache: Path) -> None:
    sound = check(project, user_cache)
    shutil.rmtree(project / NAME)
    command = [sys.executable, "-m", "jaxtyped_static_mypy", "check", "--format=full", "--no-shared-cache"]
    environment = {**os.environ, "VIRTUAL_ENV": "", "COLUMNS": "100"}
    running = [
        subprocess.Popen(
            command, cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    for process in running:
        out, errors = process.communicate()
        assert out.partition("Checked")[0] == sound.out and process.returncode == sound.code
        assert errors in ("", f"{project / NAME / 'mypy'}: another check uses the cache; waiting for it to end\n")
    assert check(project, user_cache) == sound
