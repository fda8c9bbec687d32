"""The built wheel and the editable install work, each in a fresh environment."""

from pathlib import Path

import pytest

from tests.e2e.environments import ROOT, create, install, mypy, run

pytestmark = pytest.mark.thorough

CONFIGURATION = '[tool.mypy]\nplugins = ["jaxtyped_static_mypy"]\n'

RUN_TIME = """
import importlib.util, sys
assert importlib.util.find_spec("mypy") is None
import jax.numpy as jnp
from jaxtyped_static import Static, jit, static_params

@jit
def power(x, n: Static[int]):
    return x ** n

assert power(jnp.float32(3), 2) == 9
assert static_params(power).argnames == ("n",)
assert "jaxtyped_static_mypy" not in sys.modules
"""

WITHOUT_JAX = """
import importlib.util
assert importlib.util.find_spec("jax") is None
import jaxtyped_static_mypy
"""

ORIGINS = """
from importlib.util import find_spec
print(*(find_spec(name).origin for name in ("jaxtyped_static", "jaxtyped_static_mypy", "jaxtyped_static_pytest")))
"""

SUITE = """
import sys

def test_off():
    assert "jaxtyped_static_pytest" in sys.modules
    assert "jax" not in sys.modules

def test_guarded():
    from jaxtyped_static import Static, jit

    class Solver:
        def __init__(self):
            self.dt = 0.1

    @jit
    def step(x, solver: Static[object]):
        return x

    step(1.0, Solver())

def test_traces(max_traces):
    from jaxtyped_static import jit

    with max_traces(jit(abs), 0):
        pass
"""

PLAIN = """\
from dataclasses import dataclass

@dataclass
class Point:
    x: int

Point("1")
"""

CONFIG = """\
from dataclasses import dataclass
from functools import partial

import jax

@dataclass
class Config:
    order: int

@partial(jax.jit, static_argnames="config")
def step(u: jax.Array, config: Config) -> jax.Array:
    return u * config.order
"""


def project(folder: Path, program: str, settings: str = "") -> Path:
    folder.mkdir()
    (folder / "pyproject.toml").write_text(CONFIGURATION + settings)
    (folder / "main.py").write_text(program)
    return folder


def test_the_runtime_works_without_mypy_and_the_extra_adds_the_checker(wheel: Path, tmp_path: Path) -> None:
    python = create(tmp_path / "env")
    install(python, wheel)
    run(python, "-c", RUN_TIME, cwd=tmp_path)

    install(python, f"jaxtyped-static[mypy] @ {wheel.as_uri()}")
    (error,) = (line for line in mypy(python, project(tmp_path / "jax", CONFIG)) if ": error:" in line)
    assert error.startswith("main.py:11: ")
    assert error.endswith("[static-mutable]")


def test_the_plugin_works_without_jax(wheel: Path, tmp_path: Path) -> None:
    python = create(tmp_path / "env")
    install(python, "mypy")
    install(python, "--no-deps", wheel)
    run(python, "-c", WITHOUT_JAX, cwd=tmp_path)

    (error,) = mypy(python, project(tmp_path / "plain", PLAIN))
    assert error.startswith("main.py:7: ")
    assert error.endswith("[arg-type]")

    refused = mypy(python, project(tmp_path / "refused", PLAIN, "[tool.jaxtyped_static]\nstrickt = true\n"))
    assert any("strickt" in line for line in refused), refused


def test_the_plugin_for_pytest_is_registered_and_off(wheel: Path, tmp_path: Path) -> None:
    python = create(tmp_path / "env")
    install(python, wheel, "pytest")
    (tmp_path / "test_it.py").write_text(SUITE)
    run(python, "-m", "pytest", "-k", "off", cwd=tmp_path)
    done = run(python, "-m", "pytest", "--jaxtyped-static", "-k", "not off", cwd=tmp_path, check=False)
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    assert "StaticContractError: step(): argument" in done.stdout, done.stdout
    assert "[static-mutable]" in done.stdout, done.stdout


def test_the_editable_install_is_the_checkout(tmp_path: Path) -> None:
    python = create(tmp_path / "env")
    install(python, "--no-deps", "--editable", ROOT)
    assert run(python, "-c", ORIGINS, cwd=tmp_path).stdout.split() == [
        str(ROOT / "jaxtyped_static/__init__.py"),
        str(ROOT / "mypy_plugin/jaxtyped_static_mypy/__init__.py"),
        str(ROOT / "pytest_plugin/jaxtyped_static_pytest/__init__.py"),
    ]
