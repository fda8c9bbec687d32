"""An environment that lies in the project is read: mypy sees its packages as if its interpreter had been asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from mypy.modulefinder import get_search_dirs

from jaxtyped_static_cli.project.environments import read_environment
from jaxtyped_static_cli.terminal.problems import Problem
from tests.cli.environment_made import JAX, PROGRAM, PYTHON, SETTINGS, make_environment, write_files
from tests.cli.running import run, write

pytestmark = pytest.mark.xdist_group("light")


@pytest.mark.parametrize(
    ("settings", "lib"),
    [
        (SETTINGS, "lib/python3.12"),
        ("home = /usr/bin\nversion = 3.13.1\n", "lib/python3.13"),
        ("home=/usr/bin\nVERSION_INFO=3.13.1.final.0", "lib/python3.13t"),
        ("home = /usr/bin\nversion = 3.11.9\n", "lib64/python3.11"),
        ("home = /usr/bin\nversion = 3.11.9\nimplementation = PyPy\n", "lib/pypy3.11"),
        ("home = C:\\Python312\nversion = 3.12.0\n", "Lib"),
        ("home = /usr/bin\n", "lib/python3.12"),
    ],
)
def test_site_packages_are_where_the_settings_say(tmp_path: Path, settings: str, lib: str) -> None:
    site = make_environment(tmp_path / ".venv", settings=settings, lib=lib)
    make_environment(tmp_path / ".venv", settings=settings, lib="lib/python3.9") if "version" in settings else None
    assert read_environment(tmp_path / ".venv").site_packages == (site,)


def test_a_real_environment_is_read_as_its_interpreter_describes_it(tmp_path: Path) -> None:
    environment = tmp_path / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    folders, packages = read_environment(environment).search_folders
    site = Path(packages[0])
    (tmp_path / "source").mkdir()
    (site / "app.pth").write_text(f"# a comment\n\nimport os\n{tmp_path / 'source'}\nmissing\n")
    folders, packages = read_environment(environment).search_folders
    of_python, packages_of_python = get_search_dirs(str(environment / "bin" / "python"))
    # Debian's Python names three folders more, whether they are there or not.
    assert packages == [path for path in packages_of_python if Path(path).is_dir()]
    assert set(folders) == {path for path in of_python if Path(path).is_dir()}


def test_a_program_of_a_newer_python_than_the_command_s_is_checked(tmp_path: Path) -> None:
    newer = f"lib/python3.{max(12, sys.version_info.minor + 1)}"
    make_environment(tmp_path / "project" / ".venv", settings="home = /nowhere/bin\n", lib=newer)
    program = PROGRAM.replace("list[int]", "Sizes").replace("import jax\n", "import jax\n\ntype Sizes = list[int]\n")
    write_files(tmp_path / "project", {"main.py": program, "pyproject.toml": ""})
    said = run(tmp_path / "project", "check", f"--cache-dir={tmp_path / 'cache'}")
    assert "list[int] is mutable" in said.out and said.errors == ""


def test_an_editable_install_is_seen_without_its_import_hook(tmp_path: Path) -> None:
    site = make_environment(tmp_path / ".venv", {})
    write_files(tmp_path, {"src/app/__init__.py": "", "lone/module.py": "", "renamed/other/__init__.py": ""})
    mapping = {"app": f"{tmp_path}/src/app", "module": f"{tmp_path}/lone/module.py", "new": f"{tmp_path}/renamed/other"}
    finder = f"raise RuntimeError\nMAPPING: dict[str, str] = {mapping}\n"
    write_files(
        site,
        {
            "__editable__.app-1.pth": "import __editable___app_1_finder; __editable___app_1_finder.install()",
            "__editable___app_1_finder.py": finder,
            "_broken_editable.pth": "import __editable___broken_finder; __editable___broken_finder.install()",
            "__editable___broken_finder.py": "MAPPING: dict[str, str] = made()\n",
            "_other_editable.pth": "import other",
            "distutils-precedence.pth": "import os; os.environ",
        },
    )
    found = read_environment(tmp_path / ".venv")
    assert found.added == (tmp_path / "src", tmp_path / "lone")
    assert found.unseen == (site / "_broken_editable.pth", site / "_other_editable.pth")


def test_packages_of_the_system_are_seen_if_the_environment_includes_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    base, places = tmp_path / "usr", ["lib/python3/dist-packages", "local/lib/python3.12/dist-packages"]
    for place in places:
        (base / place).mkdir(parents=True)
    settings = SETTINGS.replace("/nowhere", str(base))
    site = make_environment(tmp_path / ".venv", {}, settings=settings)
    assert read_environment(tmp_path / ".venv").site_packages == (site,)
    (tmp_path / ".venv" / "pyvenv.cfg").write_text(settings.replace("false", "true"))
    assert set(read_environment(tmp_path / ".venv").site_packages) == {site, *(base / place for place in places)}


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"bin/python": ""}, "it has no pyvenv.cfg"),
        ({"pyvenv.cfg": "home = /usr/bin\nversion = 3.12.1\n", "lib/python3.11/site-packages/x": ""}, "is not where"),
        ({"pyvenv.cfg": ""}, "is not where"),
    ],
)
def test_what_cannot_be_read_has_to_be_named(tmp_path: Path, cache: str, files: dict[str, str], why: str) -> None:
    write(tmp_path, {"main.py": PROGRAM, **{f".venv/{name}": text for name, text in files.items()}})
    with pytest.raises(Problem, match=why):
        read_environment(tmp_path / ".venv")
    said = run(tmp_path, "check", cache)
    assert f"use it with --python {tmp_path}/.venv" in said.errors and said.errors.count("\n") == 1
    assert said.code == 2
    assert "static-mutable" in run(tmp_path, "check", cache, "--python", sys.executable).out


def test_packages_keep_the_meaning_that_they_have_for_mypy(tmp_path: Path, cache: str) -> None:
    """Their errors are not shown, and those without `py.typed` have no types."""
    bad = "import jax\n@jax.jit\ndef f(x: object) -> int:\n    return 'no number'\n"
    packages = {"typed/__init__.py": bad, "typed/py.typed": "", "untyped/__init__.py": bad}
    packages |= {"partial-stubs/__init__.pyi": "def f(x: int) -> int: ...", "partial/__init__.py": ""}
    make_environment(tmp_path / ".venv", {**JAX, **packages})
    calls = "import typed, untyped, partial\nreveal_type(typed.f)\nreveal_type(untyped.f)\nreveal_type(partial.f)\n"
    write_files(tmp_path, {"pyproject.toml": "", "main.py": calls})
    said = run(tmp_path, "check", "--all", "--format=json", cache)
    assert said.code == 0 and '"findings": []' in said.out, said
    said = run(tmp_path, "doctor", cache)
    assert "untyped: has no types; imported by 1 file" in said.out and "  typed:" not in said.out, said
    assert "partial" not in said.out


def test_a_link_to_the_project_s_interpreter_may_be_broken(tmp_path: Path, cache: str) -> None:
    """As it is where a folder is mounted into a container."""
    make_environment(tmp_path / ".venv")
    (tmp_path / ".venv" / "bin" / "python").unlink()
    write_files(tmp_path, {"pyproject.toml": "", "main.py": PROGRAM})
    said = run(tmp_path, "check", cache)
    assert "Found 1 problem" in said.out and PYTHON not in said.errors
