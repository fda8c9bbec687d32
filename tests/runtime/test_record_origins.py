"""The recorder names the line that made a weakly typed value, wherever straight assignments lead there."""

from __future__ import annotations

import linecache
import textwrap
from dataclasses import dataclass
from typing import Any

import jax
import pytest

from jaxtyped_static import record


@jax.tree_util.register_dataclass
@dataclass(init=False)
class Kept:
    best: jax.Array

    def __init__(self, best: jax.Array) -> None:
        self.best = best


# Each program passes a weakly typed value to `step`, whose first program is for that, then what `step` returned. The
# line that is to be named ends with `# here`; without one, none may be named.
PROGRAMS = {
    "an argument": """
        scale = jnp.array(1.0)  # here
        for _ in range(2):
            scale = step(scale)
    """,
    "an argument by name": """
        scale = jnp.array(1.0)  # here
        for _ in range(2):
            scale = step(x=scale)
    """,
    "a display in the call": """
        one = jnp.ones(())
        carry = step((one, jnp.array(1.0)))  # here
        step(carry)
    """,
    "a carry": """
        loss = jnp.array(0.0)  # here
        carry = (jnp.ones(3), loss)
        for _ in range(2):
            carry = step(carry)
    """,
    "a dict": """
        state = {"x": jnp.ones(3), "best": jnp.asarray(1.0)}  # here
        for _ in range(2):
            state = step(state)
    """,
    "a key set later": """
        state = dict(x=jnp.ones(3))
        state["best"] = jnp.asarray(1.0)  # here
        for _ in range(2):
            state = step(state)
    """,
    "a named tuple": """
        state = State(jnp.ones(3), jnp.full((), 1.0))  # here
        for _ in range(2):
            state = step(state)
    """,
    "a named tuple that is replaced": """
        state = State(jnp.ones(3), jnp.ones(()))._replace(best=jnp.full((), 1.0))  # here
        state = state._replace(x=jnp.zeros(3))
        for _ in range(2):
            state = step(state)
    """,
    "a dataclass": """
        best = jnp.full((), 1.0)  # here
        state = Data(jnp.ones(3), best=best)
        for _ in range(2):
            state = step(state)
    """,
    "a class that keeps what it gets": """
        state = Kept(jnp.array(1.0))  # here
        for _ in range(2):
            state = step(state)
    """,
    "a function that makes it": """
        def first():
            x = jnp.ones(3)
            best = jnp.array(1.0)  # here
            return x, {"best": best}
        x, state = first()
        for _ in range(2):
            state = step(state)
    """,
    "a parameter of the function around": """
        def train(state, steps):
            for _ in range(steps):
                state = step(state)
            return state
        begin = [jnp.ones(3), jnp.array(1.0)]  # here
        train(begin, steps=2)
    """,
    "an argument of a method": """
        class Solver:
            @functools.partial(jax.jit, static_argnums=0)
            def step(self, x):
                return step(x)
        solver = Solver()
        solver.step(solver.step(jnp.array(1.0)))  # here
    """,
    "a name of the module": """
        SCALE = jnp.array(1.0)  # here
        def train():
            step(step(SCALE))
        train()
    """,
    "a name of the function around": """
        def outer():
            scale = jnp.array(1.0)  # here
            def train():
                return step(step(scale))
            return train
        outer()()
    """,
    "a branch around the call": """
        scale = jnp.zeros(())
        if flag:
            scale = jnp.array(1.0)  # here
            step(step(scale))
    """,
    "one of two branches": """
        if flag:
            scale = jnp.array(1.0)
        else:
            scale = make()
        step(step(scale))
    """,
    "what another name holds": """
        for scale in (jnp.array(1.0), jnp.ones(())):
            step(scale)
    """,
    "what may come from the loop": """
        scale = jnp.zeros((2,))
        for _ in range(3):
            out = step(scale)
            scale = make() if scale.shape else out
    """,
    "what is changed in place": """
        scale = 1.0
        scale *= make()
        step(step(scale))
    """,
    "what an unknown function makes": """
        state = make_state(jnp.ones(3))
        step(step(state))
    """,
    "two calls on one line": """
        scale = jnp.array(1.0)
        other = jnp.ones(())
        call(step, scale), call(step, other)
    """,
}
BEFORE = """
import dataclasses
import functools
from typing import NamedTuple
import jax
import jax.numpy as jnp

class State(NamedTuple):
    x: jax.Array
    best: jax.Array

@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Data:
    x: jax.Array
    best: jax.Array

def make():
    return list([jnp.array(1.0)]).pop()

def make_state(x):
    states = [x, make()]
    return states[:]

def call(f, x):
    return f(x)

flag = True

@jax.jit
def step(x):
    return jax.tree.map(lambda leaf: jnp.asarray(leaf * jnp.ones(()), jnp.float32), x)
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_line_that_made_a_weakly_typed_value_is_named(name: str) -> None:
    source = BEFORE + textwrap.dedent(PROGRAMS[name])
    path = f"<ipython-input-{name}>"
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    scope: dict[str, Any] = {"__name__": "__main__", "Kept": Kept}
    with record() as report:
        exec(compile(source, path, "exec"), scope)

    says = [str(reason) for one in report.run.preparations for reason in one.reasons if "weakly typed" in str(reason)]
    marked = [number for number, line in enumerate(source.splitlines(), 1) if line.endswith("# here")]
    assert says
    if not marked:
        assert "it is set by" not in says[0]
    else:
        assert says[0].endswith(f" at {path}:{marked[0]}: give that a dtype")
