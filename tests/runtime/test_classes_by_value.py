"""cloudpickle and dill, with which Ray, Dask and submitit send classes of `__main__`, can send our classes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import cloudpickle  # type: ignore[import-untyped]
import jax
import jax.numpy as jnp

from tests import processes
from tests.runtime.tracing import load

PROGRAM = """
from dataclasses import InitVar
from typing import Any
import jax
from jaxtyped_static import Static, dynamic_dataclass, field, jit, static_dataclass

@static_dataclass
class Base:
    n: int
    scale: float = 1.0
    names: tuple[str, ...] = field(default_factory=lambda: ("a",))

@static_dataclass
class Derived(Base):
    m: int = 2
    seed: InitVar[int] = 0
    area: int = field(init=False)
    def __post_init__(self, seed):
        object.__setattr__(self, "area", self.n * self.m)
    def shown(self):
        return super().__repr__()

@dynamic_dataclass
class State:
    x: Any
    base: Static[Base]
    @jit
    def energy(self):
        return self.x * self.base.n

@dynamic_dataclass
class Checked(State):
    def __post_init__(self):
        if self.x is None: raise ValueError("no data")

@jit
def step(x, base: Static[Base]):
    return x * base.n

@static_dataclass(slots=True)
class Slotted:
    n: int

values = {
    "slotted": Slotted(3),
    "object": Base(3),
    "class": Base,
    "slotted": Slotted(3),
    "derived": Derived(3, seed=4),
    "step": step,
    "state": State(2.0, Base(3)),
    "states": Checked,
    "structure": jax.tree.structure(State(2.0, Base(3))).node_data()[1],
}
"""
SEND = """
import cloudpickle, dill, json
sent = [{name: library.dumps(value).hex() for name, value in values.items()} for library in (cloudpickle, dill)]
print(json.dumps(sent))
"""
RECEIVE = """
import cloudpickle, dill, json, sys
import jax, jax.numpy as jnp
from jaxtyped_static import check_static

by_cloudpickle, by_dill = json.load(sys.stdin)
for load, sent in ((cloudpickle.loads, by_cloudpickle), (dill.loads, by_dill)):
    loaded = {name: load(bytes.fromhex(data)) for name, data in sent.items()}
    value, cls = loaded["object"], loaded["class"]
    again = type(value)
    assert value is again(3) is again(n=3, scale=1.0) and value != again(3.0) and hash(value) == hash(again(3))
    assert cls(4).names == ("a",) and cls(4) is cls(4) and repr(cls(4)) == "Base(n=4, scale=1.0, names=('a',))"
    check_static(value)
    assert jax.tree.leaves((value, 1)) == [1]
    assert loaded["slotted"] is type(loaded["slotted"])(3)
    assert float(loaded["step"](2.0, value)) == 6
    derived = loaded["derived"]
    assert derived is type(derived)(3) and derived.area == 6 and derived.shown().startswith(("Derived(n=3", "Base(n=3"))
    state = loaded["state"]
    assert jax.tree.leaves(state) == [2.0] and float(state.energy()) == 6
    program = jax.jit(lambda state: state.x ** state.base.n)
    power = type(state.base)
    assert [float(program(type(state)(jnp.int32(100_000), power(n)))) for n in (2, 2.0)] == [1410065408, 1e10]
    states = loaded["states"]
    made = states(jnp.float32(2), type(value)(3))
    assert float(jax.jit(lambda state: state.x + 1)(made)) == 3 and len(jax.tree.leaves(made)) == 1
    assert loaded["structure"].values[0].n == 3
    try:
        states(None, value)
    except ValueError:
        pass
    else:
        raise AssertionError("it was not checked")
print("right")
"""


def test_another_process_receives_the_same_values(tmp_path: Path) -> None:
    for name, source in (("send", PROGRAM + SEND), ("receive", RECEIVE)):
        (tmp_path / f"{name}.py").write_text(source)
    sent = processes.run([sys.executable, str(tmp_path / "send.py")], cwd=tmp_path)
    assert sent.returncode == 0, sent.stderr
    received = processes.run([sys.executable, str(tmp_path / "receive.py")], cwd=tmp_path, text=sent.stdout)
    assert received.stdout == "right\n", received.stderr


def test_a_value_survives_a_round_trip_to_another_process(tmp_path: Path) -> None:
    module = load(tmp_path, PROGRAM, "only_here")
    for value in (module.Base(3), module.Derived(3), module.Base):
        assert cloudpickle.loads(cloudpickle.dumps(value)) is value
    state = cloudpickle.loads(cloudpickle.dumps(module.State(jnp.float32(2), module.Base(3))))
    structures: Any = [jax.tree.structure(each) for each in (state, module.State(1, module.Base(3)))]
    assert type(state) is module.State and structures[0] == structures[1]
    assert float(state.energy()) == 6 and module.Base(5) is module.Base(5)
