"""Dynamic classes in libraries that save and restore pytrees: `jax.export`, `flax.serialization`, Orbax."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import pytest

from jaxtyped_static import Static, dynamic_dataclass
from tests.processes import run_python
from tests.runtime.dynamic_values import Grid, Pair, State, Tagged, structure

FLAX_LATER = """
import importlib, sys
import jax.numpy as jnp
from tests.runtime.dynamic_values import *

assert not any(name.split(".")[0] in ("flax", "orbax", "equinox", "mypy") for name in sys.modules)
state = State(jnp.arange(2.0), Grid(3), Leaves(1))
watchers = lambda: [finder for finder in sys.meta_path if type(finder).__module__.startswith("jaxtyped_static")]
assert len(watchers()) == 1
{imports}
from flax import serialization
assert serialization.to_state_dict(state)["v"] == {{"x": 1, "y": 0}}
assert serialization.__spec__.loader.get_source("flax.serialization") == open(serialization.__file__).read()
assert not watchers()

@dynamic_dataclass
class Later:
    x: Any
    n: Static[int]

assert serialization.to_state_dict(Later(1, 2)) == {{"x": 1}}
assert not watchers()
importlib.reload(serialization)
"""


IMPORTS = [
    "import importlib.util; importlib.util.find_spec('flax.serialization')",
    pytest.param("", marks=pytest.mark.thorough),
    pytest.param("import flax", marks=pytest.mark.thorough),
]


@pytest.mark.parametrize("imports", IMPORTS)
def test_flax_may_be_imported_after_the_class_is_made(imports: str) -> None:
    pytest.importorskip("flax")
    program = FLAX_LATER.format(imports=imports)
    done = run_python(program)
    assert done.returncode == 0, done.stderr


def test_a_class_without_flax_imports_nothing() -> None:
    program = "import sys; from tests.runtime.dynamic_values import *; print([n for n in sys.modules if 'flax' in n])"
    done = run_python(program)
    assert done.stdout.strip() == "[]", done.stderr


def test_state_dictionaries() -> None:
    serialization: Any = pytest.importorskip("flax.serialization")
    state = State(jnp.arange(2.0), Grid(3), {"a": Pair(first=jnp.ones(1), second=2)})
    saved = serialization.to_state_dict(state)
    assert set(saved) == {"u", "v"} and set(saved["v"]["a"]) == {"first", "second"}
    other = State(jnp.zeros(2), Grid(4), {"a": Pair(first=jnp.zeros(1), second=0)})
    restored = serialization.from_state_dict(other, saved)
    assert restored.u.tolist() == [0, 1] and restored.grid is Grid(4) and restored.v["a"].second == 2
    data = serialization.msgpack_serialize(saved)
    restored = serialization.from_state_dict(state, serialization.msgpack_restore(data))
    assert structure(serialization.from_bytes(state, serialization.to_bytes(state))) == structure(state)
    assert structure(restored) == structure(state)
    with pytest.raises(ValueError, match="the state of a State and its data fields differ in more, u"):
        serialization.from_state_dict(state, {"v": saved["v"], "more": 1})


def test_orbax_saves_and_restores(tmp_path: Path) -> None:
    checkpoints: Any = pytest.importorskip("orbax.checkpoint")
    state = State(jnp.arange(4.0), Grid(3), {"a": Pair(first=jnp.ones(2), second=jnp.zeros(1))})
    with checkpoints.StandardCheckpointer() as checkpointer:
        checkpointer.save(tmp_path / "state", state)
        checkpointer.wait_until_finished()
        abstract = jax.tree.map(checkpoints.utils.to_shape_dtype_struct, state)
        assert type(abstract) is State and isinstance(abstract.u, jax.ShapeDtypeStruct)
        restored = checkpointer.restore(tmp_path / "state", abstract)
    assert type(restored) is State and restored.grid is state.grid
    assert restored.u.tolist() == [0, 1, 2, 3] and restored.v["a"].first.tolist() == [1, 1]


@dynamic_dataclass
class Exported:
    u: jax.Array
    grid: Static[Grid]


def test_exported_functions_take_and_return_objects() -> None:
    jax.export.register_pytree_node_serialization(
        Exported, serialized_name="Exported", serialize_auxdata=pickle.dumps, deserialize_auxdata=pickle.loads
    )
    value = Exported(jnp.arange(3.0), Grid(3))

    @jax.jit
    def scale(each: Exported) -> Exported:
        return Exported(each.u * each.grid.cells, each.grid)

    exported: Any = jax.export.export(scale)(value)
    assert exported.call(value).u.tolist() == [0, 3, 6]
    pytest.importorskip("flatbuffers")
    again: Any = jax.export.deserialize(exported.serialize())
    result = again.call(value)
    assert type(result) is Exported and result.grid is Grid(3) and result.u.tolist() == [0, 3, 6]
    with pytest.raises(ValueError, match=r"grid=Grid\(cells=4"):
        again.call(Exported(jnp.arange(3.0), Grid(4)))


def test_metadata_survives_a_pickled_structure() -> None:
    flatten: Any = jax.tree_util.default_registry.flatten_one_level
    _, metadata = flatten(Tagged(1, (1, -0.0)))
    assert pickle.loads(pickle.dumps(metadata)) is metadata
    assert repr(metadata) == "tag=(1, -0.0)"
