"""A check that cannot see JAX finds nothing, and says so: each time, in every format and by every command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.environment_made import JAX, PROGRAM, make_environment, write_files
from tests.cli.running import run

pytestmark = pytest.mark.xdist_group("light")

SKIP = '[tool.mypy]\nfollow_imports = "skip"\n'
ERROR = '[tool.mypy]\nfollow_imports = "error"\nignore_missing_imports = true\n'
WHOLE = '[[tool.mypy.overrides]]\nmodule = "jax.*"\nfollow_imports = "{}"\n'
PART = '[[tool.mypy.overrides]]\nmodule = "jax._src.*"\nfollow_imports = "skip"\n'
MENDED = '[[tool.mypy.overrides]]\nmodule = "jax.*"\nfollow_imports = "normal"\n'
SITE = ".venv/lib/python3.12/site-packages"
JIT = "def jit(fun: object = ..., **options: object): ...\nclass Array: ...\n"
COMMANDS = [
    *("check --format=json", "census", "doctor", "migrate"),
    *(pytest.param(one, marks=pytest.mark.thorough) for one in ("check", "check --format=sarif", "check --fix")),
]

# What hides JAX: files of the project, and what is said.
BLIND = {
    "skip": ({"pyproject.toml": WHOLE.format("skip")}, 'follow_imports = "skip" hides jax from mypy'),
    "error": ({"pyproject.toml": WHOLE.format("error")}, 'follow_imports = "error" hides jax from mypy'),
    "skip a part": ({"pyproject.toml": PART}, 'follow_imports = "skip" hides jax._src.api from mypy'),
    "a module": ({"jax.py": "import jax\njax.jit\n"}, "/jax.py hides jax from mypy"),
    "a package": ({"jax/__init__.py": "def jit(f): return f\n"}, "/jax/__init__.py hides jax from mypy"),
    "a package with a part of that name": (
        {"jax/__init__.py": "def jit(f): return f\n", "jax/_src/__init__.py": ""},
        "/jax/__init__.py hides jax from mypy",
    ),
    "a package with a copy of that part": (
        {"jax/__init__.py": "def jit(f): return f\n", "jax/_src/api.py": "def jit(f): return f\n"},
        "/jax/__init__.py hides jax from mypy",
    ),
    "stubs by hand": ({"jax/__init__.pyi": JIT}, "/jax/__init__.pyi hides jax from mypy"),
    "stubs by hand on mypy's path": (
        {"pyproject.toml": '[tool.mypy]\nmypy_path = "typings"\n', "typings/jax/__init__.pyi": JIT},
        "/typings/jax/__init__.pyi hides jax from mypy",
    ),
    "stubs by hand in the environment": ({f"{SITE}/jax-stubs/__init__.pyi": JIT}, "/__init__.pyi hides jax from mypy"),
    "empty stubs": ({f"{SITE}/jax-stubs/__init__.pyi": ""}, "/jax-stubs/__init__.pyi hides jax from mypy"),
    "stubs of the project": (
        {"pyproject.toml": '[tool.mypy]\nmypy_path = "typings"\n', "typings/jax/__init__.pyi": ""},
        "/typings/jax/__init__.pyi hides jax from mypy",
    ),
    "the markers": ({"jaxtyped_static.py": "jit = 1", "main.py": "import jaxtyped_static"}, "hides jaxtyped_static"),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    make_environment(tmp_path / ".venv")
    return write_files(tmp_path, {"pyproject.toml": "", "main.py": PROGRAM, "tools.py": "import os\n"})


@pytest.mark.parametrize("kind", BLIND)
def test_a_blind_check_says_so_each_time(project: Path, cache: str, kind: str) -> None:
    files, why = BLIND[kind]
    write_files(project, files)
    first, second = (run(project, "check", cache) for _ in range(2))
    assert why in first.errors and "so nothing can be found in main.py; " in first.errors
    assert (first.errors.count("\n"), first.out, first.code) == (1, "", 2)
    assert second == first


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("kind", ["skip", pytest.param("a module", marks=pytest.mark.thorough)])
def test_every_command_says_so(project: Path, cache: str, kind: str, command: str) -> None:
    files, why = BLIND[kind]
    write_files(project, files)
    said = run(project, *command.split(), cache)
    assert why in said.errors and said.code == 2
    assert "Nothing found" not in said.out and (project / "main.py").read_text() == PROGRAM


@pytest.mark.parametrize("settings", [WHOLE.format("skip"), WHOLE.format("error"), PART])
def test_the_setting_that_is_named_mends_it(project: Path, cache: str, settings: str) -> None:
    write_files(project, {"pyproject.toml": settings})
    assert 'set follow_imports = "normal" for the modules "jax.*" in ' in run(project, "check", cache).errors
    write_files(project, {"pyproject.toml": MENDED})
    said = run(project, "check", cache)
    assert (said.errors, said.code) == ("", 1)


@pytest.mark.parametrize("settings", [SKIP, ERROR])
def test_a_setting_for_all_modules_hides_nothing(project: Path, cache: str, settings: str) -> None:
    write_files(project, {"pyproject.toml": settings})
    said = run(project, "check", cache)
    assert (said.errors, said.code) == ("", 1)


@pytest.mark.parametrize("kind", [kind for kind in BLIND if kind != "the markers"])
def test_files_that_do_not_use_jax_need_not_see_it(project: Path, cache: str, kind: str) -> None:
    """As pre-commit passes them, one by one."""
    write_files(project, BLIND[kind][0])
    said = run(project, "check", cache, "tools.py")
    assert said.out.startswith("Nothing found.\n") and (said.errors, said.code) == ("", 0)


@pytest.mark.parametrize("command", COMMANDS)
def test_without_jax_every_command_says_so(project: Path, cache: str, command: str) -> None:
    for name in JAX:
        (project / SITE / name).unlink()
    for _ in range(2):
        said = run(project, *command.split(), cache)
        assert "hides jax from mypy" in said.errors or "no JAX with types in" in said.errors, said
        assert said.code == 2


def test_a_script_in_a_folder_of_its_own_hides_jax_from_nobody(project: Path, cache: str) -> None:
    write_files(project, {"examples/jax.py": "import main\n", "examples/other.py": "import jax\n"})
    said = run(project, "check", cache)
    assert (said.errors, said.code) == ("", 1)
    assert "main.py" in said.out


def test_jax_itself_may_be_checked(tmp_path: Path, cache: str) -> None:
    write_files(tmp_path, {"pyproject.toml": "", "main.py": PROGRAM, **JAX})
    assert run(tmp_path, "check", cache).code == 1


def test_a_folder_may_have_the_name_of_jax(project: Path, cache: str) -> None:
    other = PROGRAM.replace("step", "other_step")  # a copy would be one finding
    write_files(project, {"examples/jax/train.py": other, "jax/notes.txt": ""})
    assert "Found 2 problems" in run(project, "check", cache).out


def test_what_is_hidden_of_jax_need_not_matter(project: Path, cache: str) -> None:
    """A setting that spares mypy the rest of JAX, for a program that does not use it."""
    write_files(project / SITE, {"jax/__init__.py": f"import jax.experimental\n{JAX['jax/__init__.py']}"})
    write_files(project / SITE, {"jax/experimental/__init__.py": ""})
    write_files(project, {"pyproject.toml": PART.replace("_src", "experimental")})
    assert run(project, "check", cache).code == 1
    write_files(project, {"tools.py": "from jax.experimental import things\n"})
    assert "hides jax.experimental from mypy" in run(project, "check", cache).errors
