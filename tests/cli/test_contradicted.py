"""What `check` makes of declared types that the calls of the whole program contradict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import findings_of, run, write

pytestmark = pytest.mark.xdist_group("light")

SLICES = """\
from functools import partial
from typing import Any

import jax


@partial(jax.jit, static_argnames="size")
def part(x: jax.Array, size: jax.Array) -> jax.Array:
    return x


@partial(jax.jit, static_argnames="axis")
def unsqueeze(x: jax.Array, axis: list[int]) -> jax.Array:
    return x


class Runner:
    def __init__(self) -> None:
        self.jitted = jax.jit(self._prepare, static_argnames=("size",))

    def _prepare(self, x: jax.Array, size: jax.Array) -> jax.Array:
        return x

    def run(self, x: jax.Array, request: Any) -> jax.Array:
        size = 512
        if request is not None:
            size = request.size
        return self.jitted(x, size)
"""
CALLS = """\
import jax
import slices


def cut(x: jax.Array, sizes: tuple[int, ...]) -> jax.Array:
    x = slices.part(x, 3)
    x = slices.part(x, size=sizes[0])
    return slices.unsqueeze(x, axis=(0, 1))
"""
ANOTHER = "import jax\nimport slices\n\n\ndef more(x: jax.Array) -> None:\n    {}\n"


def found(project: Path, cache: str, *arguments: str) -> list[tuple[str, int, str]]:
    findings = findings_of(project, cache, *arguments)
    return sorted((one["code"], one["line"], one["harm"]) for one in findings)


def test_no_call_passes_what_is_declared(tmp_path: Path, cache_with_jax: str) -> None:
    project = write(tmp_path, {"pyproject.toml": "", "slices.py": SLICES})
    raising = [("static-dynamic", 8, "raises"), ("static-mutable", 13, "raises")]
    assert found(project, cache_with_jax) == raising  # only the method is called at all
    write(project, {"pyproject.toml": "", "app.py": CALLS})
    assert found(project, cache_with_jax) == []
    shown = found(project, cache_with_jax, "--potential")
    assert shown == [
        ("static-dynamic", 8, "potential"),
        ("static-dynamic", 19, "potential"),
        ("static-mutable", 13, "potential"),
    ]


HANDLERS = """\
from collections.abc import Callable
from typing import Any

import jax
from slices import part, unsqueeze


class Unsqueeze:
    @classmethod
    def _fill(cls, node: Any, function: Callable[..., jax.Array]) -> None:
        node.attributes["axis"] = tuple(node.inputs[1].tolist())

    @classmethod
    def version_1(cls, node: Any) -> Callable[..., jax.Array]:
        cls._fill(node, unsqueeze)
        return unsqueeze


def cut(x: jax.Array) -> jax.Array:
    return part(x, x)
"""


def test_what_a_program_only_hands_on_is_called_with_whatever_it_is_called_with(
    tmp_path: Path, cache_with_jax: str
) -> None:
    project = write(tmp_path, {"pyproject.toml": "", "slices.py": SLICES, "handlers.py": HANDLERS})
    assert found(project, cache_with_jax) == [("static-dynamic", 8, "raises")]
    write(project, {"pyproject.toml": "", "app.py": ANOTHER.format("slices.unsqueeze(x, [0])")})
    assert ("static-mutable", 13, "raises") in found(project, cache_with_jax)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("slices.part(x, x)", [("static-dynamic", 8, "raises")]),
        ("y = slices.part(x, x)", [("static-dynamic", 8, "raises")]),
        ("print(slices.part)", [("static-dynamic", 8, "raises")]),
        ("slices.part(x, *[3])", [("static-dynamic", 8, "raises")]),
        ("slices.unsqueeze(x, [1])", [("static-mutable", 13, "raises")]),
        ("from slices import part as cut; cut(x, x)", [("static-dynamic", 8, "raises")]),
        ("slices.Runner().jitted(x, x)", [("static-dynamic", 19, "raises")]),
    ],
)
def test_another_call_may_pass_it(statement: str, expected: list[Any], tmp_path: Path, cache_with_jax: str) -> None:
    files = {"pyproject.toml": "", "slices.py": SLICES, "app.py": CALLS, "more.py": ANOTHER.format(statement)}
    assert found(write(tmp_path, files), cache_with_jax) == expected
    tests = {"pyproject.toml": "", "more.py": "", "test_more.py": ANOTHER.format(statement)}
    assert found(write(tmp_path, tests), cache_with_jax) == []


CONFIGURED = """\
from dataclasses import dataclass
from functools import partial

import jax


@dataclass(frozen=True)
class Config:
    steps: int
    support: jax.Array | None = None


@partial(jax.jit, static_argnames="config")
def solve(x: jax.Array, config: Config) -> jax.Array:
    return x if config.support is None else x * config.support
"""
MAKES = """\
import jax
import solvers


def run(x: jax.Array) -> jax.Array:
    config = solvers.Config(3)
    assert isinstance(config, solvers.Config)
    return solvers.solve(x, config)
"""
RAISES = [("static-dynamic", 14, "raises")]


def test_no_object_gets_the_field(tmp_path: Path, cache: str) -> None:
    project = write(tmp_path, {"solvers.py": CONFIGURED})
    assert found(project, cache) == RAISES  # nothing makes one
    write(project, {"app.py": MAKES})
    assert found(project, cache) == []
    assert found(project, cache, "--potential") == [("static-dynamic", 14, "potential")]


@pytest.mark.parametrize(
    "makes",
    [
        "solvers.Config(3, x)",
        "solvers.Config(3, support=x)",
        "solvers.Config(*x)",
        "print(solvers.Config)",
        "from solvers import Config as Settings; Settings(3, x)",
        "print(dataclasses.replace(solvers.Config(3), support=x))",
        'object.__setattr__(solvers.Config(3), "support", x)',
    ],
)
def test_an_object_may_get_the_field(makes: str, tmp_path: Path, cache: str) -> None:
    more = f"import dataclasses\nimport jax\nimport solvers\n\n\ndef make(x: jax.Array) -> None:\n    {makes}\n"
    assert found(write(tmp_path, {"solvers.py": CONFIGURED, "app.py": MAKES, "more.py": more}), cache) == RAISES


def test_a_default_that_is_an_array_counts(tmp_path: Path, cache: str) -> None:
    filled = CONFIGURED.replace("= None", "= jax.numpy.ones(3)")
    assert found(write(tmp_path, {"solvers.py": filled, "app.py": MAKES}), cache) == RAISES


def test_what_a_call_passes_is_no_error(tmp_path: Path, cache_with_jax: str) -> None:
    project = write(tmp_path, {"pyproject.toml": "", "slices.py": SLICES, "app.py": CALLS})
    assert "passes" not in run(project, "check", cache_with_jax, "--all", "--format=concise").out


def test_a_call_may_pass_a_type_that_contains_itself(tmp_path: Path, cache_with_jax: str) -> None:
    nested = 'Sizes = tuple["Sizes", ...] | int\n\n\ndef cut(x: jax.Array, sizes: Sizes) -> None:\n'
    app = f"import jax\nimport slices\n\n{nested}    slices.unsqueeze(x, axis=sizes)\n"
    project = write(tmp_path, {"pyproject.toml": "", "slices.py": SLICES, "app.py": app})
    assert run(project, "check", cache_with_jax).errors == ""


MODELS = """\
from collections.abc import Callable

import jax


@jax.jit
def stress(model: Callable[[jax.Array], jax.Array], strain: jax.Array) -> jax.Array:
    return model(strain)
"""
PARTIAL = """\
import jax
import models
from jax.tree_util import Partial


def solve(strain: jax.Array) -> jax.Array:
    return models.stress(Partial(lambda strain: strain), strain)
"""


@pytest.mark.parametrize(
    ("others", "harm"),
    [
        ({"app.py": PARTIAL}, "potential"),
        ({"app.py": "import equinox as eqx\n"}, "potential"),
        ({"tests/test_models.py": PARTIAL}, "raises"),
        ({"app.py": "import functools\n\nimport models\n\nprint(functools.partial, models.stress)\n"}, "raises"),
    ],
)
def test_a_callable_may_be_a_pytree_that_another_module_makes(
    others: dict[str, str], harm: str, tmp_path: Path, cache: str
) -> None:
    project = write(tmp_path, {"models.py": MODELS, **others})
    assert found(project, cache, "--potential") == [("jit-untraceable", 7, harm)]


NETWORKS = """\
import jax


class Network:
    def __init__(self, size: int) -> None:
        self.size = size

    def apply(self, x: jax.Array) -> jax.Array:
        return x


@jax.jit
def update(model: Network, x: jax.Array) -> jax.Array:
    return model.apply(x)
"""
AGENTS = """\
import flax.struct
import jax
import networks


class Model(flax.struct.PyTreeNode):
    weight: jax.Array

    @classmethod
    def create(cls, network: networks.Network) -> "Model":
        return cls(jax.numpy.ones(network.size))

    def apply(self, x: jax.Array) -> jax.Array:
        return x * self.weight


class Agent:
    def __init__(self) -> None:
        self.model = Model.create(networks.Network(3))

    def step(self, x: jax.Array) -> jax.Array:
        return networks.update(self.model, x)
"""


@pytest.mark.parametrize(
    ("statement", "harm"),
    [
        ("networks.update(agents.Agent().model, x)", "potential"),
        ("networks.update(model=agents.Agent().model, x=x)", "potential"),
        ("networks.update(x, x)", "potential"),
        ("networks.update(networks.Network(3), x)", "raises"),
        ("networks.update(model=networks.Network(3), x=x)", "raises"),
        ("networks.update(agents.unknown(), x)", "raises"),
        ("networks.update(agents.Agent(), x)", "raises"),
        ("print(networks.update)", "raises"),
    ],
)
def test_calls_may_pass_a_pytree_for_what_is_declared(
    statement: str, harm: str, tmp_path: Path, cache_with_jax: str
) -> None:
    more = f"import agents\nimport jax\nimport networks\n\n\ndef more(x: jax.Array) -> None:\n    {statement}\n"
    files = {"pyproject.toml": "", "networks.py": NETWORKS, "agents.py": AGENTS, "more.py": more}
    assert ("jit-untraceable", 13, harm) in found(write(tmp_path, files), cache_with_jax, "--potential")


def test_nobody_calls_what_takes_no_pytree(tmp_path: Path, cache_with_jax: str) -> None:
    project = write(tmp_path, {"pyproject.toml": "", "networks.py": NETWORKS})
    assert found(project, cache_with_jax) == [("jit-untraceable", 13, "raises")]


TIMES = """\
from functools import partial

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike


def solve(x: jax.Array, times: ArrayLike) -> jax.Array:
    if not isinstance(times, tuple):
        times = jnp.asarray(times)
        times = {}
    return _solve(x, times)


@partial(jax.jit, static_argnames="times")
def _solve(x: jax.Array, times: jax.Array) -> jax.Array:
    return x * len(times)
"""


@pytest.mark.parametrize(("made", "harm"), [("tuple(times.tolist())", "potential"), ("jnp.sort(times)", "raises")])
def test_a_call_may_pass_what_a_branch_makes(made: str, harm: str, tmp_path: Path, cache_with_jax: str) -> None:
    project = write(tmp_path, {"pyproject.toml": "", "times.py": TIMES.replace("{}", made)})
    assert ("static-dynamic", 16, harm) in found(project, cache_with_jax, "--potential")


WRAPPED = """\
from functools import partial, wraps

import jax
import jax.numpy as jnp
from jax.typing import ArrayLike


def logged(function: callable) -> callable:
    @wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@logged
@partial(jax.jit, static_argnames="times")
def _solve(x: jax.Array, times: jax.Array) -> jax.Array:
    return x * len(times)


def solve(x: jax.Array, times: ArrayLike) -> jax.Array:
    {}
"""
TUPLE = (
    "    if not isinstance(times, tuple):\n        times = jnp.asarray(times)\n        times = tuple(times.tolist())\n"
)


@pytest.mark.parametrize(
    ("body", "harm"),
    [
        (f"{TUPLE}    return _solve(x, times)", "potential"),
        ("    times = (0,) if times is None else tuple(times)\n    return _solve(x, times)", "potential"),
        (
            "    if times is None:\n        times = (0,)\n    else:\n        times = (1,)\n    return _solve(x, times)",
            "potential",
        ),
        (
            "    times = (0,)\n    for _ in range(3):\n        x = _solve(x, times)\n        times = x\n    return x",
            "raises",
        ),
        (f"{TUPLE}    times = jnp.asarray(times)\n    return _solve(x, times)", "raises"),
        (f"{TUPLE}    return _solve(x, times) + _solve(x, x)", "raises"),
        (f"{TUPLE}    return _solve(x, [times])", "raises"),
    ],
)
def test_the_syntax_of_calls_tells_what_a_decorator_hides(
    body: str, harm: str, tmp_path: Path, cache_with_jax: str
) -> None:
    files = {"pyproject.toml": "", "times.py": WRAPPED.replace("    {}", body)}
    assert ("static-dynamic", 18, harm) in found(write(tmp_path, files), cache_with_jax, "--potential")


STEPPER = """\
import jax
import times


class Stepper:
    times: jax.Array

    def step(self, x: jax.Array) -> jax.Array:
        return times._solve(x, self.times)
"""


@pytest.mark.parametrize(
    ("body", "harm"), [(f"{TUPLE}    return _solve(x, times)", "potential"), ("    return x", "raises")]
)
def test_the_declaration_of_an_attribute_says_no_more(
    body: str, harm: str, tmp_path: Path, cache_with_jax: str
) -> None:
    files = {"pyproject.toml": "", "times.py": WRAPPED.replace("    {}", body), "stepper.py": STEPPER}
    assert ("static-dynamic", 18, harm) in found(write(tmp_path, files), cache_with_jax, "--potential")


SETUP = '[build-system]\nrequires = ["setuptools"]\n[project]\nname = "app"\n'


@pytest.mark.parametrize(("offered", "harm"), [("from . import slices", "raises"), ("", "potential")])
def test_users_believe_what_a_package_offers(offered: str, harm: str, tmp_path: Path, cache_with_jax: str) -> None:
    calls = CALLS.replace("import slices", "from app import slices")
    files = {"pyproject.toml": SETUP, "app/__init__.py": offered, "app/slices.py": SLICES, "app/calls.py": calls}
    assert ("static-mutable", 13, harm) in found(write(tmp_path, files), cache_with_jax, "--potential")


FIELDS = """\
from functools import partial

import jax


@partial(jax.jit, static_argnames="fields")
def drift(x: jax.Array, fields):
    return x * len(fields)


def simulate(x: jax.Array, fields: list[str]) -> jax.Array:
    return drift(x, fields)
"""


@pytest.mark.parametrize(
    ("text", "harm"),
    [
        ("def run(x, fields):\n    fields.simulate(x, fields)", "potential"),
        ("def run(x, data):\n    names = data.get_fields()\n    fields.simulate(x, fields=names)", "potential"),
        ("def run(x, data):\n    names = data.get_fields()\n    print(fields.simulate)", "raises"),
        ("def run(x, data):\n    names = ['x']\n    fields.simulate(x, names)", "raises"),
        ("def run(x, data):\n    fields.simulate(x, list(data))", "raises"),
        ("def run(x, names: list[str]):\n    fields.simulate(x, names)", "raises"),
        ("def run(x, data):\n    fields.simulate(x, data.fields)", "raises"),
    ],
)
def test_a_caller_may_pass_on_what_no_call_shows(text: str, harm: str, tmp_path: Path, cache_with_jax: str) -> None:
    files = {"pyproject.toml": "", "fields.py": FIELDS, "app.py": f"import fields\n\n\n{text}\n"}
    assert found(write(tmp_path, files), cache_with_jax, "--potential") == [("static-mutable", 12, harm)]
