"""Functions that nothing in a program calls: `check` asks whether its users may call them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.repeated import LIBRARY, NOTHING_CALLS, shown
from tests.cli.running import CONFIG, findings_of, write
from tests.plugin.running import run_mypy

pytestmark = pytest.mark.xdist_group("light")

DEAD = """\
import jax
import jax.numpy as jnp


def sweep(y: list[float]) -> None:
    for k in y:
        f = jax.jit(lambda x: x * k)
        f(k)
    fit(jnp.ones(3), 1.0)


def fit(y: jax.Array, k: float) -> jax.Array:
    return jax.jit(lambda x: x * k)(y)


def evaluate(y):
    print(y)


if __name__ == "__main__":
    evaluate(jnp.ones(3))
"""
PLACES = {"app.py:7": "", "app.py:13": 'nothing in the project calls "sweep", so users do'}


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ({}, {}),
        ({"other.py": "import json\n"}, {}),
        ({"app.py": DEAD.partition("if __name__")[0] + "evaluate(1)\n"}, {}),
        ({"app.py": DEAD.partition("if __name__")[0]}, PLACES),
        ({"app.py": DEAD + "    globals()[input()]()\n"}, PLACES),
        ({"other.py": "from app import evaluate\n"}, PLACES),
        ({"other.py": "import app\n\napp.sweep(1)\n"}, {"app.py:7": ""}),
    ],
)
def test_what_nothing_calls_in_a_program_never_runs(
    others: dict[str, str], expected: dict[str, str], tmp_path: Path, cache: str
) -> None:
    write(tmp_path, {"app.py": DEAD, **others})
    assert shown(tmp_path, cache) == expected


@pytest.mark.parametrize(
    ("others", "is_shown"),
    [
        ({}, False),
        ({"tests/test_fit.py": "from pkg.lib import Solver, fit\n"}, False),
        ({"pkg/__init__.py": "from .lib import Solver, fit\n"}, True),
        ({"pkg/__init__.py": "from .lib import *\n"}, True),
        ({"pkg/__init__.py": "from . import lib\n"}, True),
        ({"pkg/other.py": "from .lib import Solver as S, fit as g\n"}, True),
    ],
)
def test_users_call_what_a_package_offers_them(
    others: dict[str, str], is_shown: bool, tmp_path: Path, cache: str
) -> None:
    write(tmp_path, {"pkg/__init__.py": "", "pkg/lib.py": LIBRARY, **others})
    assert shown(tmp_path, cache) == (
        dict.fromkeys(["pkg/lib.py:8", "pkg/lib.py:13"], NOTHING_CALLS) if is_shown else {}
    )
    assert [one["harm"] for one in findings_of(tmp_path, cache, "--potential")] == [
        "recompiles" if is_shown else "potential"
    ] * 2


CALLING = "from pkg.lib import Solver, fit\n\nfit(1, 1)\nSolver().solve(1, 1)\n"
SHOWN = "no code but that of examples calls it, so users do"
BOTH = ["pkg/lib.py:8", "pkg/lib.py:13"]


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ({"examples/fit.py": CALLING}, dict.fromkeys(BOTH, SHOWN)),
        ({"docs/tutorials/fit.py": CALLING, "example1.py": CALLING}, dict.fromkeys(BOTH, SHOWN)),
        ({"examples/fit.py": CALLING, "tests/test_fit.py": CALLING}, dict.fromkeys(BOTH, SHOWN)),
        ({"train.py": CALLING}, {}),
        ({"examples/fit.py": CALLING, "train.py": CALLING}, {}),
        (
            {
                "examples/__init__.py": "",
                "examples/lib.py": LIBRARY,
                "examples/fit.py": CALLING.replace("pkg", "examples"),
            },
            {},
        ),
    ],
)
def test_an_example_calls_what_users_call(
    others: dict[str, str], expected: dict[str, str], tmp_path: Path, cache: str
) -> None:
    library = {} if "examples/lib.py" in others else {"pkg/__init__.py": "", "pkg/lib.py": LIBRARY}
    write(tmp_path, {**library, **others})
    assert shown(tmp_path, cache) == expected


BUILT = "[build-system]\n[project]\nname = 'lib'\n"
FOUND = f"{CONFIG}\n{BUILT}"
MISSPELT = FOUND + "[tool.poetry]\npackages = [{ include = 'packaged' }]\n"
PACKAGE = {"pkg/__init__.py": "from .fitting import Solver, fit\n", "pkg/fitting.py": LIBRARY}
USED = {
    "a module alone": ({"lib.py": LIBRARY}, False),
    "a module of a package alone": (PACKAGE, False),
    "a module that is installed": ({"lib.py": LIBRARY, "pyproject.toml": FOUND}, True),
    "a script beside what is installed": ({"eval.py": LIBRARY, "lib.py": "", "pyproject.toml": FOUND}, False),
    "a package that is installed": ({**PACKAGE, "setup.py": "setup(packages=find_packages())"}, True),
    "listed": ({**PACKAGE, "setup.cfg": "[options]\npackages =\n    pkg\n    pkg.inner\n"}, True),
    "not listed": ({**PACKAGE, "pyproject.toml": MISSPELT}, False),
    "an application of uv": ({**PACKAGE, "pyproject.toml": f"{CONFIG}\n[project]\nname = 'pkg'\n"}, False),
    "settings of tools alone": (
        {**PACKAGE, "setup.cfg": "[flake8]\n", "pyproject.toml": f"{CONFIG}\n[tool.ruff]\n"},
        False,
    ),
    "imported by tests": ({**PACKAGE, "tests/test_all.py": "import pkg\n"}, True),
    "imported by examples": ({**PACKAGE, "examples/all.py": "from pkg.other import y\n"}, True),
    "imported by a script": ({**PACKAGE, "train.py": "import pkg\n"}, False),
    "a package of scripts": (
        {"scripts/__init__.py": "from .fitting import Solver, fit\n", "scripts/fitting.py": LIBRARY}
        | {"pyproject.toml": FOUND},
        False,
    ),
}


@pytest.mark.parametrize(("files", "has_users"), USED.values(), ids=USED)
def test_a_library_has_users_and_other_programs_have_none(
    files: dict[str, str], has_users: bool, tmp_path: Path, cache: str
) -> None:
    assert have_users(write(tmp_path, files), cache) == [has_users] * 2


def test_a_library_below_src_has_users(tmp_path: Path, cache_with_jax: str) -> None:
    """A setting of `mypy_path`, as for the small jax, would say where the packages are."""
    files = {f"src/{name}": text for name, text in PACKAGE.items()}
    assert have_users(write(tmp_path, {**files, "pyproject.toml": BUILT}), cache_with_jax) == [True] * 2


def have_users(project: Path, cache: str) -> list[bool]:
    """Whether users run again what compiles, for each place; its harm and its notes agree about that."""
    found = findings_of(project, cache, "--potential", "--select=jit-retrace")
    told = ["so users do" in " ".join(one["notes"]) for one in found]
    assert [one["harm"] for one in found] == ["recompiles" if is_told else "potential" for is_told in told]
    return told


def test_mypy_by_itself_leaves_out_what_nothing_calls_below_a_guard(tmp_path: Path) -> None:
    assert "jit-retrace" not in run_mypy(tmp_path, DEAD).out
    assert run_mypy(tmp_path, DEAD.partition("if __name__")[0]).out.count("[jit-retrace]") == 2


RAISING = """\
import jax
import jax.numpy as jnp


@jax.jit
def _unused(x: jax.Array, n: int) -> jax.Array:
    return jnp.zeros(n)


@jax.jit
def _used(x: jax.Array, n: int) -> jax.Array:
    return jnp.zeros(n)


@jax.jit
def offered(x: jax.Array, n: int) -> jax.Array:
    return jnp.zeros(n)


def run(x: jax.Array) -> jax.Array:
    return _used(x, 3)
"""


def test_what_nothing_calls_raises_nothing(tmp_path: Path, cache_with_jax: str) -> None:
    def raising(text: str) -> list[tuple[int, str]]:
        write(tmp_path, {"pyproject.toml": "", "lib.py": text})
        return [
            (one["line"], one["harm"])
            for one in findings_of(tmp_path, cache_with_jax, "--potential", "--select=static-traced")
        ]

    assert sorted(raising(RAISING)) == [(7, "potential"), (12, "raises"), (17, "raises")]
    started = f'{RAISING}\n\nif __name__ == "__main__":\n    run(jnp.ones(2))\n'
    assert sorted(raising(started)) == [(7, "potential"), (12, "raises"), (17, "potential")]


def harms(project: Path, cache: str) -> dict[str, str]:
    return {
        f"{one['path']}:{one['line']}": one["harm"]
        for one in findings_of(project, cache, "--potential", "--select=jit-branch")
    }


BRANCHING = """\
from functools import partial

import jax


@partial(jax.vmap, in_axes=0)
def is_inside(p: jax.Array) -> jax.Array:
    return 0 < p < 1


@jax.jit
def _is_inside(p: jax.Array) -> jax.Array:
    return 0 < p < 1


def _points(ps: jax.Array) -> jax.Array:
    return _is_inside(ps)


def draw(ps: jax.Array) -> None:
    print(ps)
"""
SCRIPT = 'if __name__ == "__main__":\n    draw(0)\n'
PUBLIC, PRIVATE = "demos/digits/shapes.py:8", "demos/digits/shapes.py:13"


@pytest.mark.parametrize(
    ("others", "public", "private"),
    [
        ({}, "raises", "potential"),
        ({"demos/digits/run.py": f"from shapes import draw\n\n{SCRIPT}"}, "potential", "potential"),
        ({"demos/digits/run.py": f"import shapes\n\nshapes.is_inside(0)\n\n{SCRIPT}"}, "raises", "potential"),
        ({"demos/digits/run.py": f"from shapes import draw, is_inside\n\n{SCRIPT}"}, "raises", "potential"),
        ({"demos/digits/run.py": f"from shapes import *\n\n{SCRIPT}"}, "raises", "potential"),
        ({"demos/digits/run.py": f"from shapes import _points, draw\n\n{SCRIPT}"}, "potential", "raises"),
        ({"demos/digits/run.py": f"from demos.digits.shapes import draw\n\n{SCRIPT}"}, "raises", "potential"),
        ({"demos/run.py": f"from digits.shapes import draw\n\n{SCRIPT}"}, "raises", "potential"),
        ({"tests/test_shapes.py": "from demos.digits.shapes import _points\n\n_points(0)\n"}, "raises", "raises"),
    ],
)
def test_what_lies_beside_scripts_is_offered_to_nobody(
    others: dict[str, str], public: str, private: str, tmp_path: Path, cache: str
) -> None:
    write(tmp_path, {"demos/digits/shapes.py": BRANCHING, **others})
    assert harms(tmp_path, cache) == {PUBLIC: public, PRIVATE: private}
