"""Control flow outside of jit in a library: its examples and tests show how users call it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.cli.running import CONFIG, findings_of, write

pytestmark = pytest.mark.xdist_group("light")

LIBRARY = """\
import jax
from jax import lax


def minimum(x: jax.Array) -> jax.Array:
    def body(y: jax.Array, _: None) -> tuple[jax.Array, None]:
        return y - jax.grad(lambda y: y**2)(y), None

    return lax.scan(body, x, length=1000)[0]


def solve(x: jax.Array, n: int) -> jax.Array:
    def body(i: int, y: jax.Array) -> jax.Array:
        return y * n

    return lax.fori_loop(0, n, body, x)


def relax(x: jax.Array) -> jax.Array:
    for _ in range(100):
        x = lax.cond(x > 1, lambda y: y, lambda y: y + 1, x)
    return x


class Model:
    @classmethod
    def from_size(cls, size):
        return cls()

    def __call__(self, x):
        return self._scanned(x)

    def _scanned(self, x):
        def body(carry, y):
            return carry + y, None

        return lax.scan(body, 0.0, x)[0]


def simulated(model, x):
    step = stepping(model)

    def body(i, y):
        return step(y)

    return lax.fori_loop(0, 1000, body, x)


def stepping(model):
    return lambda x: model(x) * 2
"""


OFFERING = "from .solving import Model, minimum, simulated, solve\n"


SOLVE, RELAX, SCAN, SIMULATED = 16, 21, 37, 46


BY_USERS = {
    "nothing calls it": ({}, []),
    "an example": ({"examples/run.py": "import pkg\npkg.solve(1, 2)\n"}, [SOLVE]),
    "examples in a function that starts": (
        {"examples/run.py": "import pkg\ndef main():\n    pkg.solve(1, 2)\nmain()\n"},
        [SOLVE],
    ),
    "an example of a run of what it gives": ({"examples/run.py": "import pkg\npkg.simulated(abs, 1)\n"}, []),
    "an example of a whole run": ({"examples/run.py": "import pkg\npkg.minimum(1)\n"}, []),
    "an example that jits it": ({"examples/run.py": "import jax, pkg\njax.jit(pkg.solve)(1, 2)\n"}, []),
    "an example that jits what calls it": (
        {"examples/run.py": "import jax, pkg\n@jax.jit\ndef run(x):\n    return pkg.solve(x, 2)\nrun(1)\n"},
        [],
    ),
    "an example that hands it on": ({"examples/run.py": "import pkg\nrun(pkg.solve)\npkg.solve(1, 2)\n"}, []),
    "a function of an example that nothing calls": (
        {"examples/run.py": "import pkg\ndef run(x):\n    return pkg.solve(x, 2)\n"},
        [],
    ),
    "the import of a module": (
        {
            "pkg/data.py": "from .solving import solve\ndef table(): return solve(1, 2)\nX = table()\n",
            "pkg/other.py": "from .data import X\n",
        },
        [SOLVE],
    ),
    "what a module makes when it is imported": (
        {
            "pkg/data.py": "from .solving import solve\ndef create_table(): return solve(1, 2)\nX = create_table()\n",
            "pkg/other.py": "from .data import X\n",
        },
        [],
    ),
    "what an example sets up": (
        {"examples/run.py": "import pkg\ndef make_start():\n    return pkg.solve(1, 2)\nmake_start()\n"},
        [],
    ),
    "a program of the package": (
        {
            "pkg/cli.py": "from .run import run\ndef main(): run()\n",
            "pkg/run.py": "from .solving import solve\ndef run(): solve(1, 2)\n",
        },
        [],
    ),
    "a script": ({"run.py": "import pkg\npkg.solve(1, 2)\n"}, []),
    "a test": ({"tests/test_all.py": "import pkg\ndef test_solve():\n    pkg.solve(1, 2)\n"}, []),
    "several tests of what takes long": (
        {"tests/test_all.py": "import pkg\ndef test_solve():\n    pkg.solve(1, 2)\n    pkg.solve(2, 2)\n"},
        [],
    ),
    "several tests of what one of them jits": (
        {
            "tests/test_all.py": "import jax, pkg\ndef test_model():\n    model = pkg.Model()\n    model(1)\n"
            "    model(2)\n"
            "def test_jit():\n    model = pkg.Model()\n    jax.jit(model)(1)\n"
        },
        [],
    ),
    "several tests of what one of them jits by Equinox": (
        {
            "tests/test_all.py": "import equinox as eqx\nfrom pkg.solving import Model\ndef test_model():\n"
            "    Model()(1)\n    Model()(2)\n    fast = eqx.filter_jit(Model())\n    fast(1)\n"
        },
        [],
    ),
    "several tests of what the library calls": (
        {
            "pkg/other.py": "from .solving import Model\ndef run(x):\n    model = Model()\n    return model(x)\n",
            "pkg/more.py": "from .other import run\n",
            "tests/test_all.py": "import pkg\ndef test_model():\n    model = pkg.Model()\n    model(1)\n    model(2)\n",
        },
        [],
    ),
    "a function that no package offers": (
        {"pkg/__init__.py": "", "examples/run.py": "from pkg.solving import solve\nsolve(1, 2)\n"},
        [],
    ),
    "an object that an example calls": (
        {"examples/run.py": "import pkg\nmodel = pkg.Model.from_size(2)\nmodel(1)\n"},
        [SCAN],
    ),
    "an object that an example calls in a trace": (
        {"examples/run.py": "import jax, pkg\nmodel = pkg.Model()\n@jax.jit\ndef run(x): return model(x)\nrun(1)\n"},
        [],
    ),
    "a test of a loop that jits it": (
        {"tests/test_all.py": "import jax\nfrom pkg.solving import relax\ndef test_relax():\n    jax.jit(relax)(1)\n"},
        [],
    ),
    "a function in a test that may be traced": (
        {"tests/test_all.py": "from pkg.solving import relax\ndef test_relax():\n    def f(x): return relax(x)\n"},
        [],
    ),
}


PACKAGING = f"{CONFIG}\n[build-system]\n[project]\nname = 'pkg'\n"


AS_LIBRARY = {"pkg/__init__.py": OFFERING, "pkg/solving.py": LIBRARY, "pyproject.toml": PACKAGING}


# A test runs alone what users mostly compile as a part of something else.
OF_TESTS = {
    "several tests": (
        {"tests/test_all.py": "import pkg\ndef test_model():\n    model = pkg.Model()\n    model(1)\n    model(2)\n"},
        [SCAN],
    ),
    "a test of a loop": (
        {"tests/test_all.py": "from pkg.solving import relax\ndef test_relax():\n    relax(1)\n"},
        [RELAX],
    ),
}


@pytest.mark.parametrize(("files", "lines"), BY_USERS.values(), ids=BY_USERS)
def test_what_calls_a_library_shows_how_its_users_call_it(
    files: dict[str, str], lines: list[int], tmp_path: Path, cache: str
) -> None:
    write(tmp_path, {**AS_LIBRARY, **files})
    found = findings_of(tmp_path, cache)
    assert [one["line"] for one in found] == lines
    assert all("as users do" in note for one in found for note in one["notes"])


@pytest.mark.parametrize(("files", "lines"), OF_TESTS.values(), ids=OF_TESTS)
def test_what_tests_alone_show_is_potential(
    files: dict[str, str], lines: list[int], tmp_path: Path, cache: str
) -> None:
    write(tmp_path, {**AS_LIBRARY, **files})
    found = findings_of(tmp_path, cache, "--potential")
    shown = [one for one in found if any("as users may do" in note for note in one["notes"])]
    assert [(one["line"], one["harm"]) for one in shown] == [(line, "potential") for line in lines]


OFFERED = """\
import jax
from jax import lax
from tqdm import tqdm


def solve(x: jax.Array, n: int) -> jax.Array:
    def body(i: int, y: jax.Array) -> jax.Array:
        return y * n

    return lax.fori_loop(0, n, body, x)
"""


_NOTHING: Final = 'Nothing in the project calls "solve": this matters where users call it outside of jit'
_TESTS: Final = 'No code but that of tests calls "solve": this matters where users call it outside of jit'
_OUTER: Final = 'Nothing in the project calls "shown": this matters where users call it outside of jit'
_KEPT: Final = 'pkg/table.py:2 hands "solve" on: this matters where it is called outside of jit'
_SURELY: Final = '"solve" runs again and again, and not in a trace: nothing in the project calls "shown", so users do'

# What nothing in a library runs: what stands behind the function, other files, what is said, and whether by default.
LEFT_TO_USERS = {
    "nothing calls it": ("", {}, _NOTHING, False),
    "a test": ("", {"tests/test_all.py": "import pkg\ndef test_solve():\n    pkg.solve(1, 2)\n"}, _TESTS, False),
    "a test that jits it": (
        "",
        {"tests/test_all.py": "import jax, pkg\ndef test_solve():\n    jax.jit(pkg.solve)(1, 2)\n"},
        _TESTS,
        False,
    ),
    "what nothing calls calls it": ("def shown(x):\n    return solve(x, 2)\n", {}, _OUTER, False),
    "what shows progress calls it": (
        "def shown(x):\n    return [solve(y, 2) for y in tqdm(x)]\n",
        {},
        '"solve" runs again and again, and not in a trace: line 13 calls it in a loop',
        True,
    ),
    "what asks for a value calls it": (
        "def shown(x):\n    return float(jax.numpy.sum(solve(x, 2)))\n",
        {},
        _SURELY,
        True,
    ),
    "what asks for a value, and trains": (
        "def train(x):\n    return float(jax.numpy.sum(solve(x, 2)))\n",
        {},
        "",
        False,
    ),
    "a dict": ("", {"pkg/table.py": "from .solving import solve\nSOLVERS = {'plain': solve}\n"}, _KEPT, False),
    "another name": ("", {"pkg/names.py": "from . import solving\nsolved = solving.solve\n"}, _NOTHING, False),
    "a function that a module replaces": ("solve = wrapped(solve)\n", {}, "", False),
    "one that another module wraps": (
        "",
        {"pkg/f.py": "from . import solving\nf = wrapped(solving.solve)\n"},
        "",
        False,
    ),
    "a function that a module jits": ("fast = jax.jit(solve)\n", {}, "", False),
    "a caller that a module jits": ("def outer(x):\n    return solve(x, 2)\nfast = jax.jit(outer)\n", {}, "", False),
    "a private caller": ("def _outer(x):\n    return solve(x, 2)\n", {}, "", False),
    "no library": ("", {"pyproject.toml": CONFIG}, "", False),
}


@pytest.mark.parametrize(("more", "files", "said", "is_shown"), LEFT_TO_USERS.values(), ids=LEFT_TO_USERS)
def test_what_only_users_run_is_potential(
    more: str, files: dict[str, str], said: str, is_shown: bool, tmp_path: Path, cache: str
) -> None:
    """They may trace it, unless it does what nobody traces."""
    offering = "from .solving import shown, solve\n" if "def shown" in more else "from .solving import solve\n"
    library = {**AS_LIBRARY, "pkg/__init__.py": offering, "pkg/solving.py": f"{OFFERED}\n{more}"}
    write(tmp_path, {**library, **files})
    found = [one for one in findings_of(tmp_path, cache, "--potential") if one["line"] == 10]
    assert [one["notes"] for one in found] == ([[said]] if said else [])
    assert [one["harm"] != "potential" for one in found] == [is_shown] * len(found)


METHODS = """\
from elsewhere import Base
from jax import lax


class Model(Base):
    def solve(self, x):
        return lax.fori_loop(0, 9, lambda i, y: y * 2, x)


class Solver:
    def solve(self, x):
        return lax.fori_loop(0, 9, lambda i, y: y * 2, x)

    def _step(self, x):
        return lax.fori_loop(0, 9, lambda i, y: y * 2, x)
"""


def test_a_method_that_a_base_may_call_is_not_left_to_users(tmp_path: Path, cache: str) -> None:
    offering = "from .solving import Model, Solver\n"
    write(tmp_path, {**AS_LIBRARY, "pkg/__init__.py": offering, "pkg/solving.py": METHODS})
    found = findings_of(tmp_path, cache, "--potential")
    assert [(one["line"], one["harm"]) for one in found] == [(12, "potential")]


def test_a_loop_over_runs_of_what_an_example_gives(tmp_path: Path, cache: str) -> None:
    script = "import jax\nimport pkg\nx = jax.numpy.ones(())\nfor _ in range(100):\n    x = pkg.simulated(abs, x)\n"
    write(tmp_path, {**AS_LIBRARY, "examples/run.py": script})
    found = findings_of(tmp_path, cache)
    assert [one["line"] for one in found] == [SIMULATED]


def test_the_scripts_of_no_library_show_no_users(tmp_path: Path, cache: str) -> None:
    script = "import pkg\npkg.solve(1, 2)\n"
    write(tmp_path, {"pkg/__init__.py": OFFERING, "pkg/solving.py": LIBRARY, "run.py": script})
    assert not findings_of(tmp_path, cache)


# What is known of them by name, as a program sees it; with Diffrax 0.7.2 and Optimistix 0.1.0 under JAX 0.10.2, three
# calls with a new function each compiled three times (0.14 to 0.66 s each), and three with the same one, or a method of
# the same object, nothing.
SOLVERS: Final = {
    "diffrax.py": "class ODETerm:\n    def __init__(self, field): ...\n\n\ndef diffeqsolve(terms, t0, t1, y0): ...\n",
    "optimistix.py": "def root_find(fn, y0, args=None): ...\n",
    "main.py": """\
import diffrax
import jax
import jax.numpy as jnp
import optimistix as optx


def decay(t, y, args):
    return -y


class Pendulum:
    def field(self, t, y, args):
        return -y

    def advanced(self, y):
        def field(t, y, args):
            return -y

        term = diffrax.ODETerm(field)
        return diffrax.diffeqsolve(term, 0, 1, y)


def root(x):
    return optx.root_find(lambda y, args: y**2 - args, jnp.array(1.0), x)


@jax.jit
def compiled(y):
    return diffrax.diffeqsolve(diffrax.ODETerm(lambda t, y, args: -y), 0, 1, y)


pendulum, y = Pendulum(), jnp.ones(3)
term = diffrax.ODETerm(pendulum.field)
for _ in range(100):
    y = pendulum.advanced(y) + root(y)
    y = diffrax.diffeqsolve(diffrax.ODETerm(decay), 0, 1, y)
    y = compiled(diffrax.diffeqsolve(term, 0, 1, y))
""",
}


def test_solvers_of_libraries_compile_again_for_each_new_function(tmp_path: Path, cache: str) -> None:
    write(tmp_path, SOLVERS)
    found = findings_of(tmp_path, cache, "--potential")
    assert [(one["line"], one["harm"], one["problem"].partition(" because ")[2]) for one in found] == [
        (20, "recompiles", 'it gets a new "field"'),
        (24, "recompiles", "it gets a new lambda"),
    ]
