"""Odd programs whose weak types are followed: they end, in a time that does not grow with what they make."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest
from mypy.options import Options

from jaxtyped_static_cli.mypy_runs import whole_programs
from jaxtyped_static_cli.mypy_runs.diagnostics import Diagnostic, unread
from jaxtyped_static_cli.mypy_runs.read_programs import ReadProgram
from jaxtyped_static_cli.mypy_runs.weak import roots
from jaxtyped_static_cli.mypy_runs.weak.effort import EFFORT, OutOfSteps
from jaxtyped_static_cli.mypy_runs.weak.modules import Modules
from tests.cli.running import run, write

pytestmark = pytest.mark.xdist_group("light")

MOST: Final = 70_000  # a function stops after these, which takes half a second
STEP: Final = """\
import jax
import jax.numpy as jnp


@jax.jit
def step(s, x):
    return jax.tree.map(lambda a: a + jnp.ones(3), s)


"""
LOOP: Final = "    for _ in range(100):\n        s = step(s, x)\n    return s\n"
TEN: Final = "    s = (s, s, s, s, s, s, s, s, s, s)\n"
WIDE_JOIN: Final = f"def main(x, c):\n    s = t = 0.0\n{TEN * 14}{TEN.replace('s', 't') * 14}    if c:\n        s = t\n"
WHILES: Final = "".join(f"{'  ' * (depth + 2)}while x:\n" for depth in range(40)) + "  " * 42 + "pass\n"
METHODS: Final = """\
class A:
    def __init__(self, n):
        self.n, self.s = n, self.first(n)

    def first(self, n):
        return self.second(n) if n else (0.0, self.second)

    def second(self, n):
        return self.first(n - 1), A(n - 1), B(self)


class B(A):
    def __init__(self, a):
        self.a, a.b = a, self
        super().__init__(a.n)

    def first(self, n):
        return super().first(n), self.a.b.a.b.a.second(n)


def main(x):
    s = A(3).s
"""
CYCLE: Final = """\
class C(D):
    x: float = 0.0


class D(C):
    y: float = 0.0


class E(E.F):
    class F(E):
        z: float = 1.0


def main(x):
    s = (C(), D(), E(), E.F(), C.D)
"""
DYNAMIC: Final = """\
class State:
    def __getattr__(self, name):
        return getattr(self, name + "x")

    def __setattr__(self, name, value):
        setattr(self, name, value)

    def __call__(self):
        return self()


def main(x, *args, **kw):
    t = State()
    setattr(t, "a" + str(x), 0.0)
    t.__dict__["b"] = vars(t)["c"] = 1.0
    s = (t.a, t.b, t()(), getattr(t, "q", 0.0), type("X", (), {"v": 0.0})().v, *args, {**kw})
    s[0], t.b[1:2], (t.c, *t.d) = args, kw, *args
    del t.a
    for t.q, *kw["z"] in args:
        s = step(s, x)
"""
CALLS: Final = """\
def main(x):
    s = jax.lax.scan()
    f = lambda c, y: (jax.lax.scan(f, c, y), jax.lax.cond(y, f, f, c, y))
    jax.jit(jax.jit(jax.vmap(jax.grad(jax.jit(f)))))(s)
    jax.jit(static_argnums=s)(f)(s), jax.jit()()(), jax.tree.map(), jax.tree.map(f, *[s], **{"is_leaf": f})
    jax.lax.switch(x, [], s), jax.lax.while_loop(body_fun=f, init_val=s), jnp.where(condition=s), jnp.full()
    jnp.array(object=0.0), jnp.einsum(), jnp.zeros(dtype=s), jnp.split(), jnp.clip(), jnp.concatenate(), jax.nn.relu()
    dict([(1, 2)], **s), max(), getattr(), setattr(), super().x, super(A, s).y, enumerate(), s.at[0].set(), s.astype()
    s.replace(1, 2, a=3), {}.get(), {}.pop("a"), {}.update(1)
    s = 0.0
"""
GENERATORS: Final = """\
def gen(x):
    s = 0.0
    while True:
        s = step(s, x)
        x = yield s
        s = yield from gen(s)


def main(x):
    for s in gen(next(gen(x))):
        s = step(s, x)
    s = sum(step(s, y) for y in gen(x)), [step(s, y) for y in x for s in y if (s := y)]
"""
LONG: Final = f"x{'.a' * 1500}"
PROGRAMS: Final = {
    "a tree of more leaves than anybody counts": f"def main(x):\n    s = 0.0\n{TEN * 14}",
    "two of them, one or the other": WIDE_JOIN,
    "a tuple that doubles": "def main(x):\n    s = (0.0, 1.0)\n" + "    s = s + s\n    s = (*s, *s)\n" * 30,
    "loops in loops": f"def main(x):\n    s = 0.0\n{WHILES}",
    "calls of calls": "".join(f"def f{i}(s):\n    return f{i + 1}(f{i + 1}(s)), f{i + 1}(s)\n\n\n" for i in range(25))
    + "def f25(s):\n    return s, 0.0\n\n\ndef main(x):\n    s = f0(0.0)\n",
    "a dict that holds itself": "def main(x):\n    s = {}\n    s['a'] = s['b'] = s\n    s['c'] = [s, s, s, 0.0]\n",
    "methods that call each other": METHODS,
    "classes that inherit from each other": CYCLE,
    "attributes of any name": DYNAMIC,
    "calls that lack arguments": CALLS,
    "generators": GENERATORS,
    "a long literal": f"def main(x):\n    s = ({'0.0, ' * 10_000})\n",
    "a deep sum": f"def main(x):\n    s = 0.0\n    s = {' + '.join(['s'] * 2500)}\n",
    "a long name": f"def main(x):\n    s = {LONG}\n    for _ in range(9):\n        {LONG} = step(s, x)\n",
    "star imports of itself": "from main import *\nfrom nowhere import *\n\n\ndef main(x):\n    s = 0.0\n",
}


def followed(text: str) -> int:
    """How much work the longest of its functions is, in steps."""
    modules = Modules({"main": Path("main.py")}, frozenset({"main"}), lambda path: text.encode())
    tree = modules.tree("main")
    assert tree is not None
    found = [roots._of_root(root, modules) for root in roots._roots(tree, "main")]
    return max((one.steps for one in found), default=0)  # none if it is not followed at all


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_ends(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert followed(f"{STEP}{PROGRAMS[program]}{LOOP}") <= MOST
    assert capsys.readouterr().err == ""  # no fault of ours


def test_a_part_too_many_ends_it() -> None:
    EFFORT.begin()
    with pytest.raises(OutOfSteps):
        while True:
            EFFORT.spend()


@pytest.mark.thorough
def test_check_says_little_of_many_parts(tmp_path: Path, cache_with_jax: str) -> None:
    table = f"{{{', '.join(f'{str(i)!r}: {i}.0' for i in range(2000))}}}"
    write(tmp_path, {"pyproject.toml": "", "main.py": f"{STEP}def main(x):\n    s = {table}\n{LOOP}"})
    said = run(tmp_path, "check", cache_with_jax, "--potential").out
    assert "and 1995 more begin without a dtype" in said and len(said.splitlines()) < 40


def test_a_fault_costs_what_it_is_about(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(found: Sequence[Diagnostic], program: ReadProgram) -> list[Diagnostic]:
        raise ZeroDivisionError("odd")

    def adding(found: Sequence[Diagnostic], program: ReadProgram) -> list[Diagnostic]:
        return [*found, unread("main.py", "odd")]

    monkeypatch.setattr(whole_programs, "_LOOKS", ((broken, "weak types"), (adding, "all else")))
    program = ReadProgram((), {}, Path(), Options(), Path.read_bytes)
    assert whole_programs.with_whole_program([], program) == [unread("main.py", "odd")]
    said = capsys.readouterr().err
    assert "ZeroDivisionError: odd" in said and "Nothing is said of weak types" in said
