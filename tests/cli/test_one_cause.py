"""One cause is one finding, with every place that it affects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

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
CALLABLES = """\
from collections.abc import Callable

from jaxtyped_static import Static, jit

Function = Callable[[float], float]


@jit
def first(cost: Static[Function], x: float) -> float:
    return cost(x)


@jit
def second(cost: Static[Function], x: float) -> float:
    return cost(x)


def solve(x: float, weight: float) -> float:
    def cost(value: float) -> float:
        return value * weight

    return first(cost, x) + second(cost, x)


def train(x: float) -> float:
    for _ in range(10):
        x = solve(x, 0.5)
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


def findings(project: Path, cache: str, code: str) -> list[dict[str, Any]]:
    return findings_of(project, cache, f"--select={code}")


def lines(finding: dict[str, Any]) -> list[int]:
    return [place["line"] for place in finding["positions"]]


def test_what_one_statement_asks_of_one_tracer_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"model.py": BRANCHES})
    found = findings(tmp_path, cache, "jit-branch")
    assert [(one["line"], lines(one)) for one in found] == [(6, [6, 8]), (10, []), (13, []), (15, []), (22, [])]


def test_what_one_function_leaks_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"model.py": LEAK})
    first, second = findings(tmp_path, cache, "jit-mutation")
    assert (first["line"], lines(first)) == (14, [14, 16])
    assert (second["line"], lines(second)) == (22, [])


def test_one_callable_that_several_functions_get_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"solving.py": CALLABLES})
    (found,) = findings(tmp_path, cache, "static-callable")
    assert '"cost"' in found["problem"]
    assert [place["description"] for place in found["positions"]] == [
        'Static argument "cost" of "first"',
        'Static argument "cost" of "second"',
    ]


def test_the_attribute_that_is_assigned_is_named_and_not_a_property_that_could_be(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"surface.py": SETTER})
    (found,) = findings(tmp_path, cache, "static-mutable")
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
    (found,) = findings(tmp_path, cache, "static-mutable")
    assert found["problem"] == 'Surface is mutable: "order" can be assigned'
    assert found["evidence"][0]["path"] == "growing.py"


LOOP = """\
import jax


def train(x: jax.Array) -> jax.Array:
    for power in range(3):
        x = jax.jit(lambda y: y + 1)(x)
        x = jax.jit(lambda y: y + 1)(x)
    while True:
        x = jax.jit(lambda y: y + 1)(x)
    return x
"""


def test_what_one_loop_compiles_again_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"training.py": LOOP})
    found = findings(tmp_path, cache, "jit-retrace")
    assert [(one["line"], lines(one)) for one in found] == [(6, [6, 7]), (9, [])]


FACTORY = """\
import functools

import jax


class Workspace:
    def __init__(self) -> None:
        self.scale = 2.0

    def batch(self, params: jax.Array, x: jax.Array) -> jax.Array:
        return x * params * self.scale

    def dual(self, params: jax.Array, x: jax.Array) -> jax.Array:
        def conjugate(y: jax.Array) -> jax.Array:
            return y - params

        @jax.jit
        def halved(y: jax.Array) -> jax.Array:
            return y / params

        first = jax.jit(jax.vmap(conjugate))
        return jax.jit(functools.partial(self.batch, params))(first(halved(x)))

    def primal(self, params: jax.Array, x: jax.Array) -> jax.Array:
        return jax.jit(lambda y: y * params)(x)


def main(params: list[jax.Array], x: jax.Array) -> None:
    workspace = Workspace()
    for part in params:
        print(workspace.dual(part, x), workspace.primal(part, x))
"""


def test_what_one_function_compiles_again_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"train.py": FACTORY})
    first, other = findings_of(tmp_path, cache)
    assert [position["line"] for position in first["positions"]] == [17, 21, 22]
    assert (first["line"], first["code"]) == (17, "jit-retrace")
    assert (other["line"], other["positions"]) == (25, [])


LIBRARY = """\
class Model:
    def __init__(self) -> None:
        self.state = 1

    def grow(self) -> None:
        self.state += 1
"""
SCRIPT = """\
from functools import partial

import jax
from library import Model


class Own(Model):
    @partial(jax.jit, static_argnums=0)
    def run(self) -> int:
        return self.state
"""


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
    assert [position["line"] for position in found["positions"]] == [7, 8]
    assert found["notes"] == ['Line 17 assigns "rate": what was compiled before keeps the old value']


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


def test_what_a_method_and_those_beside_it_lose_is_one_finding(tmp_path: Path, cache_with_jax: str) -> None:
    write(tmp_path, {"draws.py": OVERRIDING})
    (found,) = findings_of(tmp_path, cache_with_jax)
    assert found["code"] == "jit-mutation"
    assert [position["line"] for position in found["positions"]] == [20, 27]


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
    write(tmp_path, {"state.py": CACHED})
    (found,) = findings_of(tmp_path, cache_with_jax)
    assert [(position["line"], position["description"]) for position in found["positions"]] == [
        (10, '"State.doubled"'),
        (14, '"State.halved"'),
    ]


LISTED = """\
from functools import partial

import jax


@partial(jax.jit, static_argnames=("n", "left", "over"))
def step(x: jax.Array, n: int) -> jax.Array:
    return x * n


@partial(jax.jit, static_argnames="gone")
def other(x: jax.Array) -> jax.Array:
    return x
"""


def test_what_one_list_names_in_vain_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"main.py": LISTED})
    first, second = findings(tmp_path, cache, "jit-argnames")
    assert (len(first["positions"]), second["line"]) == (2, 11)
    assert [note for note in first["notes"] if note.startswith("Write")] == ['Write instead: static_argnames=("n",)']


WRITTEN_AGAIN = """\
from functools import partial

import jax


def first(x: jax.Array, n: int) -> jax.Array:
    return x * n


def second(x: jax.Array, n: int) -> jax.Array:
    return x + n


fast = [jax.jit(first, static_argnums=5), jax.jit(second, static_argnums=5), jax.jit(second, static_argnums=7)]
named = {
    "first": jax.jit(first, static_argnames="m"),
    "second": jax.jit(second, static_argnames="m"),
}
alone = jax.jit(first, static_argnums=5)

partial(jax.jit, static_argnames="n")
def third(x: jax.Array, n: int) -> jax.Array:
    return x * n


partial(jax.jit, static_argnames="n")
def fourth(x: jax.Array, n: int) -> jax.Array:
    return x * n


@jax.jit
def chosen(x, kind, other):
    return x if kind == "a" else -x


def use(x: jax.Array) -> None:
    chosen(x, "a", 1)
    chosen(x, "b", 1)
    chosen(x, "a", "b")
"""


def test_what_is_written_again_and_again_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"main.py": WRITTEN_AGAIN})
    found = [
        (one["line"], [place["line"] for place in one["positions"]])
        for one in findings(tmp_path, cache, "jit-argnames")
    ]
    assert found == [(14, [14, 14]), (14, []), (16, [16, 17]), (19, []), (21, [21, 26])]


def test_what_several_calls_pass_for_one_parameter_is_one_finding(tmp_path: Path, cache_with_jax: str) -> None:
    write(tmp_path, {"pyproject.toml": "", "main.py": WRITTEN_AGAIN})
    found = findings(tmp_path, cache_with_jax, "jit-untraceable")
    assert [(one["line"], len(one["positions"])) for one in found] == [(37, 3), (39, 0)]


COPIED = """\
from functools import partial

import jax


def interpolate(xs: jax.Array) -> list[jax.Array]:
    @partial(jax.jit, static_argnums=2)
    def between(x: jax.Array, t: jax.Array) -> jax.Array:
        return x * t

    return [between(x, x) for x in xs]
"""


def test_copies_of_a_function_in_several_files_are_one_finding(tmp_path: Path, cache: str) -> None:
    plots = f"# Plots.\n{COPIED}"
    write(tmp_path, {"video.py": COPIED, "plots.py": plots.replace("between(x, x)", "2 * between(x, x)")})
    write(tmp_path, {"other.py": plots.replace("x * t", "x * t + 1")})
    found = findings(tmp_path, cache, "jit-argnames")
    copies = [[(place["path"], place["line"]) for place in one["positions"]] for one in found]
    assert copies == [[], [("plots.py", 8), ("video.py", 7)]]
    assert [(one["path"], one["line"]) for one in found] == [("other.py", 8), ("plots.py", 8)]


def test_a_file_that_is_checked_twice_is_reported_once(tmp_path: Path, cache: str) -> None:
    script = "from lib import step\n\nstep(1)\n"
    files = {
        f"{name}/{file}": text for name in "ab" for file, text in [("run.py", script), ("lib.py", "step = print\n")]
    }
    shared = {"shared/__init__.py": "", "shared/train.py": COMPILED_METHODS}
    imports = {f"{name}/run.py": f"import shared.train\n{script}" for name in "ab"}
    write(tmp_path, {**files, **shared, **imports})
    assert len(findings_of(tmp_path, cache)) == 1


def test_scripts_of_one_name_that_share_a_class_share_its_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"library.py": LIBRARY, "first/models.py": SCRIPT, "second/models.py": SCRIPT})
    (found,) = findings(tmp_path, cache, "static-mutable")
    assert found["path"] == "library.py"
    assert [place["path"] for place in found["positions"]] == ["first/models.py", "second/models.py"]


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
    write(tmp_path, {"main.py": f"{WEAK}\n\n{TRAINED_TWICE}"})
    (found,) = findings_of(tmp_path, cache_with_jax)
    assert (found["line"], found["column"], found["end_column"]) == (12, 9, 36)
    assert [(place["scope"], place["line"]) for place in found["positions"]] == [("train", 28), ("tune", 34)]


def test_so_is_one_of_another_module(tmp_path: Path, cache_with_jax: str) -> None:
    write(tmp_path, {"scales.py": WEAK, "main.py": f"from scales import Scale\n{TRAINED_TWICE}"})
    (found,) = findings_of(tmp_path, cache_with_jax)
    assert (found["path"], found["line"]) == ("scales.py", 12)
    assert [(place["path"], place["line"]) for place in found["positions"]] == [("main.py", 15), ("main.py", 21)]


BOTH_LISTS = """\
from functools import partial

import jax


@partial(jax.jit, static_argnums=(0, 1), static_argnames=("c",))
def build(a: int, b: int, x: jax.Array, c: bool = False) -> jax.Array:
    return x * a * b if c else x


build(1, 2, jax.numpy.ones(2), True)
build(a=1, b=2, x=jax.numpy.ones(2))
"""


def test_what_two_lists_leave_out_is_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"training.py": BOTH_LISTS})
    found = findings(tmp_path, cache, "jit-argnames")
    assert [(one["line"], lines(one)) for one in found] == [(7, [7, 7, 7])]


STEPS_IN_A_LOOP = """\
import jax


class Scale:
    def __call__(self, x: jax.Array) -> jax.Array:
        return x * 2


def train(x: jax.Array) -> jax.Array:
    for _ in range(int(input())):
        x = jax.jit(lambda y: y + 1)(x)
        x = jax.jit(Scale())(x)
    return x


train(jax.numpy.ones(2))
"""


def test_each_place_says_what_is_wrong_there(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"training.py": STEPS_IN_A_LOOP})
    (found,) = findings(tmp_path, cache, "jit-retrace")
    first, second = (one["description"] for one in found["positions"])
    assert first == "here"
    assert second.startswith("This loop creates a callable object of Scale on every pass")


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
    write(tmp_path, {"pyproject.toml": "[project]\nname = 'model'\n", "model.py": TWO_READERS})
    (found,) = findings(tmp_path, cache, "static-mutable")
    labels = [(one["label"], one["line"]) for one in found["evidence"]]
    assert len(labels) == len({*labels})
