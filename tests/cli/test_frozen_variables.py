"""Methods of `FrozenDict`, of the dict that Flax returns: findings of the rule `jax-missing`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import flax
import flax.linen as nn
import jax
import jax.numpy as jnp
import pytest
from flax.core import freeze

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

MODULES: Final = """\
import flax.linen as nn
import jax


class Net(nn.Module):
    @nn.compact
    def __call__(self, x: jax.Array):
        return nn.Dense(3)(x)
"""
FOUND: Final = """\
import jax
import jax.numpy as jnp

from modules import Net

key, x = jax.random.key(0), jnp.ones(3)


class Trainer:
    def __init__(self):
        self.net = Net()
        self.params = self.net.init(key, x).unfreeze()
        self.rest = self.net.init(key, x)
        self.rest = self.rest.unfreeze()


def begin(x):
    model = Net()
    variables = model.init(key, x)
    state, params = variables.pop("params")
    y, state = model.apply(variables, x, mutable=["batch_stats"])
    y, stats = model.apply(variables, x, mutable=True)[1].pop("batch_stats")
    more = variables.copy({"params": params})
    inner = model.init(key, x)["params"]
    return inner.unfreeze(), state.copy(add_or_replace={}), variables["params"].pretty_repr(), more, stats


model = Net()
y, variables = model.init_with_output(key, x)
variables.unfreeze()
"""
FINDINGS: Final = [
    (12, "unfreeze", "init", "AttributeError"),
    (14, "unfreeze", "init", "AttributeError"),
    (20, "pop", "init", "ValueError"),
    (22, "pop", "apply", "ValueError"),
    (23, "copy", "init", "TypeError"),
    (25, "copy", "apply", "TypeError"),
    (25, "pretty_repr", "init", "AttributeError"),
    (25, "unfreeze", "init", "AttributeError"),
    (30, "unfreeze", "init_with_output", "AttributeError"),
]
EARLIER: Final = """\
import jax
import jax.numpy as jnp

from modules import Net

text = Net().init_with_output(jax.random.key(0), jnp.ones(3))[1].pretty_repr()
"""
SILENT: Final = """\
import flax
import jax
import jax.numpy as jnp
import optax
from flax.core import FrozenDict, freeze, unfreeze

from modules import Net

key, x = jax.random.key(0), jnp.ones(3)


def frozen():
    variables = freeze(Net().init(key, x))
    rest, params = variables.pop("params")
    copied, stats = flax.core.pop(Net().init(key, x), "params")
    return unfreeze(variables), variables.unfreeze(), flax.core.copy(copied, {"params": params})


def dicts(model: Net):
    variables = model.init(key, x)
    params = variables.pop("params")
    kernel, bias = variables.pop("pair", (1, 2))
    names = variables.copy()
    y, state = model.apply(variables, x, mutable=False)
    (only,) = names.pop("params")
    return params, state.unfreeze(), kernel, bias, only


def either(model: Net):
    variables = model.init(key, x)
    if isinstance(variables, FrozenDict):
        variables = variables.unfreeze()
    others = model.init(key, x)
    if hasattr(others, "unfreeze"):
        return others.unfreeze()
    try:
        return model.init(key, x).unfreeze()
    except AttributeError:
        return model.init(key, x).unfreeze() if flax.__version__ < "0.7.1" else variables


def rebound(model: Net, flag: bool):
    variables = model.init(key, x)
    if flag:
        variables = freeze(variables)
    return variables.unfreeze()


def another(model: Net, params):
    state = optax.sgd(1.0).init(params)
    return state.copy({}), params.unfreeze(), model.apply(params, x).copy({})
"""


def _checked(files: dict[str, str], folder: Path, cache: str) -> list[dict[str, Any]]:
    project = write(folder, {"pyproject.toml": "", "modules.py": MODULES, **files})
    return findings_of(project, cache, "--potential", "--select=jax-missing")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory, cache_with_jax: str) -> list[dict[str, Any]]:
    files = {"main.py": FOUND, "silent.py": SILENT, "old/model.py": EARLIER, "old/requirements.txt": "flax==0.6.1\n"}
    return _checked(files, tmp_path_factory.mktemp("project"), cache_with_jax)


def test_each_is_found(found: list[dict[str, Any]]) -> None:
    told = []
    for one in found:
        _, method, _, function, *_ = one["problem"].split('"')
        places = one["positions"] or [one]
        told += [(at["line"], method, function) for at in places if at.get("path", one["path"]) == "main.py"]
    assert sorted(told) == [row[:3] for row in FINDINGS]
    assert {one["harm"] for one in found if one["path"] == "main.py"} == {"raises"}


def test_either_kind_is_silent(found: list[dict[str, Any]]) -> None:
    assert not [at for one in found for at in one["positions"] if at["path"] == "silent.py"]


def test_an_older_flax_is_another_environment(found: list[dict[str, Any]]) -> None:
    shown = {one["harm"] for one in found if one["path"] == "old/model.py"}
    assert shown == {"potential"}
    assert all("flax==0.6.1" in " ".join(one["notes"]) for one in found if one["path"] == "old/model.py")


def test_a_program_may_ask_for_the_old_kind(tmp_path: Path, cache_with_jax: str) -> None:
    setting = 'import flax\n\nflax.config.update("flax_return_frozendict", True)\n'
    assert _checked({"main.py": FOUND, "setting.py": setting}, tmp_path, cache_with_jax) == []


def test_what_raises() -> None:
    class Net(nn.Module):
        @nn.compact
        def __call__(self, x: jax.Array) -> jax.Array:
            return nn.Dense(3)(x)

    net, key, x = Net(), jax.random.key(0), jnp.ones(3)
    made: dict[str, Any] = {
        "init": net.init(key, x),
        "apply": net.apply(freeze(net.init(key, x)), x, mutable=["params"])[1],
        "init_with_output": net.init_with_output(key, x)[1],
    }
    given: dict[str, list[Any]] = {"copy": [{}], "pop": ["params"]}
    for _, method, function, error in FINDINGS:
        arguments = given.get(method, [])
        with pytest.raises((AttributeError, TypeError, ValueError)) as raised:
            _, _ = getattr(dict(made[function]), method)(*arguments)
        assert raised.type.__name__ == error
    assert type(made["init"]) is dict and flax.core.pop(made["init"], "params")[0] == {}


def test_a_list_that_an_earlier_release_takes(tmp_path: Path, cache_with_jax: str) -> None:
    text = "import jax.numpy as jnp\n\nprint(jnp.broadcast_to([1.0], (3,)))\n"
    files = {"new/main.py": text, "old/main.py": text, "old/requirements.txt": "jax==0.2.20\n"}
    write(tmp_path, {"pyproject.toml": "", **files})
    found = findings_of(tmp_path, cache_with_jax, "--potential", "--select=jax-call")
    assert {one["path"]: one["harm"] for one in found} == {"new/main.py": "raises", "old/main.py": "potential"}
