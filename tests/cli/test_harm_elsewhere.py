"""What modules show that import the one with a finding: alone it is potential, and `check` says what they do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import CONFIG, findings_of, write

pytestmark = pytest.mark.xdist_group("light")

METHOD = """\
import jax


class Solver:
    def __init__(self, dt: float) -> None:
        self.dt = dt
        self.name = "euler"

    def step(self, y: jax.Array) -> jax.Array:
        return self._scaled(y)

    def _scaled(self, y: jax.Array) -> jax.Array:
        return y * self.dt


def compiled(solver: Solver) -> object:
    return jax.jit(solver.step)
"""
RENAMES = """\
import solvers


def rename(solver: solvers.Solver) -> None:
    solver.name = "rk4"
"""
HALVES = """\
import solvers


def halve(solver: solvers.Solver) -> None:
    solver.dt /= 2
"""
STATE = """\
from dataclasses import dataclass, field

import jax


@jax.tree_util.register_dataclass
@dataclass
class State:
    u: jax.Array
    names: list[str] = field(metadata={"static": True})
"""
USES = """\
import jax
import states

scale = jax.jit(lambda state: state.u * len(state.names))
state = states.State(jax.numpy.ones(()), ["a"])
scale(state)
"""
GROWS = USES + '\n\ndef grow() -> None:\n    state.names.append("b")\n'
APPENDS = f"{GROWS}\n\ngrow()\nscale(state)\n"


def found(project: Path, cache: str, *arguments: str) -> list[Any]:
    findings = findings_of(project, cache, *arguments)
    return [(one["code"], one["harm"], [shown["text"] for shown in one["evidence"]]) for one in findings]


def test_a_compiled_method_keeps_what_another_module_assigns(tmp_path: Path, cache: str) -> None:
    project = write(tmp_path, {"pyproject.toml": CONFIG, "solvers.py": METHOD, "train.py": RENAMES})
    assert found(project, cache) == []
    assert found(project, cache, "--potential") == [("jit-bound-method", "potential", [])]
    write(project, {"train.py": HALVES})
    keeps = 'train.py:5 assigns "dt": what was compiled before keeps the old value'
    assert found(project, cache) == [("jit-bound-method", "wrong", [keeps])]


def test_what_sets_up_an_object_leaves_nothing_behind_unless_a_loop_calls_it(tmp_path: Path, cache: str) -> None:
    loads = HALVES.replace("halve", "load_settings")
    project = write(tmp_path, {"pyproject.toml": CONFIG, "solvers.py": METHOD, "train.py": loads})
    assert found(project, cache) == []
    write(project, {"run.py": "import train\n\nfor solver in open('solvers'):\n    train.load_settings(solver)\n"})
    keeps = 'train.py:5 assigns "dt": what was compiled before keeps the old value'
    assert found(project, cache) == [("jit-bound-method", "wrong", [keeps])]


WORKFLOW = """\
import abc

from solvers import Solver


class Workflow(abc.ABC):
    def __init__(self, solver: Solver) -> None:
        self.solver = solver

    def init(self) -> None:
        self.setup()

    def setup(self) -> None:
        self._customize()

    def _customize(self) -> None:
        pass
"""
CUSTOM = """\
from workflows import Workflow


class Halving(Workflow):
    def _customize(self) -> None:
        self.solver.dt /= 2
"""
CALLED_BY_OTHERS = {
    "the class": ("custom.py", f"{CUSTOM}\n    def train(self) -> None:\n        self._customize()\n"),
    "a loop around set-up": (
        "run.py",
        "from workflows import Workflow\n\n"
        "def main(workflow: Workflow) -> None:\n    for _ in range(9):\n        workflow.setup()\n",
    ),
    "a loop further out": (
        "run.py",
        "from workflows import Workflow\n\n"
        "def main(workflow: Workflow) -> None:\n    for _ in range(9):\n        again(workflow)\n\n\n"
        "def again(workflow: Workflow) -> None:\n    workflow.setup()\n",
    ),
    "who has it": ("run.py", "from custom import Halving\n\ndef run(own: Halving) -> None:\n    own._customize()\n"),
}


@pytest.mark.parametrize("others", CALLED_BY_OTHERS)
def test_what_only_the_set_up_of_a_base_calls_leaves_nothing_behind(tmp_path: Path, cache: str, others: str) -> None:
    files = {"pyproject.toml": CONFIG, "solvers.py": METHOD, "workflows.py": WORKFLOW, "custom.py": CUSTOM}
    project = write(tmp_path, files)
    assert found(project, cache) == []
    assert found(project, cache, "--potential") == [("jit-bound-method", "potential", [])]
    name, text = CALLED_BY_OTHERS[others]
    write(project, {name: text})
    keeps = 'custom.py:6 assigns "dt": what was compiled before keeps the old value'
    assert found(project, cache) == [("jit-bound-method", "wrong", [keeps])]


BELOW_SET_UP = """\
from functools import partial

import jax


class Below:
    def __init__(self) -> None:
        self.dt = 0.0

    def load_config(self, dt: float) -> None:
        self._read(dt)

    def _read(self, dt: float) -> None:
        self.dt = dt

    @partial(jax.jit, static_argnums=0)
    def step(self, x: jax.Array) -> jax.Array:
        return x * self.dt


def main(n: int, x: jax.Array) -> None:
    below = Below()
{loop}
        below.load_config(float(n))
        print(below.step(x))


if __name__ == "__main__":
    main(3, jax.numpy.ones(()))
"""


def test_what_set_up_calls_in_a_loop_of_the_same_file_leaves_an_old_value(tmp_path: Path, cache: str) -> None:
    loop, once = "    for n in range(n):", "    if n:"
    project = write(tmp_path, {"pyproject.toml": CONFIG, "program.py": BELOW_SET_UP.replace("{loop}", once)})
    assert not any(code == "static-mutable" for code, _, _ in found(project, cache))
    write(project, {"program.py": BELOW_SET_UP.replace("{loop}", loop)})
    keeps = 'program.py:14 assigns "dt": what was compiled before keeps the old value'
    [(code, harm, [first, *_])] = found(project, cache)
    assert (code, harm, first) == ("static-mutable", "wrong", keeps)


def test_a_static_field_goes_stale_in_a_module_that_uses_its_class(tmp_path: Path, cache: str) -> None:
    project = write(tmp_path, {"pyproject.toml": CONFIG, "states.py": STATE, "train.py": USES})
    assert found(project, cache) == []
    write(project, {"train.py": GROWS})
    assert [harm for _, harm, _ in found(project, cache, "--potential")] == ["potential"]  # nothing calls it
    write(project, {"train.py": APPENDS})
    keeps = 'train.py:10 changes "names": what was compiled before keeps the old value'
    assert found(project, cache) == [("static-mutable", "wrong", [keeps])]


def test_objects_that_their_module_makes_and_keeps_from_jax_go_stale_nowhere(tmp_path: Path, cache: str) -> None:
    kept = f"{STATE}\n\ndef made() -> State:\n    return State(jax.numpy.ones(()), [])\n"
    project = write(tmp_path, {"pyproject.toml": CONFIG, "states.py": kept, "train.py": APPENDS})
    assert found(project, cache) == []


TABLES = """\
import jax
import jax.numpy as jnp

TABLES: dict[int, jax.Array] = {}


def table(n: int) -> jax.Array:
    if n not in TABLES:
        TABLES[n] = jnp.arange(n)
    return TABLES[n]


@jax.jit
def scaled(x: jax.Array) -> jax.Array:
    return x * table(3)
"""


def test_a_module_that_imports_a_cache_may_fill_it(tmp_path: Path, cache: str) -> None:
    project = write(tmp_path, {"pyproject.toml": CONFIG, "tables.py": TABLES})
    assert found(project, cache) == [("jit-mutation", "leaks", [])]
    write(
        project, {"train.py": "import jax.numpy as jnp\nimport tables\n\ntables.table(3)\ntables.scaled(jnp.ones(3))\n"}
    )
    assert found(project, cache) == []
    assert found(project, cache, "--potential") == [("jit-mutation", "potential", [])]


def test_who_empties_the_caches_of_jax_measures_compilations(tmp_path: Path, cache: str) -> None:
    solve = "@partial(jax.jit, static_argnums=0)\ndef solve(solver: Solver, y: jax.Array) -> jax.Array:\n    return y\n"
    solvers = f"from functools import partial\n\nimport jax\n\n\nclass Solver: ...\n\n\n{solve}"
    loop = (
        "import jax\nimport solvers\n\nfor _ in range(9):\n    {}solvers.solve(solvers.Solver(), jax.numpy.ones(3))\n"
    )
    project = write(tmp_path, {"solvers.py": solvers, "app.py": loop.format("")})
    assert [(code, harm) for code, harm, _ in found(project, cache)] == [("static-hash", "recompiles")]
    write(project, {"app.py": loop.format("jax.clear_caches()\n    ")})
    assert found(project, cache) == []
    empty = "\n\ndef empty() -> None:\n    jax.clear_caches()\n"
    write(project, {"app.py": loop.format("") + empty})
    assert [(code, harm) for code, harm, _ in found(project, cache)] == [("static-hash", "recompiles")]
    write(project, {"app.py": f"import time\n\nBEGAN = time.perf_counter()\n{loop.format('')}{empty}"})
    assert found(project, cache) == []


KERNELS = """\
class Kernel:
    def __init__(self, scale: float) -> None:
        self.scale = scale

    def __call__(self, x):
        return x / self.scale


def sampled(kernel: Kernel, scale: float) -> Kernel:
    kernel.scale = scale
    return kernel
"""
TESTING = """\
from functools import partial

import jax
import jax.numpy as jnp

from kernels import Kernel


@partial(jax.jit, static_argnames="kernel")
def gram(x: jax.Array, kernel: Kernel) -> jax.Array:
    return kernel(x)


def test_gram() -> None:
    kernel = Kernel(2.0)
    assert gram(jnp.ones(3), kernel).sum() == 1.5
"""
CHANGING = TESTING.replace("import Kernel", "import Kernel, sampled") + (
    "    sampled(kernel, 4.0)\n    assert gram(jnp.ones(3), kernel).sum() == 1.5\n"
)


@pytest.mark.parametrize(
    ("name", "text", "harm"),
    [
        ("test_gram.py", TESTING, ["potential"]),
        ("test_gram.py", CHANGING, ["wrong"]),
        ("run.py", CHANGING.replace("def test_gram() -> None:", "if True:"), ["wrong"]),
    ],
)
def test_what_a_test_makes_is_changed_by_what_it_names(
    name: str, text: str, harm: list[str], tmp_path: Path, cache: str
) -> None:
    write(tmp_path, {"kernels.py": KERNELS, name: text})
    found = findings_of(tmp_path, cache, "--potential", "--select=static-mutable")
    assert [one["harm"] for one in found] == harm
