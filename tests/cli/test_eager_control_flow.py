"""Control flow that runs outside of jit, in one module because of what another one does."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyped_static_cli.findings.program import ProgramUses
from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

MODEL = """\
class Model:
    def step(self, x): ...
    def fit(self, x):
        for _ in range(9):
            self.step(x)

class Net:
    def __call__(self, x): ...
    def generate(self, x):
        for _ in range(9):
            x = self(x)

def step(x): ...

def outer(x):
    return step(x)
"""
USES = {
    "for _ in range(9): step(x)": True,
    "for _ in range(9): outer(x)": True,
    "while True: y = [step(x) for x in xs]": True,
    "step(x)": False,
    "for x in (1, 2): step(x)": False,
    "for _ in range(9): jax.vmap(step)(x)": True,
    "for _ in range(9): jax.numpy.vectorize(step)(x)": True,
    "@partial(jax.numpy.vectorize, signature='(n)->()')\ndef g(x): step(x)\nfor _ in range(9): g(x)": True,
    "def main():\n    grad = jax.grad(step)\n    for _ in range(9): grad(x)": True,
    "if FAST:\n    f = step\nelse:\n    f = print\nfor _ in range(9): f(x)": True,
    "f = step if FAST else print\nfor _ in range(9): f(x)": True,
    "TABLE = {'a': step, 'b': print}\nfor _ in range(9): TABLE[NAME](x)": True,
    "TABLE = [step, print]\nfor _ in range(9): TABLE[0](x)": True,
    "TABLE = {'a': step}\nf = TABLE.get(NAME)\nfor _ in range(9): f(x)": True,
    "def main():\n    if FAST: f = partial(step)\n    else: f = print\n    for _ in range(9): f(x)": True,
    "def pick(x):\n    f = step\n    if FAST: f = outer\n    return f(x)\nfor _ in range(9): pick(x)": True,
    "def pick(x):\n    f = step\n    if FAST: f = jax.jit(f)\n    return f(x)\nfor _ in range(9): pick(x)": False,
    "def pick(x, g):\n    f = step\n    if FAST: f = g\n    return f(x)\nfor _ in range(9): pick(x, print)": False,
    "f = step\nf(x)\nf = print\nfor _ in range(9): f(x)": False,
    "if FAST:\n    f = step\nelse:\n    f = print\nf(x)": False,
    "if FAST:\n    f = step\nelse:\n    f = print\nf = jax.jit(f)\nfor _ in range(9): f(x)": False,
    "TABLE = {'a': step, 'b': print}\nfor _ in range(9): jax.jit(TABLE[NAME])(x)": False,
    "TABLE = {'a': step, 'b': print}\nsolver(TABLE)\nfor _ in range(9): TABLE[NAME](x)": False,
    "TABLE = {'a': step, 'b': print}\nfor name in TABLE: TABLE[name](x)": False,
    "fast = jax.jit(step)\nfor _ in range(9): fast(x)": False,
    "fast = jax.jit(step)\nfor _ in range(9): step(x)": False,  # `step` may be the jitted one
    "fast = jax.jit(jax.grad(step))\nfor _ in range(9): fast(x)": False,
    "whole = jax.checkpoint(step)\nfor _ in range(9): whole(x)": False,
    "for _ in range(9): jax.checkpoint(step)(x)": False,
    "fast = jax.jit(lambda x: step(x))\nfor _ in range(9): fast(x)": False,
    "fast = jax.jit(lambda x: step(x))\nfor _ in range(9): step(x)": True,
    "solver(step)\nfor _ in range(9): step(x)": False,
    "step = solver(step)\nfor _ in range(9): step(x)": False,
    "@jax.jit\ndef g(x): return step(x)\nfor _ in range(9): g(x)": False,
    "@(jax.jit if FAST else plain)\ndef g(x): return step(x)\nfor _ in range(9): g(x)": False,
    "@logged\ndef g(x): return step(x)\nfor _ in range(9): g(x)": False,
    "@jax.value_and_grad\ndef g(x): return step(x)\nfor _ in range(9): g(x)": True,
    "def g(x):\n    for _ in range(9): step(x)": False,  # who knows who calls that
    "def main():\n    for _ in range(9): step(x)": True,
    "from tqdm import tqdm\ndef g(x):\n    for _ in tqdm(range(9)): step(x)": True,
    "import time\ndef g(x):\n    begin = time.time()\n    for _ in range(9): step(x)": True,
    "def g(x):\n    for _ in range(9): print(step(x).item())": True,
    "import time\ndef g(x):\n    time.time()\n    for _ in range(9): step(x)\n@jax.jit\ndef h(x): g(x)": False,
    "def g(x):\n    def show(): open(x)\n    for _ in range(9): step(x)": False,
    "import time\n@jax.jit\ndef g(x):\n    begin = time.time()\n    for _ in range(9): step(x)": False,
    "def train(x): step(x)\nfor seed in range(9): train(seed)": False,
    "def make_step(x): step(x)\nfor seed in range(99): make_step(seed)": False,
    "def make_step(x): step(x)\nfor config in configs: make_step(config)": False,
    "def make_step(x): step(x)\nfor i in range(9): make_step(i)": False,  # nobody minds a few
    "def make_step(x): step(x)\nfor x in xs: make_step(x)": True,
    "def make_step(x): step(x)\nwhile True: make_step(x)": True,
    "def make_step(x): step(x)\ndef solve(x): make_step(x)\nfor x in xs: solve(x)": False,  # of each that is solved
    "def make_step(x):\n    for _ in range(9): step(x)\nmake_step(x)": False,
    "def make_step(xs):\n    for x in xs: step(x)\nmake_step(xs)": True,
    "list(map(step, xs))": True,
    "list(map(step, [1, 2]))": False,
    "list(map(lambda x: step(x), xs))": True,
    "pool.starmap(step, xs)": True,
    "for x in xs: executor.submit(step, x)": True,
    "executor.submit(step, x)": False,
    "for x in xs: multiprocessing.Process(target=step, args=(x,)).start()": False,
    "jax.jit(lambda xs: list(map(step, xs)))(xs)": False,
    "list(map(step(x), xs))": False,
    "def body(c, x): return step(x), c\nfor _ in range(9): lax.scan(body, 0, xs)": False,
    "def test_step():\n    for _ in range(9): step(x)": False,
}
METHODS = {
    "Model().fit(x)": True,
    "model = Model()\nfor _ in range(9): model.step(x)": True,
    "model = Model()\nmodel.step(x)": False,
    "model = Model()\nfast = jax.jit(model.step)\nfor _ in range(9): model.step(x)": False,
    "def fast(env): return jax.jit(jax.vmap(env.step))\nmodel = Model()\nfor _ in range(9): model.step(x)": False,
    "class Faster(Model):\n    def step(self, x): ...\nFaster().fit(x)": False,
    "class Faster(Model):\n    def other(self, x): ...\nFaster().fit(x)": True,
}
OBJECTS = {
    "net = Net()\nfor _ in range(9): net(x)": True,
    "net = Net()\nnet(x)": False,
    "Net().generate(x)": True,
    "net = Net()\nmany = jax.vmap(net)\nfor _ in range(9): many(x)": True,
    "class Holder:\n    def __init__(self): self.net = Net()\n    def run(self):\n"
    "        for _ in range(9): self.net(x)\nHolder().run()": True,
    "def main(net: Net):\n    for _ in range(9): net(x)": True,
    "net = jax.jit(Net())\nfor _ in range(9): net(x)": False,
    "net = Net()\nnet = jax.jit(net)\nfor _ in range(9): net(x)": False,
    "net = Net()\nif FAST: net = jax.jit(net)\nfor _ in range(9): net(x)": False,
    "net = Net()\nfast = jax.jit(net)\nfor _ in range(9): net(x)": False,
    "net = Net()\nnet = wrapped(net)\nfor _ in range(9): net(x)": False,
    "net = Net()\n@jax.jit\ndef g(x): return net(x)\nfor _ in range(9): g(x)": False,
    "net = Net()\nfor _ in range(9): jax.jit(lambda x: net(x))(x)": False,
    "class Better(Net):\n    def __call__(self, x): ...\nBetter().generate(x)": False,
    "for _ in range(9): net(x)": False,
}
# Whether a loop runs it for other values than the items of a batch, as well.
BATCHES = {
    "for _ in range(9): jax.vmap(step)(x)": False,
    "for _ in range(9): jax.vmap(lambda x: step(x) + 1)(x)": False,
    "for _ in range(9): jax.vmap(jax.grad(step))(x)": False,
    "for _ in range(9): jax.vmap(partial(step, 1))(x)": False,
    "for _ in range(9): jax.vmap(outer)(x)": False,
    "for _ in range(9): jax.numpy.vectorize(step)(x)": False,
    "def main():\n    many = jax.vmap(step)\n    for _ in range(9): many(x)": False,
    "@jax.vmap\ndef g(x): return step(x)\nfor _ in range(9): g(x)": False,
    "@partial(jax.vmap, in_axes=0)\ndef g(x): return step(x)\nfor _ in range(9): g(x)": False,
    "for _ in range(9): jax.vmap(step)(x), step(x)": True,
    "for _ in range(9): jax.grad(step)(x)": True,
}
IMPORTS = (
    "from functools import partial\nimport multiprocessing\nimport jax\nfrom jax import lax\n"
    "from model import Model, Net, outer, step\n"
)


def is_eager_again(function: str, use: str, folder: Path, *, is_batch_run: bool = True) -> bool:
    files = {"model": MODEL, "use": IMPORTS + use}
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    program = ProgramUses({name: folder / f"{name}.py" for name in files}, folder)
    running = program.runs.eager(function, is_batch_run=is_batch_run)
    return running is not None and running.is_again


@pytest.mark.parametrize(("use", "is_eager"), USES.items())
def test_a_loop_outside_of_traces_runs_a_function(use: str, is_eager: bool, tmp_path: Path) -> None:
    assert is_eager_again("model.step", use, tmp_path) is is_eager


@pytest.mark.parametrize(("use", "is_eager"), BATCHES.items())
def test_what_runs_for_each_item_of_a_batch_is_told_apart(use: str, is_eager: bool, tmp_path: Path) -> None:
    assert is_eager_again("model.step", use, tmp_path, is_batch_run=False) is is_eager
    assert is_eager_again("model.step", use, tmp_path)


@pytest.mark.parametrize(("use", "is_eager"), METHODS.items())
def test_a_loop_outside_of_traces_runs_a_method(use: str, is_eager: bool, tmp_path: Path) -> None:
    assert is_eager_again("model.Model.step", use, tmp_path) is is_eager


@pytest.mark.parametrize(("use", "is_eager"), OBJECTS.items())
def test_a_loop_outside_of_traces_calls_an_object(use: str, is_eager: bool, tmp_path: Path) -> None:
    assert is_eager_again("model.Net.__call__", use, tmp_path) is is_eager


def test_a_module_that_replaces_a_function_says_nothing_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "timing.py").write_text("from model import step\nstep = timed(step)\nfor _ in range(9): step(x)\n")
    (tmp_path / "loop.py").write_text("from model import step\nfor _ in range(9): step(x)\n")
    (tmp_path / "model.py").write_text(MODEL)
    for names, is_again in ((("model", "timing"), False), (("model", "timing", "loop"), True)):
        program = ProgramUses({name: tmp_path / f"{name}.py" for name in names}, tmp_path)
        running = program.runs.eager("model.step")
        assert (running is not None and running.is_again) is is_again


SIMULATION = """\
import jax
import jax.numpy as jnp
from jax import lax


def simulate(rate: float, xs: jax.Array) -> jax.Array:
    return lax.scan(lambda carry, x: (carry * rate + x, None), jnp.zeros(()), xs)[0]


def relax(x: jax.Array) -> jax.Array:
    for _ in range(100):
        x = lax.cond(x > 1, lambda y: y, lambda y: y + 1, x)
    return x
"""
RUN = """\
import jax
import jax.numpy as jnp

from simulation import relax, simulate


def main() -> None:
    xs = jnp.arange(4.0)
    for i in range(100):
        simulate(i, xs)
    relax(xs[0])


if __name__ == "__main__":
    main()
"""
JITTED = RUN.replace("    for i", "    fast = jax.jit(simulate)\n    for i").replace("        simulate", "        fast")


def test_check_reports_what_other_modules_run(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"simulation.py": SIMULATION, "run.py": RUN})
    found = findings_of(tmp_path, cache)
    assert [(one["harm"], one["line"], one["notes"]) for one in found] == [
        ("recompiles", 7, ['"simulate" runs again and again, and not in a trace: run.py:10 calls it in a loop']),
        ("recompiles", 12, ['"relax" runs, and not in a trace: run.py:11 calls it']),
    ]


SEVERAL = """\
import jax
from jax import lax


def step(x: jax.Array) -> jax.Array:
    y = lax.cond(x > 1, lambda y: y, lambda y: y + 1, x)
    return lax.cond(x > 2, lambda y: y, lambda y: y + 1, y)


def main() -> None:
    x = y = jax.numpy.zeros(())
    for _ in range(100):
        x = step(x)
        y = lax.cond(x > 1, lambda y: y, lambda y: y + 1, x)
        y = lax.cond(x > 2, lambda y: y, lambda y: y + 1, y)


main()
"""


def test_one_function_or_loop_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"several.py": SEVERAL})
    found = findings_of(tmp_path, cache)
    assert [one["line"] for one in found] == [6, 14]


def test_check_is_silent_where_a_module_jits_it(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"simulation.py": SIMULATION, "run.py": JITTED.replace("    relax(xs[0])\n", "")})
    assert not findings_of(tmp_path, cache)


AGENT = """\
import jax.numpy as jnp

from simulation import relax


class Agent:
    def __init__(self, x):
        self.x = relax(x)
"""
MADE_ONCE = "from agent import Agent\nimport jax.numpy as jnp\nAgent(jnp.ones(()))\n"
LOOPED = {
    "made once": ({"run.py": MADE_ONCE}, False),
    "made by users": ({}, False),
    "made once, and called in a trace": (
        {"run.py": f"{MADE_ONCE}from simulation import relax\nimport jax\njax.jit(lambda x: relax(x))(1.0)\n"},
        False,
    ),
    "made in a loop": ({"run.py": MADE_ONCE.replace("Agent(", "for _ in range(9):\n    Agent(")}, True),
    "called elsewhere, too": ({"run.py": f"{MADE_ONCE}from simulation import relax\nrelax(jnp.ones(()))\n"}, True),
}


@pytest.mark.parametrize(("files", "is_found"), LOOPED.values(), ids=LOOPED)
def test_a_loop_that_makes_the_parts_of_one_object(
    files: dict[str, str], is_found: bool, tmp_path: Path, cache: str
) -> None:
    write(tmp_path, {"simulation.py": SIMULATION, "agent.py": AGENT, **files})
    found = findings_of(tmp_path, cache)
    assert [finding["code"] for finding in found] == (["jit-retrace"] if is_found else [])


OF_AGENT = """\
import jax
from jax import lax


class Agent:
    def decayed(self, x):
        return lax.cond(x > 1, lambda x: x, lambda x: x + 1, x)
"""
PLOT = "def plot(directory, agent, n=3):\n    print(directory)\n    return [agent.decayed(i) for i in range(n)]\n"
PLOTTED = {
    "one class": ("from agent import Agent\nfrom plot import plot\nagent = Agent()\nplot('.', agent, 9)\n", True),
    "by name": ("from agent import Agent\nfrom plot import plot\nplot('.', agent=Agent())\n", True),
    "another class": (
        "import agent\nfrom plot import plot\nclass Other:\n    def decayed(self, x):\n        return x\n"
        "plot('.', Other())\n",
        False,
    ),
    "unknown": ("import agent\nfrom plot import plot\ndef run(one):\n    plot('.', one)\n", False),
}


@pytest.mark.parametrize(("caller", "is_found"), PLOTTED.values(), ids=PLOTTED)
def test_callers_show_the_class_of_a_parameter(caller: str, is_found: bool, tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"agent.py": OF_AGENT, "plot.py": PLOT, "run.py": caller})
    found = findings_of(tmp_path, cache)
    assert [finding["code"] for finding in found] == (["jit-retrace"] if is_found else [])


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


PACKAGING = "[build-system]\n[project]\nname = 'pkg'\n"
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
    shown = [one for one in found if one["notes"]]
    assert [(one["line"], one["harm"]) for one in shown] == [(line, "potential") for line in lines]
    assert all("as users may do" in note for one in shown for note in one["notes"])


def test_a_loop_over_runs_of_what_an_example_gives(tmp_path: Path, cache: str) -> None:
    script = "import jax\nimport pkg\nx = jax.numpy.ones(())\nfor _ in range(100):\n    x = pkg.simulated(abs, x)\n"
    write(tmp_path, {**AS_LIBRARY, "examples/run.py": script})
    found = findings_of(tmp_path, cache)
    assert [one["line"] for one in found] == [SIMULATED]


def test_the_scripts_of_no_library_show_no_users(tmp_path: Path, cache: str) -> None:
    script = "import pkg\npkg.solve(1, 2)\n"
    write(tmp_path, {"pkg/__init__.py": OFFERING, "pkg/solving.py": LIBRARY, "run.py": script})
    assert not findings_of(tmp_path, cache)
