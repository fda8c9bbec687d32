"""How often a function runs that compiles something: `check` sees the whole program, mypy by itself one file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.repeated import FIT, LIBRARY, NOTHING_CALLS, PACKAGING, SOLVE, shown
from tests.cli.running import findings_of, run, write
from tests.plugin.running import run_mypy

# Beside the other tests of the command, not after them.
pytestmark = pytest.mark.xdist_group("programs")

ONLY_TESTS_CALL = "no code but that of tests calls it, so users do"
IN_THIS_FILE = "nothing in this file calls it, so users do"

# What other modules do with one of the functions, and what runs it again; None if nothing does.
PROGRAMS = {
    "nothing calls it": ("", FIT, NOTHING_CALLS),
    "called once": ("import lib\n\ndef main(y):\n    lib.fit(y, 1.0)\n", FIT, None),
    "called once at module level": ("from lib import fit as g\n\nprint(g(None, 1.0))\n", FIT, None),
    "called once by a function that runs once": (
        "import lib\n\ndef main(y):\n    run(y)\n\ndef run(y):\n    return lib.fit(y, 1.0)\n",
        FIT,
        None,
    ),
    "called once by an interface": (
        "import lib\n\ndef run(y):\n    lib.fit(y, 1.0)\n",
        FIT,
        'nothing in the project calls "run", so users do',
    ),
    "called only by what JAX compiles": (
        "import jax\nimport lib\n\n@jax.jit\ndef run(y):\n    return lib.fit(y, 1.0)\n",
        FIT,
        None,
    ),
    "called in a loop": (
        "import lib\n\ndef main(y):\n    for k in y:\n        lib.fit(y, k)\n",
        FIT,
        "train.py:5 calls it in a loop",
    ),
    "called by what a loop calls": (
        "import lib\n\ndef run(y):\n    lib.fit(y, 1.0)\n\nwhile True:\n    run(1)\n",
        FIT,
        'train.py:7 calls "run" in a loop',
    ),
    "called in a loop of passes that the source fixes": (
        "import lib\n\nKINDS = (1, 2)\n\ndef main(y):\n    for k in KINDS:\n        lib.fit(y, k)\n",
        FIT,
        None,
    ),
    "called in a loop that it leaves": (
        "import lib\n\ndef main(y):\n    for k in y:\n        lib.fit(y, k)\n        break\n",
        FIT,
        None,
    ),
    "called if there is no result yet": (
        "import lib\n\nresults = {}\n\ndef get(k):\n    if k not in results:\n        results[k] = lib.fit(k, k)\n",
        FIT,
        None,
    ),
    "called twice": (
        "import lib\n\ndef main(y):\n    lib.fit(y, 1.0)\n    lib.fit(y, 2.0)\n",
        FIT,
        None,
    ),
    "called once to set up and once to run": (
        "import lib\n\ndef main(y):\n    setup(y)\n    lib.fit(y, 2.0)\n\ndef setup(y):\n    lib.fit(y, 1.0)\n",
        FIT,
        None,
    ),
    "handed on": (
        "import lib\n\ndef main(pool, y):\n    pool.map(lib.fit, y)\n",
        FIT,
        'train.py:4 hands it to "pool.map", which calls it for each item',
    ),
    "called in a lambda": (
        "import lib\n\ndef main(pool, y):\n    pool.map(lambda k: lib.fit(y, k))\n",
        FIT,
        "train.py:4 hands it on",
    ),
    "looked at": ("import inspect\nimport lib\n\nprint(inspect.signature(lib.fit))\n", FIT, NOTHING_CALLS),
    "wrapped, and called once": (
        "import lib\nfrom util import debug_wrapper\n\ndef main(args, y):\n    fit = debug_wrapper(args, lib.fit)\n"
        "    return fit(y, 1.0)\n",
        FIT,
        None,
    ),
    "wrapped, and called in a loop": (
        "import lib\nfrom util import debug_wrapper\n\ndef main(args, y):\n    fit = debug_wrapper(args, lib.fit)\n"
        "    for k in y:\n        fit(y, k)\n",
        FIT,
        "train.py:7 calls it in a loop",
    ),
    "handed to what returns a function, which is called": (
        "import lib\nfrom util import padded\n\ndef main(y):\n    return padded(lib.fit, 2)(y, 1.0)\n",
        FIT,
        None,
    ),
    "handed to what returns an object, which is called": (
        "import lib\nfrom util import Newton\n\ndef main(y):\n    return Newton(lib.fit, 2)(y, 1.0)\n",
        FIT,
        'train.py:5 hands it to "Newton"',
    ),
    "named, and called once": (
        "import jax\nimport lib\n\ndef main(y):\n    return jax.named_call(lib.fit, name='fit')(y, 1.0)\n",
        FIT,
        None,
    ),
    "named, and called by what is compiled": (
        "import jax\nimport lib\n\n@jax.jit\ndef run(y):\n    return jax.named_call(lib.fit, name='fit')(y, 1.0)\n",
        FIT,
        None,
    ),
    "compiled": ("import jax\nimport lib\n\ndef run(y):\n    return jax.jit(lib.fit)(y, 1.0)\n", FIT, None),
    "compiled in a loop, which is what to say there": (
        "import jax\nimport lib\n\ndef main(y):\n    for k in y:\n        jax.jit(lib.fit)(y, k)\n",
        FIT,
        None,
    ),
    "compiled with something bound, and kept": (
        "import jax\nfrom functools import partial\nfrom lib import fit\n\nclass Model:\n"
        "    def __init__(self, k):\n        self.fit = jax.jit(partial(fit, k=k))\n",
        FIT,
        None,
    ),
    "compiled in a lambda, and kept": (
        "import equinox as eqx\nimport lib\n\nclass Model:\n    def reset(self, k):\n"
        "        self.fit = eqx.filter_jit(lambda y: lib.fit(y, k))\n",
        FIT,
        None,
    ),
    "compiled from a variable": (
        "import jax\nfrom functools import partial\nimport lib\n\ndef run(y):\n    fit = partial(lib.fit, k=1.0)\n"
        "    fast = jax.pmap(fit)\n    for x in y:\n        fast(x)\n",
        FIT,
        None,
    ),
    "called from a variable in a loop": (
        "import jax\nfrom functools import partial\nimport lib\n\ndef run(y):\n    fit = partial(lib.fit, k=1.0)\n"
        "    for x in y:\n        fit(x)\n",
        FIT,
        "train.py:8 calls it in a loop",
    ),
    "handed on from a variable": (
        "import lib\nfrom functools import partial\n\ndef run(pool, y):\n    fit = partial(lib.fit, k=1.0)\n"
        "    pool.map(fit, y)\n",
        FIT,
        'train.py:6 hands it to "pool.map", which calls it for each item',
    ),
    "called by what is compiled": (
        "import jax\nfrom functools import partial\nimport lib\n\n@partial(jax.jit, static_argnames='k')\n"
        "def run(y, k):\n    return lib.fit(y, k)\n",
        FIT,
        None,
    ),
    "mapped by what is compiled": (
        "import jax\nimport lib\n\ndef run(y):\n    def own(y):\n        f = jax.vmap(lambda x: lib.fit(x, 1.0))\n"
        "        return f(y)\n\n    return jax.jit(own)(y)\n",
        FIT,
        None,
    ),
    "a body of a scan": (
        "import jax\nimport lib\n\ndef run(y):\n    return jax.lax.scan(lib.fit, y, y)\n",
        FIT,
        None,
    ),
    "compiled, and called in a loop": (
        "import jax\nimport lib\n\nfast = jax.jit(lib.fit)\n\ndef main(y):\n    for k in y:\n        lib.fit(y, k)\n",
        FIT,
        "train.py:8 calls it in a loop",
    ),
    "compiled, and called by a user": (
        "import jax\nimport lib\n\nfast = jax.jit(lib.fit)\n\ndef run(y):\n    return lib.fit(y, 1.0)\n",
        FIT,
        'nothing in the project calls "run", so users do',
    ),
    "compiled, and called eagerly by two": (
        "import jax\nimport lib\n\ndef compiled(y):\n    return jax.jit(lambda x: lib.fit(x, 1.0))(y)\n\n"
        "def run(y):\n    return lib.fit(y, 1.0)\n\ndef log(y):\n    return lib.fit(y, 2.0)\n",
        FIT,
        'nothing in the project calls "run", so users do',
    ),
    "mapped, which compiles nothing": (
        "import jax\nimport lib\n\nwhile True:\n    jax.vmap(lib.fit)(1, 1)\n",
        FIT,
        "train.py:5 calls it in a loop",
    ),
    "mapped, and kept": (
        "import jax\nimport lib\n\ndef fits():\n    return jax.vmap(lib.fit)\n",
        FIT,
        "train.py:5 hands it on",
    ),
    "called on the host by what is compiled": (
        "import jax\nimport lib\n\n@jax.jit\ndef run(y):\n    return jax.pure_callback(lib.fit, y, y, 1.0)\n",
        FIT,
        'train.py:6 hands it to "jax.pure_callback"',
    ),
    "a method that the constructor compiles": (
        "import jax\nimport lib\n\nclass Model:\n    def __init__(self):\n        self.step = jax.jit(self._step)\n\n"
        "    def _step(self, y):\n        return lib.fit(y, 1.0)\n",
        FIT,
        None,
    ),
    "called in a loop of a constructor": (
        "import lib\n\nclass Model:\n    def __init__(self, ys):\n        for y in ys:\n            lib.fit(y, 1.0)\n\n"
        "def main(ys):\n    Model(ys)\n",
        FIT,
        None,
    ),
    "called in a loop of the constructor of a part": (
        "import lib\n\nclass Part:\n    def __init__(self, ys):\n        for y in ys:\n            lib.fit(y, 1.0)\n\n"
        "class Model:\n    def __init__(self, ys):\n        self.parts = [Part(y) for y in ys]\n\nModel([])\n",
        FIT,
        None,
    ),
    "called in a loop of the constructor of what a loop makes": (
        "import lib\n\nclass Model:\n    def __init__(self, ys):\n        for y in ys:\n            lib.fit(y, 1.0)\n\n"
        "def main(ys):\n    for y in ys:\n        print(Model(y))\n",
        FIT,
        "train.py:6 calls it in a loop",
    ),
    "the start of a program": (
        "import fire\nimport lib\n\nif __name__ == '__main__':\n    fire.Fire(lib.fit)\n",
        FIT,
        None,
    ),
    "called by a function that calls itself": (
        "import lib\n\ndef run(y, n):\n    lib.fit(y, n)\n    if n:\n        run(y, n - 1)\n",
        FIT,
        'train.py:6 calls "run", which runs it again',
    ),
    "called by a nested function": (
        "import lib\n\ndef main(y):\n    def run(k):\n        lib.fit(y, k)\n\n    run(1.0)\n",
        FIT,
        None,
    ),
    "called by a nested function that is handed on": (
        "import lib\n\ndef main(y):\n    def run(k):\n        lib.fit(y, k)\n\n    return run\n",
        FIT,
        'train.py:7 hands "run" on',
    ),
    "a method of a known object": ("import lib\n\ndef main(y):\n    lib.Solver().solve(y, 1.0)\n", SOLVE, None),
    "a method of an annotated parameter": (
        "from lib import Solver\n\ndef main(solver: Solver, y):\n    solver.solve(y, 1.0)\n",
        SOLVE,
        None,
    ),
    "a method of a known object in a loop": (
        "import lib\n\ndef main(y):\n    solver = lib.Solver()\n    for k in y:\n        solver.solve(y, k)\n",
        SOLVE,
        "train.py:6 calls it in a loop",
    ),
    "a method of an unknown object, too": (
        "import lib\n\ndef main(y, other):\n    lib.Solver().solve(y, 1.0)\n    other.solve(y)\n",
        SOLVE,
        None,
    ),
    "a method of an unknown object, in code that is compiled": (
        "import jax\n\n@jax.jit\ndef run(y, solver):\n    return solver.solve(y, 1.0)\n",
        SOLVE,
        None,
    ),
    "a method of an unknown object, which is compiled": (
        "import jax\n\ndef wrap(solver):\n    solver.solve = jax.jit(solver.solve)\n    return solver\n",
        SOLVE,
        None,
    ),
    "a method of an unknown object in a loop": (
        "def run(y, solver):\n    for k in y:\n        solver.solve(y, k)\n",
        SOLVE,
        "train.py:3 calls it in a loop",
    ),
    "a method of an object by its protocol, too": (
        "import lib\nfrom typing import Protocol\n\nclass Solves(Protocol):\n    def solve(self, y): ...\n\n"
        "def main(y, other: Solves):\n    lib.Solver().solve(y, 1.0)\n    other.solve(y)\n",
        SOLVE,
        None,
    ),
    "a method that a subclass inherits": (
        "import lib\n\nclass Own(lib.Solver):\n    pass\n\ndef main(y):\n    Own().solve(y, 1.0)\n",
        SOLVE,
        None,
    ),
    "a method that a subclass extends": (
        "import lib\n\nclass Own(lib.Solver):\n    def solve(self, y, k):\n        return super().solve(y, k)\n\n"
        "for k in range(9):\n    Own().solve(k, k)\n",
        SOLVE,
        'train.py:8 calls "solve" in a loop',
    ),
}


@pytest.mark.parametrize("title", PROGRAMS)
def test_what_other_modules_show(title: str, tmp_path: Path, cache: str) -> None:
    train, place, why = PROGRAMS[title]
    write(tmp_path, {"lib.py": LIBRARY, "train.py": train})
    assert shown(tmp_path, cache).get(place) == why


TEST = """\
import lib

def test_fit():
    for k in range(9):
        lib.fit(k, k)
        lib.Solver().solve(k, k)
"""
CASE = """\
import lib
from unittest import TestCase

class Fits(TestCase):
    def run_it(self):
        lib.fit(1, 2)
"""


def test_what_only_tests_run_is_silent(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"lib.py": LIBRARY, "test_lib.py": TEST})
    assert shown(tmp_path, cache) == {}
    write(tmp_path, {"test_lib.py": "", "test/probe.py": TEST})
    assert shown(tmp_path, cache) == {}
    handed = "def main(tried):\n    def fit():\n        return jax.jit(lambda x: x + 1)(1)\n\n    tried(fit)\n"
    scripts = {"test/a/probe.py": f"import jax\n\n{handed}", "test/a/smoke.py": "import probe\n\nprobe.main(print)\n"}
    write(tmp_path, scripts)
    assert shown(tmp_path, cache) == {}
    write(tmp_path, dict.fromkeys(scripts, ""))
    write(tmp_path, {"test_lib.py": "import lib\n\ndef test_fit(check):\n    check(lib.fit)\n", "test/probe.py": ""})
    assert shown(tmp_path, cache) == {FIT: ONLY_TESTS_CALL, SOLVE: NOTHING_CALLS}
    write(tmp_path, {"test_lib.py": "", "cases.py": CASE})
    assert shown(tmp_path, cache) == {SOLVE: NOTHING_CALLS}


def test_what_a_package_offers_is_there_for_users_although_only_tests_call_it(tmp_path: Path, cache: str) -> None:
    test = TEST.replace("import lib", "from app import lib")
    write(tmp_path, {"app/__init__.py": "from .lib import fit\n", "app/lib.py": LIBRARY, "test_lib.py": test})
    assert shown(tmp_path, cache) == {f"app/{FIT}": ONLY_TESTS_CALL}
    write(tmp_path, {"test_lib.py": "from app import fit\n\ndef test_it(check):\n    check(fit)\n"})
    assert shown(tmp_path, cache)[f"app/{FIT}"] == ONLY_TESTS_CALL
    write(tmp_path, {"app/__init__.py": ""})
    assert shown(tmp_path, cache) == {}


def test_a_public_method_of_what_a_package_offers_or_makes_is_there_for_users(tmp_path: Path, cache: str) -> None:
    """Only tests call it, on an object that the package has made, or on one of a class that it offers."""
    test = "from app import lib\n\ndef test_it(solver):\n    lib.Solver().solve(1, 2)\n"
    files = {"app/__init__.py": "", "app/lib.py": LIBRARY, "app/fits.py": "", "test_lib.py": test}
    write(tmp_path, files)
    assert f"app/{SOLVE}" not in shown(tmp_path, cache)
    made = "from app.lib import Solver\n\ndef solver():\n    return Solver()\n"
    for shows in ({"app/__init__.py": "from .lib import Solver\n"}, {"app/fits.py": made}):
        write(tmp_path, {**files, **shows, "other.py": "import app.fits\n"})
        assert shown(tmp_path, cache)[f"app/{SOLVE}"] == ONLY_TESTS_CALL
    private = {
        "app/lib.py": LIBRARY.replace("def solve", "def _solve"),
        "test_lib.py": test.replace("solve(", "_solve("),
    }
    write(tmp_path, {**files, **private, "app/fits.py": made})
    assert f"app/{SOLVE}" not in shown(tmp_path, cache)


def test_what_set_up_hands_on_runs_later(tmp_path: Path, cache: str) -> None:
    """A loop in it calls a public method again and again, although a constructor makes it."""
    kept = "\n        def run(y, solver: lib.Solver):\n            for k in y:\n                solver.solve(y, k)\n"
    model = f"import lib\n\n\nclass Model:\n    def __init__(self):{kept}\n        self.run = run\n"
    write(tmp_path, {"lib.py": LIBRARY, "model.py": model})
    assert shown(tmp_path, cache)[SOLVE] == "model.py:8 calls it in a loop"
    write(tmp_path, {"model.py": model.replace("self.run = run", "run((), lib.Solver())")})
    assert SOLVE not in shown(tmp_path, cache)


def test_mypy_by_itself_sees_one_file(tmp_path: Path) -> None:
    said = run_mypy(tmp_path, LIBRARY)
    assert said.out.count(IN_THIS_FILE) == 2


def test_the_evidence_has_its_place(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"lib.py": LIBRARY, "train.py": PROGRAMS["called in a loop"][0], "pyproject.toml": PACKAGING})
    first, _ = findings_of(tmp_path, cache)
    (evidence,) = first["evidence"]
    assert (evidence["path"], evidence["line"]) == ("train.py", 5)
    said = run(tmp_path, "check", cache).out
    assert "\n    --> train.py:5 | lib.fit(y, k)\n" in said and IN_THIS_FILE not in said


SEVERAL = {
    "called twice": (FIT, "train.py:4 and 5 call it"),
    "a method of an unknown object, too": (SOLVE, "train.py:4 and 5 call it"),
    "a method of an object by its protocol, too": (SOLVE, "train.py:8 and 9 call it"),
}


def _potential(project: Path, cache: str) -> dict[str, str | None]:
    """What is only potential, and why."""
    all_found, usual = shown(project, cache, "--potential"), shown(project, cache)
    return {place: why for place, why in all_found.items() if place not in usual}


@pytest.mark.parametrize("title", SEVERAL)
def test_several_calls_without_a_loop_are_potential(title: str, tmp_path: Path, cache: str) -> None:
    place, why = SEVERAL[title]
    write(tmp_path, {"lib.py": LIBRARY, "train.py": PROGRAMS[title][0]})
    assert _potential(tmp_path, cache)[place] == why


def test_another_module_may_have_the_loop(tmp_path: Path, cache: str) -> None:
    twice = f"{LIBRARY}\n\ndef main(y):\n    fit(y, 1.0)\n    fit(y, 2.0)\n"
    write(tmp_path, {"lib.py": twice, "train.py": "import lib\n"})
    assert _potential(tmp_path, cache)[FIT] == "lib.py:17 and 18 call it"
    write(tmp_path, {"train.py": PROGRAMS["called in a loop"][0]})
    assert shown(tmp_path, cache)[FIT] == "train.py:5 calls it in a loop"


def test_what_several_programs_run_once_each_compiles_once(tmp_path: Path, cache: str) -> None:
    script = "import lib\n\nif __name__ == '__main__':\n    lib.fit(1, 2.0)\n"
    write(tmp_path, {"lib.py": LIBRARY, "a.py": script, "b.py": script})
    assert FIT not in _potential(tmp_path, cache)
    write(tmp_path, {"b.py": f"{script}    lib.fit(1, 3.0)\n"})
    assert _potential(tmp_path, cache)[FIT] == "b.py:4 and 5 call it"
    write(tmp_path, {"b.py": script, "c.py": "import b\n"})
    assert _potential(tmp_path, cache)[FIT] == "a.py:4 and b.py:4 call it"
    started = "import lib\n\nLIMIT = 1\n\ndef run():\n    lib.fit(1, 2.0)\n\nif __name__ == '__main__':\n    run()\n"
    write(tmp_path, {"a.py": started, "b.py": started, "c.py": "from b import LIMIT\n"})
    assert FIT not in shown(tmp_path, cache)
    plain = "import lib\n\nlib.fit(1, 2.0)\n"
    write(tmp_path, {"a.py": plain, "b.py": plain, "c.py": ""})
    assert FIT not in shown(tmp_path, cache)


NET = """\
import jax


class Net:
    def __call__(self, y: jax.Array) -> jax.Array:
        return jax.jit(lambda x: x * 2)(y)


class Other:
    def __call__(self, y: jax.Array) -> jax.Array:
        return jax.jit(lambda x: x * 3)(y)
"""


def test_a_call_of_an_object_runs_the_method_of_its_class(tmp_path: Path, cache: str) -> None:
    train = "from lib import Net\n\nclass Run:\n    def __init__(self):\n        self.net = Net()\n"
    loop = "    def run(self, y):\n        for _ in range(9):\n            y = self.net(y)\n"
    write(tmp_path, {"lib.py": NET, "train.py": f"{train}\n{loop}"})
    assert shown(tmp_path, cache)["lib.py:6"] == "train.py:9 calls it in a loop"
    assert shown(tmp_path, cache).get("lib.py:11") != "train.py:9 calls it in a loop"


ASKED = """\
import jax


def fit(y: jax.Array, k: float) -> jax.Array:
    return jax.jit(lambda x: x * k)(y)


def run(y: jax.Array) -> None:
    fit(y, 1.0)


if __name__ == "__main__":
    run(jax.numpy.ones(3))
"""


@pytest.mark.parametrize(
    ("train", "why"),
    [
        ("import app\n\ndef sweep(y):\n    for k in y:\n        app.fit(y, k)\n", "train.py:5 calls it in a loop"),
        ("import app\n\ndef main(y):\n    app.fit(y, 2.0)\n", None),
        ("import app\n\nfor y in open('f'):\n    app.run(y)\n", 'train.py:4 calls "run" in a loop'),
        ("import app\n\ndef sweep(y):\n    app.fit_all(y)\n", None),
        ("", None),
    ],
)
def test_what_runs_once_in_its_file_is_shown_where_another_module_runs_it_again(
    train: str, why: str | None, tmp_path: Path, cache: str
) -> None:
    write(tmp_path, {"app.py": ASKED, "train.py": train})
    assert shown(tmp_path, cache) == ({"app.py:5": why} if why is not None else {})


DECORATED = """\
import jax


def fit(xs: list[jax.Array], k: float) -> None:
    for x in xs:

        @jax.jit
        def step(y: jax.Array) -> jax.Array:
            return y * k

        step(x)


def once(x: jax.Array, k: float) -> jax.Array:
    @jax.jit
    def step(y: jax.Array) -> jax.Array:
        return y * k

    return step(x)
"""


def test_a_function_that_a_jit_call_decorates_is_not_around_it(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"lib.py": DECORATED})
    assert shown(tmp_path, cache) == {"lib.py:7": "", "lib.py:15": NOTHING_CALLS}
