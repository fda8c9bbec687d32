"""One cause in what code does with a value or an object is one finding, with every place that it affects."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import CONFIG, findings_of, lines_of, write

pytestmark = pytest.mark.xdist_group("light")

SHAPES = """\
import jax
import jax.numpy as jnp


@jax.jit
def heads(x: jax.Array, n: int, size: int) -> jax.Array:
    split = x.reshape(n, -1)
    return split[:n] + jnp.zeros((n, size))


@jax.jit
def padded(x: jax.Array, n: int) -> jax.Array:
    return jnp.concatenate([x, jnp.zeros(n)])


@jax.jit
def masked(x: jax.Array, keep: jax.Array, drop: jax.Array) -> jax.Array:
    return x[keep > 0] + x[drop > 0]
"""


LEAK = """\
import jax


class Model:
    def __init__(self) -> None:
        self.last: jax.Array | None = None


model = Model()


@jax.jit
def step(x: jax.Array, y: jax.Array) -> jax.Array:
    model.last = x
    x = x + y
    model.last = x
    return x


@jax.jit
def other(x: jax.Array) -> jax.Array:
    model.last = x
    return x
"""


SETTER = """\
from functools import partial

import jax


class Surface:
    def __init__(self, order: int) -> None:
        self._order = order

    @property
    def order(self) -> int:
        return self._order

    @order.setter
    def order(self, order: int) -> None:
        self._order = order

    @partial(jax.jit, static_argnums=0)
    def area(self, x: jax.Array) -> jax.Array:
        return x * self._order
"""


BRANCHES = """\
import jax


@jax.jit
def clipped(x: jax.Array, low: jax.Array) -> jax.Array:
    if x > 1:
        return x - x
    elif x > 2:
        return -x
    if x > 3:
        return x
    else:
        if x > 4:
            return low
    if low > 1:
        return low
    return x


@jax.jit
def other(x: jax.Array) -> jax.Array:
    return x if x > 1 else -x
"""


def test_what_one_function_needs_of_one_parameter_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"shapes.py": SHAPES, "pyproject.toml": CONFIG})
    found = findings_of(tmp_path, cache, "--select=static-traced")
    heads, padded, masks = found
    bound = 'This slice bound is traced, because it depends on the dynamic parameter "n" of "heads"'
    shape = 'Static argument "shape" of "{}"'.format
    assert [(one["line"], one["description"]) for one in heads["positions"]] == [
        (7, shape("reshape")),
        (8, bound),
        (8, shape("zeros")),
    ]
    assert (padded["line"], lines_of(padded)) == (13, [13])
    assert (masks["line"], lines_of(masks)) == (18, [18, 18])


def test_what_one_statement_asks_of_one_tracer_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"model.py": BRANCHES})
    found = findings_of(tmp_path, cache, "--select=jit-branch")
    assert [(one["line"], lines_of(one)) for one in found] == [(6, [6, 8]), (10, []), (13, []), (15, []), (22, [])]


def test_what_one_function_leaks_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"model.py": LEAK})
    first, second = findings_of(tmp_path, cache, "--select=jit-mutation")
    assert (first["line"], lines_of(first)) == (14, [14, 16])
    assert (second["line"], lines_of(second)) == (22, [])


LEAKED_PARTS = """\
import jax
import jax.numpy as jnp


class State:
    mass: jax.Array
    charge: jax.Array
    heat: jax.Array


STATE, OTHER = State(), State()


@jax.jit
def draw(x: jax.Array) -> jax.Array:
    STATE.mass = x * 2
    STATE.charge, STATE.heat = jnp.sin(x), x
    OTHER.mass = x
    return x


@jax.jit
def draw_again(x: jax.Array) -> jax.Array:
    STATE.mass = x * 3
    return x
"""


def test_what_one_function_leaks_into_attributes_of_one_object_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"model.py": LEAKED_PARTS})
    found = findings_of(tmp_path, cache, "--select=jit-mutation")
    assert [(one["line"], lines_of(one)) for one in found] == [(16, [16, 17]), (18, []), (24, [])]
    named = [position["description"] for position in found[0]["positions"]]
    assert named == ['"STATE.mass"', '"STATE.charge" and "STATE.heat"']


def test_the_attribute_that_is_assigned_is_named_and_not_a_property_that_could_be(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"surface.py": SETTER})
    (found,) = findings_of(tmp_path, cache, "--select=static-mutable")
    assert found["problem"] == 'Surface is mutable: "_order" can be assigned'
    assert found["advice"] == "pass what changes as a separate dynamic argument"


def test_the_attribute_that_another_module_assigns_is_named(tmp_path: Path, cache: str) -> None:
    model = SETTER.replace("    @property\n    def order(self) -> int:\n        return self._order\n\n", "")
    model = model.replace(
        "    @order.setter\n    def order(self, order: int) -> None:\n        self._order = order\n\n", ""
    )
    model = model.replace("self._order = order", "self.area_unit = 1\n        self.order = order").replace(
        "_order", "order"
    )
    main = "from surface import Surface\n\n\ndef grow(surface: Surface) -> None:\n    surface.order += 1\n"
    write(tmp_path, {"surface.py": model, "growing.py": main})
    (found,) = findings_of(tmp_path, cache, "--select=static-mutable")
    assert found["problem"] == 'Surface is mutable: "order" can be assigned'
    assert found["evidence"][0]["path"] == "growing.py"


COMPILED_METHODS = """\
import jax


class Trainer:
    def __init__(self, rate: float) -> None:
        self.rate = rate
        self._step = jax.jit(self.step)
        self._loss = jax.jit(self.loss)

    def step(self, x: jax.Array) -> jax.Array:
        return x * self.rate

    def loss(self, x: jax.Array) -> jax.Array:
        return x - self.rate

    def slow_down(self) -> None:
        self.rate = self.rate / 2
"""


def test_what_one_assignment_leaves_behind_in_several_methods_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"train.py": COMPILED_METHODS})
    (found,) = findings_of(tmp_path, cache)
    assert found["code"] == "jit-bound-method"
    assert lines_of(found) == [7, 8]
    assert found["notes"] == ['Line 17 assigns "rate": what was compiled before keeps the old value']


NOT_A_PYTREE = """\
import jax


class Plane:
    class Grid:
        def __init__(self, sizes: list[float]) -> None:
            self.sizes = sizes

        @jax.jit
        def scaled(self, x: jax.Array) -> jax.Array:
            return x * self.sizes[0]

        @jax.jit
        def shifted(self, x: jax.Array) -> jax.Array:
            return x + self.sizes[0]


class Space:
    class Grid:
        def __init__(self, sizes: list[float]) -> None:
            self.sizes = sizes

        @jax.jit
        def scaled(self, x: jax.Array) -> jax.Array:
            return x * self.sizes[0]


print(Plane.Grid([1.0]).scaled(2.0), Plane.Grid([1.0]).shifted(2.0), Space.Grid([1.0]).scaled(2.0))
"""


def test_a_class_that_is_no_pytree_is_one_finding_for_all_methods_that_it_compiles(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"grids.py": NOT_A_PYTREE})
    found = findings_of(tmp_path, cache, "--select=jit-self")
    assert [(one["line"], lines_of(one)) for one in found] == [(10, [10, 14]), (24, [])]
    assert [position["description"] for position in found[0]["positions"]] == ['"scaled"', '"shifted"']


OVERRIDING = """\
import jax
from jax.tree_util import register_pytree_node_class


class Draws:
    def __init__(self, key: float) -> None:
        self.key = key

    def tree_flatten(self) -> tuple[tuple[float], None]:
        return (self.key,), None

    @classmethod
    def tree_unflatten(cls, _: None, children: tuple[float]) -> "Draws":
        return cls(*children)


@register_pytree_node_class
class Uniform(Draws):
    def draw(self) -> float:
        self.key = self.key / 2
        return self.key


@register_pytree_node_class
class Normal(Draws):
    def draw(self) -> float:
        self.key = self.key / 3
        return self.key


@jax.jit
def step(x: jax.Array, uniform: Uniform, normal: Normal) -> jax.Array:
    return x * uniform.draw() * normal.draw()
"""


def test_what_a_method_and_those_beside_it_lose_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"draws.py": OVERRIDING})
    (found,) = findings_of(tmp_path, cache)
    assert found["code"] == "jit-mutation"
    assert lines_of(found) == [20, 27]


CACHED = """\
from functools import cached_property

import equinox as eqx
import jax


class State(eqx.Module):
    tokens: jax.Array

    @cached_property
    def doubled(self) -> jax.Array:
        return self.tokens * 2

    @cached_property
    def halved(self) -> jax.Array:
        return self.tokens / 2

    @jax.jit
    def step(self) -> jax.Array:
        return self.doubled * self.halved
"""


def test_what_one_class_caches_is_one_finding(tmp_path: Path, cache_with_jax: str) -> None:
    write(tmp_path, {"pyproject.toml": "", "state.py": CACHED})
    (found,) = findings_of(tmp_path, cache_with_jax)
    assert [(position["line"], position["description"]) for position in found["positions"]] == [
        (10, '"State.doubled"'),
        (14, '"State.halved"'),
    ]


WEAK = """\
import equinox as eqx
import jax
import jax.numpy as jnp


class Scale(eqx.Module):
    name: str = eqx.field(static=True)
    value: jax.Array

    def __init__(self, name: str) -> None:
        self.name = name
        self.value = jnp.array(1.0)
"""


TRAINED_TWICE = """\
import jax
import jax.numpy as jnp


@jax.jit
def step(scale: Scale, x: jax.Array) -> Scale:
    slope = jax.grad(jnp.sum)(x)
    return jax.tree.map(lambda value: value * jnp.mean(slope), scale)


def train(x: jax.Array) -> None:
    scale = Scale("first")
    for _ in range(100):
        scale = step(scale, x)


def tune(x: jax.Array) -> None:
    scale = Scale("second")
    for _ in range(100):
        scale = step(scale, x)
"""


def test_a_field_without_a_dtype_is_one_finding_where_it_is_set(tmp_path: Path, cache_with_jax: str) -> None:
    write(tmp_path, {"pyproject.toml": "", "main.py": f"{WEAK}\n\n{TRAINED_TWICE}"})
    (found,) = findings_of(tmp_path, cache_with_jax)
    assert (found["line"], found["column"], found["end_column"]) == (12, 9, 36)
    assert [(place["scope"], place["line"]) for place in found["positions"]] == [("train", 28), ("tune", 34)]


def test_so_is_one_of_another_module(tmp_path: Path, cache_with_jax: str) -> None:
    files = {"scales.py": WEAK, "main.py": f"from scales import Scale\n{TRAINED_TWICE}"}
    write(tmp_path, {"pyproject.toml": "", **files})
    (found,) = findings_of(tmp_path, cache_with_jax)
    assert (found["path"], found["line"]) == ("scales.py", 12)
    assert [(place["path"], place["line"]) for place in found["positions"]] == [("main.py", 15), ("main.py", 21)]


TWO_READERS = """\
from functools import partial

import jax


class Model:
    def __init__(self) -> None:
        self.rate, self.order = 1.0, 2

    @partial(jax.jit, static_argnums=0)
    def first(self, x: jax.Array) -> jax.Array:
        return x * self.rate

    @partial(jax.jit, static_argnums=0)
    def second(self, x: jax.Array) -> jax.Array:
        return x * self.rate * self.order

    def change(self) -> None:
        self.rate, self.order = 2.0, 3
"""


def test_a_line_is_evidence_once(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"pyproject.toml": f"{CONFIG}\n[project]\nname = 'model'\n", "model.py": TWO_READERS})
    (found,) = findings_of(tmp_path, cache, "--select=static-mutable")
    labels = [(one["label"], one["line"]) for one in found["evidence"]]
    assert len(labels) == len({*labels})
