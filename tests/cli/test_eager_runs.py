"""Which functions a program runs outside of traces, and again and again."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyped_static_cli.findings.program import ProgramUses

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
