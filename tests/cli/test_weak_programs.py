"""The command takes the results of small programs for weak where JAX does."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any, Final

import jax
import jax.numpy as jnp
import pytest
from jax import lax

from jaxtyped_static_cli.mypy_runs.weak.machine import Machine
from jaxtyped_static_cli.mypy_runs.weak.modules import Modules
from jaxtyped_static_cli.mypy_runs.weak.scopes import Scope
from jaxtyped_static_cli.mypy_runs.weak.values import Kind, Leaf, Value

MODULE: Final = """
from functools import partial

import jax
import jax.numpy as jnp
from jax import lax
"""
# `p`: a condition; `w`, `wi`: weak, `s`, `si`: strong, of floats and of integers.
ARRAYS: Final = {
    "p": jnp.array(True),
    "w": jnp.array(1.0),
    "s": jnp.ones(()),
    "wi": jnp.array(2),
    "si": jnp.zeros((), int),
    "ws": jnp.full((3,), 0.5),
    "ss": jnp.ones(3),
}
PROGRAMS: Final = """
w + 1
w + si
si + 1.0
si / 2
wi / 2
p * 2
w ** 2
-w
w > 0
s > w
2.0 if True else s
jnp.where(p, w, 0.0)
jnp.where(p, w, s)
jnp.maximum(w, s)
jnp.clip(w, 0.0, 1.0)
jnp.clip(w, s, 1.0)
jnp.stack([w, 1.0])
jnp.stack([w, s])
jnp.concatenate([ws, ss])
jnp.array([w, 1.0])
jnp.array(w)
jnp.full((2,), w)
jnp.full((), jnp.log(2.0))
jnp.full_like(ws, s)
jnp.zeros_like(ws)
jnp.zeros_like(ws, dtype=jnp.float32)
ws[0]
ws.at[0].set(s)
ss.at[0].set(w)
ws.at[0].add(s)
ws.sum()
ws.mean()
ws.max()
ws.reshape(3, 1)
ws.T
ws.astype(jnp.float32)
ws.astype(float)
ws.flatten()
ws @ ws
ws @ ss
jnp.dot(ws, ws)
jnp.linalg.norm(ws)
jnp.exp(w)
jnp.log10(w)
jnp.asarray(w, jnp.float32)
jax.nn.relu(w)
jax.nn.softmax(ws)
lax.stop_gradient(w)
lax.select(p, w, s)
lax.select(p, s, w)
lax.cond(p, lambda: s, lambda: w)
lax.cond(p, lambda: w, lambda: s)
lax.cond(p, lambda x: x * s, lambda x: x, w)
lax.cond(p, lambda x: x, lambda x: x * s, w)
lax.cond(p, lambda: w, lambda: 2.0)
lax.switch(si, [lambda: w, lambda: s])
lax.switch(si, [lambda: s, lambda: w])
lax.cond(p, lambda: si, lambda: wi + 1)
lax.cond(p, lambda: wi + 1, lambda: si)
lax.scan(lambda c, x: (c + x, c), 0.0, ss)[0]
lax.scan(lambda c, x: (c + x, c), 0.0, ss)[1]
lax.scan(lambda c, x: (c + 1, c), w, ss)[0]
lax.scan(lambda c, x: (c, 1.0), w, ss)[1]
lax.scan(lambda c, x: (c * x, None), 1, jnp.arange(3))[0]
lax.while_loop(lambda c: c < 3, lambda c: c + s, w)
lax.while_loop(lambda c: c < 3, lambda c: c + 1, w)
lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[0] + s), (w, w))[0]
lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[0] + s), (w, w))[1]
lax.while_loop(lambda c: c[0] < 3, lambda c: (c[1], c[1] + s), (w, w))[0]
lax.fori_loop(0, 3, lambda i, c: c + i, w)
lax.fori_loop(0, 3, lambda i, c: c + i, 0)
lax.fori_loop(0, 3, lambda i, c: c + s, 0.0)
lax.map(lambda x: 1.0, ss)
lax.map(lambda x: x * w, ws)
jax.vmap(lambda x: 1.0)(ss)
jax.vmap(lambda x: x)(ws)
jax.vmap(lambda x: x.sum())(ws.reshape(3, 1))
jax.jit(lambda: 1.0)()
jax.jit(lambda x: x)(w)
jax.jit(partial(lambda a, x: a + x, 1.0))(w)
jax.tree.map(lambda a, b: jnp.where(p, a, b), (w, s), (w, w))[0]
jax.tree.map(lambda a, b: jnp.where(p, a, b), (w, s), (w, w))[1]
jax.value_and_grad(lambda x: x**2)(w)[0]
jax.value_and_grad(lambda x: (x * ss).mean())(w)[0]
jax.value_and_grad(lambda x: x * w)(s)[1]
jax.grad(lambda x: 2.0 * x)(s)
jax.grad(lambda x: w)(s)
jax.grad(lambda x, y: x * y)(s, w)
jax.grad(lambda x: x["a"] * x["b"])({"a": s, "b": w})["a"]
jax.vmap(lambda x: lax.psum(x, "n"), axis_name="n")(ws)
jax.vmap(lambda x: lax.pmax(x, "n"), axis_name="n")(jnp.full((3,), 2))
jax.vmap(lambda x: lax.pmean({"a": x}, "n")["a"], axis_name="n")(ws)
jax.vmap(lambda x: lax.all_gather(x, "n"), axis_name="n")(ws)
jax.vmap(lambda x: lax.psum(1, "n") * x, axis_name="n")(ws)
jax.random.uniform(jax.random.key(0))
jax.checkpoint(lambda x: x + 1)(w)
float(2) + w
max(1, 2) * w
len((1, 2)) * w
{"a": w}["a"]
{**{"a": s}, "a": w}["a"]
(lambda x, by=2: x * by)(w)
(lambda x, by=2: x * by)(w, by=s)
""".strip().splitlines()


def followed(program: str, folder: Path) -> Value:
    file = folder / "program.py"
    file.write_text(MODULE)
    modules = Modules({"program": file}, frozenset({"program"}), Path.read_bytes)
    kinds = {"b": Kind.BOOL, "i": Kind.INTEGER, "f": Kind.FLOAT}
    names: dict[str, Value] = {
        name: Leaf(is_weak=array.weak_type, kind=kinds[array.dtype.kind]) for name, array in ARRAYS.items()
    }
    return Machine(modules).value(ast.parse(program, mode="eval").body, Scope("program", names))


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_result_is_as_weak_as_jax_has_it(program: str, tmp_path: Path) -> None:
    def run(arrays: dict[str, Any]) -> Any:
        from functools import partial

        return jnp.asarray(eval(program, {"jax": jax, "jnp": jnp, "lax": lax, "partial": partial, **arrays}))

    theirs = jax.eval_shape(run, ARRAYS)
    ours = followed(program, tmp_path)
    assert isinstance(ours, Leaf), ours
    assert ours.is_weak == theirs.weak_type
