"""`run --verify` finds programs that are stale, and those that differ with each trace; steps are counted."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from jaxtyped_static_runs.journal import read_run
from tests.cli.running import Said, run, run_in_shell, write

STALE = """\
import functools
import jax, jax.numpy as jnp, numpy as np

SCALE = 1.0
TABLE = np.arange(4.0)

def helper(x):
    return x * SCALE

@jax.jit
def of_a_global(x):
    return helper(x) + 1

@jax.jit
def of_a_table(x):
    return x + TABLE

class Model:
    def __init__(self):
        self.k = 2.0

    @functools.partial(jax.jit, static_argnums=0)
    def of_a_static_object(self, x):
        return x * self.k

@jax.jit
def inner(x):
    return x - SCALE

@jax.jit
def of_an_inner_function(x):
    return inner(x) * 2

def make(held):
    @jax.jit
    def of_a_closure(x):
        return x / held["v"]
    return of_a_closure

@jax.jit
def of_chance(x):
    return x + np.random.normal(size=3)

x, model, held = jnp.ones(3), Model(), {"v": 1.5}
of_a_global(x), of_a_table(jnp.ones(4)), model.of_a_static_object(x), of_an_inner_function(x), make(held)(x)
of_chance(x)
SCALE, TABLE, model.k, held["v"] = 4.0, TABLE + 1, 3.0, 2.5
"""
RIGHT = """\
import functools, time
import jax, jax.numpy as jnp, numpy as np

OFFSET = np.arange(3.0, dtype="float32")
calls = []

@functools.partial(jax.jit, static_argnames="n")
def loop(x, n=3):
    calls.append(n)
    print("traced", n)
    for i in range(n):
        x = jnp.where(x > i, jnp.sin(x), x + OFFSET)
    return jax.lax.scan(lambda c, y: (c + y, jnp.cos(c)), x, jnp.ones((3, 3)))

@jax.jit
def keyed(key):
    return jax.random.normal(key, (3,)) + jax.random.uniform(jax.random.key(0), (3,))

@jax.custom_jvp
def soft(x):
    return jnp.exp(x)

@soft.defjvp
def soft_jvp(primals, tangents):
    return soft(*primals), tangents[0]

@jax.jit
def custom(x):
    return soft(x)

@jax.jit
def called_back(x):
    return jax.pure_callback(lambda x: np.sin(x), x, x)

x = jnp.ones(3)
loop(x), loop(x, 2), keyed(jax.random.key(1)), custom(x), called_back(x)
jax.vmap(loop)(jnp.ones((2, 3))), jax.grad(lambda x: loop(x)[0].sum())(x)
jax.config.update("jax_default_matmul_precision", "float32")
custom(x)
jax.config.update("jax_default_matmul_precision", None)
"""


def run_program(project: Path, *arguments: str) -> Said:
    """Runs a program, and keeps the run in a file whose name is known."""
    return run_in_shell(project, "run", "--file", "run.jsonl", *arguments)


def test_what_was_compiled_in_and_has_changed_is_found(tmp_path: Path) -> None:
    write(tmp_path, {"train.py": STALE})
    said = run_program(tmp_path, "--verify", "train.py")
    verified = read_run(tmp_path / "run.jsonl").verified
    assert verified is not None
    found = {changed.function.name.rpartition(".")[2]: changed for changed in verified.changed}
    assert {name for name, changed in found.items() if changed.is_stale} == {
        *("of_a_global", "of_a_table", "of_a_static_object", "of_an_inner_function", "of_a_closure")
    }
    assert [name for name, changed in found.items() if not changed.is_stale] == ["of_chance"]
    (difference,) = found["of_a_global"].differences
    assert "1.0" in difference
    assert "4.0" in difference
    assert difference.endswith("from train.py:8 (helper)")
    assert "of_a_global (train.py:10) is stale: something that was compiled in has changed since" in said.errors


def test_right_programs_are_as_they_were(tmp_path: Path) -> None:
    """What functions print when they are traced again is not shown."""
    write(tmp_path, {"train.py": RIGHT})
    said = run_program(tmp_path, "--verify", "train.py")
    verified = read_run(tmp_path / "run.jsonl").verified
    assert verified is not None
    assert (said.code, verified.changed) == (0, ())
    assert verified.programs >= 5
    assert verified.left_out == 1  # of other settings
    assert "all as they were; 1 could not be compared" in said.errors
    assert said.out.count("traced 2") == 1


STEPS = """\
import jax, jax.numpy as jnp
step = jax.jit(lambda x: x + 1)
for size in (1, 1, 2, 2, 3):
    x = jnp.zeros(size)
    step(x)
"""
counts_lines = pytest.mark.skipif(sys.version_info < (3, 12), reason="needs Python 3.12")


@counts_lines
def test_steps_are_counted(tmp_path: Path) -> None:
    write(tmp_path, {"train.py": STEPS})
    said = run_program(tmp_path, "--steps-from", "train.py:5", "train.py")
    run = read_run(tmp_path / "run.jsonl")
    assert [one.step for one in run.preparations if one.function.made_by] == [1, 3, 5]
    assert "from train.py:5 on" in said.errors
    assert "in its passes 1, 2, 3, 4, 5" in said.errors or "in its passes 1, 2, 3, 4" in said.errors


@counts_lines
def test_a_warm_program_raises_where_it_compiles(tmp_path: Path) -> None:
    write(tmp_path, {"train.py": STEPS})
    said = run_program(tmp_path, "--warm-after", "train.py:5:3", "train.py")
    assert said.code == 1
    assert "would be compiled at train.py:4, where nothing should be" in said.errors


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="Python 3.12 can count")
def test_an_older_python_says_that_it_cannot_count(tmp_path: Path) -> None:
    write(tmp_path, {"train.py": STEPS})
    said = run_program(tmp_path, "--steps-from", "train.py:5", "train.py")
    assert said.code == 2
    assert said.errors.startswith("error: counting the passes of a line needs Python 3.12\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--steps-from", "train.py"), '"train.py" is no line; write it like train.py:139'),
        (("--steps-from", "none.py:3"), "none.py does not exist; give a line of the program"),
        (
            ("--warm-after", "train.py:5"),
            '"train.py:5" is no line with a number of passes; write it like train.py:139:10',
        ),
    ],
)
def test_a_line_that_is_none_is_an_error(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    write(tmp_path, {"train.py": STEPS})
    done = run(tmp_path, "run", *arguments, "train.py")
    assert (done.code, done.errors.splitlines()[-1].rpartition(": ")[2]) == (2, said.rpartition(": ")[2])
    assert said in done.errors
