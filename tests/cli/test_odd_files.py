"""Files that nobody should have put there: each is one line, and the others are checked."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from jaxtyped_static_cli.cache.folder import NAME
from jaxtyped_static_cli.cache.foreign import require_own
from jaxtyped_static_cli.compat.options import configured_options
from jaxtyped_static_cli.files.exclusion import Exclusion
from jaxtyped_static_cli.files.python_files import find, find_files
from jaxtyped_static_cli.mypy_runs.modules import Module, rounds
from jaxtyped_static_cli.project.environments import read_environment
from jaxtyped_static_cli.terminal.problems import Problem
from tests.cli.environment_made import make_environment
from tests.cli.running import CONFIG, Said, run, run_here, write
from tests.plugin.running import elsewhere

pytestmark = pytest.mark.xdist_group("light")

FAULTY = "from jaxtyped_static import Static, jit\n\n\n@jit\ndef f(x: int, s: Static[list[int]]) -> int: return x\n"


def fifo(path: Path) -> None:
    os.mkfifo(path)


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))  # the name of a socket must be short


def link_to(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


ODD = {
    "x.py": (fifo, "is no regular file"),
    "socket.py": (listening, "is no regular file"),
    "device.py": (link_to("/dev/zero"), "is no regular file"),
    "dangling.py": (link_to("nothing"), "is a link to nothing"),
    "loop.py": (link_to("loop.py"), "cannot be read: Too many levels of symbolic links"),
}


@pytest.mark.parametrize("name", ODD)
def test_what_only_has_the_name_of_a_file_is_one_line(project: Path, cache: str, name: str) -> None:
    make, why = ODD[name]
    make(project / name)
    write(project, {"user.py": f"import {Path(name).stem}\n"})
    said = run(project, "check", cache)
    assert said.errors == f"{name}: {why}; left out\n"
    assert "Found 2 problems in 2 files" in said.out and said.code == 1


def test_the_lock_of_an_editor_is_no_file(project: Path, cache: str) -> None:
    (project / ".#app.py").symlink_to("user@host.1234:1700000000")
    said = run(project, "check", cache)
    assert "Found 2 problems in 2 files" in said.out and (said.errors, said.code) == ("", 1)


def test_a_folder_may_be_named_like_a_file(project: Path, cache: str) -> None:
    write(project, {"x.py/inner.py": FAULTY})
    said = run(project, "check", cache)
    assert "Found 3 problems in 3 files" in said.out and said.errors == ""


def test_a_name_that_is_not_utf_8_is_one_line_and_not_a_success(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"good.py": ""})
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/t\xe9.py")).write_text(FAULTY)
    said = run(tmp_path, "check", cache)
    assert said.errors.startswith("t�.py: has a name that is not UTF-8") and said.errors.count("\n") == 1
    assert "Checked 1 file" in said.out and said.code == 2
    said = run(tmp_path, "migrate", cache)
    assert said.errors.startswith("t�.py: ") and said.code == 2


def test_a_name_with_a_line_break_is_one_name(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"a\nb.py": FAULTY, "c\x1b[31m.py": "x = (\n"})
    said = run(tmp_path, "check", cache, "--format=concise")
    assert said.out.startswith("a␊b.py:5:15: static-mutable"), said.out
    assert said.errors.startswith("error: c␛[31m.py:") and said.errors.count("\n") == 1


def test_a_null_character_is_one_line(project: Path, cache: str) -> None:
    (project / "null.py").write_bytes(b"x = 1\0\n")
    said = run(project, "check", cache)
    assert said.errors.startswith("error: null.py:1:") and said.errors.count("\n") == 1
    assert "Found 2 problems" in said.out and said.code == 2


def test_a_folder_deeper_than_python_recurses_is_looked_through(tmp_path: Path) -> None:
    folder = tmp_path
    with Deep(tmp_path, 1200):
        found = find([folder], (), tmp_path)
    (only,) = found.files
    assert only.name == "bottom.py" and not found.left_out


class Deep:
    """A folder in which folders are nested so deep that no path to the last one can be given at once."""

    def __init__(self, folder: Path, depth: int) -> None:
        self._folder, self._depth = folder, depth

    def __enter__(self) -> None:
        here = Path.cwd()
        os.chdir(self._folder)
        for _ in range(self._depth):
            Path("d").mkdir()
            os.chdir("d")
        Path("bottom.py").touch()
        os.chdir(here)

    def __exit__(self, *_: object) -> None:
        subprocess.run(["rm", "-rf", str(self._folder / "d")], check=True)  # `shutil.rmtree` recurses


def test_a_file_that_vanishes_between_listing_and_reading_is_one_line(project: Path, cache: str) -> None:
    said = elsewhere(without_steps, project, ("check", cache))
    assert said.errors == "error: app/steps.py:1:1: not checked: Cannot read file: No such file or directory\n"
    assert said.code == 2


def without_steps(project: Path, arguments: tuple[str, ...]) -> Said:
    """Runs the command while somebody deletes a file."""

    def vanish(*arguments: Any) -> list[list[Module]]:
        found = rounds(*arguments)
        (project / "app/steps.py").unlink(missing_ok=True)
        return found

    with mock.patch("jaxtyped_static_cli.mypy_runs.runs.rounds", vanish):
        return run_here(project, arguments)


def without_root(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command without root's right to read everything."""
    command = [sys.executable, "-m", "jaxtyped_static_mypy", *arguments]
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root reads everything, and setpriv is not installed")
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all", *command]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)


@pytest.fixture
def locked(project: Path) -> Path:
    """A project with a file and a folder that nobody may read, of which the file is imported."""
    write(project, {"locked.py": "x = 1\n", "user.py": "import locked\n", "closed/inner.py": FAULTY})
    (project / "locked.py").chmod(0)
    (project / "closed").chmod(0)
    return project


@pytest.mark.thorough
def test_what_nobody_may_read_is_one_line_and_not_a_success(locked: Path, cache: str) -> None:
    said = without_root(locked, "check", cache, "--no-shared-cache")
    (locked / "closed").chmod(0o700)
    assert said.stderr.splitlines() == [
        "closed: cannot be read: Permission denied; left out",
        "error: locked.py:1:1: not checked: Cannot read file: Permission denied",
    ]
    assert "Found 2 problems in 2 files" in said.stdout and said.returncode == 2


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["check", "census", "doctor", "migrate"])
def test_settings_that_nobody_may_read_are_one_line(project: Path, cache: str, command: str) -> None:
    (project / "pyproject.toml").chmod(0)
    said = without_root(project, command, cache)
    assert said.stderr.startswith("error: ") and "pyproject.toml" in said.stderr and said.stderr.count("\n") == 1
    assert said.returncode == 2


def test_an_environment_that_nobody_may_read_is_still_one(project: Path, cache: str) -> None:
    write(project, {"env/pyvenv.cfg": "", "env/lib/inner.py": FAULTY})
    (project / "env/pyvenv.cfg").chmod(0)
    assert find_files([project / "env"], (), project) == [project / "env/lib/inner.py"]
    assert "Checked 3 files" in run(project, "check", cache).out


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "(.*a){25}$"])
def test_a_pattern_that_never_ends_is_one_line(project: Path, cache: str, pattern: str) -> None:
    write(project, {f"{'a' * 60}!/x.py": "", "pyproject.toml": f"{CONFIG}exclude = '{pattern}'\n"})
    said = elsewhere(run_with_little_time, project, ("check", cache))
    assert said.errors.startswith(f"error: exclude: '{pattern}' takes too long") and said.errors.count("\n") == 1
    assert said.code == 2


def run_with_little_time(project: Path, arguments: tuple[str, ...]) -> Said:
    """Runs the command with a tenth of the time for patterns: one that never ends has no end within the whole."""
    assert Exclusion.__init__.__defaults__ == (2.0,)
    with mock.patch.object(Exclusion.__init__, "__defaults__", (0.2,)):
        return run_here(project, arguments)


def test_many_patterns_share_the_time(tmp_path: Path) -> None:
    excluded = Exclusion(["(a+)+$"], tmp_path, seconds=0.5)
    with pytest.raises(Problem, match="takes too long"):
        for number in range(10_000):
            excluded(tmp_path / f"{'a' * 18}!{number}")


def test_a_pattern_is_read_as_mypy_reads_it(tmp_path: Path) -> None:
    excluded = Exclusion([r"^build/", r"(?i)_GEN\.py$", r"(a+)+\.py$"], tmp_path)
    (tmp_path / "build").mkdir()
    names = ("build", "build/a.py", "src/build/b.py", "x_gen.py", "aaa.py", "main.txt")
    assert [name for name in names if excluded(tmp_path / name)] == ["build", "build/a.py", "x_gen.py", "aaa.py"]


@pytest.mark.parametrize("pattern", ["(", "(" * 5000])
def test_what_is_no_pattern_is_one_line(tmp_path: Path, pattern: str) -> None:
    with pytest.raises(Problem, match="is not a regular expression"):
        Exclusion([pattern], tmp_path)


EDITABLE = "import __editable___app_finder; __editable___app_finder.install()"


@pytest.mark.parametrize("make", [fifo, link_to("/dev/zero")])
@pytest.mark.parametrize("name", ["a.pth", "__editable___app_finder.py", "../../../pyvenv.cfg"])
def test_an_environment_may_bring_what_is_no_file(tmp_path: Path, make: Callable[[Path], None], name: str) -> None:
    site = make_environment(tmp_path / ".venv", {"__editable__.app.pth": EDITABLE})
    (site / name).unlink(missing_ok=True)
    make(site / name)
    if name.endswith(".cfg"):
        with pytest.raises(Problem, match=r"it has no pyvenv\.cfg"):
            read_environment(tmp_path / ".venv")
    else:
        assert read_environment(tmp_path / ".venv").site_packages == (site,)


def test_an_environment_may_name_folders_that_cannot_be(tmp_path: Path) -> None:
    site = make_environment(tmp_path / ".venv", {"a.pth": f"{'x' * 5000}\n."})
    assert read_environment(tmp_path / ".venv").added == (site,)


def test_the_index_of_a_repository_may_be_no_file(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    (tmp_path / ".git").mkdir()
    fifo(tmp_path / ".git" / "index")
    require_own(tmp_path / NAME)


def test_a_file_that_python_cannot_parse_stops_no_proof(project: Path, cache: str) -> None:
    write(project, {"deep.py": f"x = {'-' * 20_000}1\n"})
    said = run(project, "check", cache)
    assert said.errors.startswith("error: deep.py:1:") and said.errors.count("\n") == 1
    assert "Found 2 problems" in said.out and said.code == 2


# Settings of mypy that nobody should have written, and what is said.
CONFIGURED = {
    "deep": (f"x = {'[' * 5000}", "pyproject.toml cannot be read: "),
    "no table": ("[tool]\nmypy = 1", "mypy cannot read its configuration in "),
    "tables": ("[[tool.mypy]]", "mypy cannot read its configuration in "),
    "a number": ("[tool.mypy]\nexclude = 5", "mypy cannot read its configuration in "),
    "a date": ("[tool.mypy]\ncustom_typeshed_dir = 1979-05-27", "mypy cannot read its configuration in "),
    "a null character": ('[tool.mypy]\nmypy_path = ["a\\u0000b"]', "names a path with a null character"),
    "stars": (f'[[tool.mypy.overrides]]\nmodule = "a{".*" * 30}.b"\nfollow_imports = "silent"', "use fewer '*'"),
}


@pytest.mark.parametrize("kind", CONFIGURED)
def test_odd_settings_of_mypy_are_one_line(project: Path, cache: str, kind: str) -> None:
    text, why = CONFIGURED[kind]
    write(project, {"pyproject.toml": text, "/".join("a" * 30) + "/c.py": ""})
    said = run(project, "check", cache)
    assert said.errors.startswith("error: ") and why in said.errors and said.errors.count("\n") == 1
    assert (said.out, said.code) == ("", 2)


def test_settings_for_the_tests_of_each_package_are_no_odd_ones(project: Path, cache: str) -> None:
    override = '[[tool.mypy.overrides]]\nmodule = ["*.a.*.b.*", "*.*.tests.*"]\nfollow_imports = "silent"\n'
    write(project, {"pyproject.toml": CONFIG + override})
    assert "Found 2 problems" in run(project, "check", cache).out


def test_files_that_are_looked_for_everywhere_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jaxtyped_static_cli.compat.options._SECONDS", 0.2)
    (tmp_path / "pyproject.toml").write_text('[tool.mypy]\nfiles = ["/**/**/nothing.py"]\n')
    with pytest.raises(Problem, match="takes too long to look for"):
        configured_options(tmp_path / "pyproject.toml")


# mypy 2.4.1 fails on a dataclass with an import and a field of one name: it says so to whoever runs it.
FAILS = """\
from dataclasses import dataclass


@dataclass
class Field:
    from enum import Enum as dims

    dims: int = 0
"""
# It fails on a result that is unpacked into a variable which was None: it says so to the streams of the process.
FAILS_INSIDE = """\
from collections.abc import Callable
from typing import TypeVar

Carry = TypeVar("Carry")
X = TypeVar("X")
Y = TypeVar("Y")


def scan(body: Callable[[Carry, X], tuple[Carry, Y]], init: Carry, xs: X | None = None) -> tuple[Carry, Y]:
    return 1


def run(first):
    def body(carry, _):
        last, key = carry
        return (last, key), (last, None)

    states = None
    carry = (first, 1)
    (last, _), (states, _) = scan(body, carry, None)
    return states
"""


@pytest.mark.parametrize("text", [FAILS, FAILS_INSIDE])
def test_a_file_on_which_mypy_fails_is_one_line_and_the_others_are_checked(
    text: str, project: Path, cache: str, capfd: pytest.CaptureFixture[str]
) -> None:
    write(project, {"app/field.py": text, "app/more.py": "import app.field\nimport app.steps\n"})
    said = run(project, "check", cache)
    assert (said.errors.count("\n"), said.code) == (1, 2)
    assert said.errors.startswith("error: app/field.py:1:1: not checked: mypy itself fails on it")
    assert "Solver is not frozen" in said.out
    assert capfd.readouterr() == ("", "")


def test_a_package_that_is_imported_by_the_name_of_its_file_is_checked(project: Path, cache: str) -> None:
    write(project, {"app/version.py": "from .__init__ import __doc__ as text\n"})
    said = run(project, "check", cache)
    assert (said.errors, said.code) == ("", 1)
    assert "Solver is not frozen" in said.out


def test_a_script_may_have_the_name_of_a_library_module(project: Path, cache: str) -> None:
    write(project, {"scripts/common/typing.py": "import typing\n", "scripts/common/run.py": "import typing\n"})
    said = run(project, "check", cache)
    assert (said.errors, said.code) == ("", 1)
    assert "Solver is not frozen" in said.out


def test_a_folder_of_a_package_may_have_a_file_with_the_name_of_a_library_module(project: Path, cache: str) -> None:
    write(project, {"core/parts/__init__.py": "", "core/parts/one.py": "import core.typing\n", "core/typing.py": ""})
    said = run(project, "check", cache)
    assert (said.errors, said.code) == ("", 1)
    assert "Solver is not frozen" in said.out


def test_a_file_that_is_imported_by_two_names_is_checked(project: Path, cache: str) -> None:
    files = {
        "src/parts/one.py": "from src.parts.two import X as X\n",
        "src/parts/two.py": "X = 1\n",
        "src/other.py": "from parts.two import X as X\nfrom app.steps import first as first\n",
        "run.py": "import sys\n\nsys.path.append('src')\nfrom parts.one import X\nfrom src.other import X as Y\n",
    }
    write(project, files)
    said = run(project, "check", cache)
    assert (said.errors, said.code) == ("", 1)
    assert "Solver is not frozen" in said.out
