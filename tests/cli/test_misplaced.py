"""Modules, items of arrays, and arguments at positions that mean something else: findings of `jax-missing`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import jax
import jax.numpy as jnp
import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

FOUND: Final = """\
import jax
import jax.numpy as jnp
from jax import lax


def items(n):
    x = jnp.zeros(3)
    x[0] = 1
    x[x > 0] += 1
    del x[0]
    y = -jnp.sin(x) * 2.0
    y.T[0] = 3
    y[0][0], z = 2, 3
    y = x.at[0].set(1).astype(float)
    for i in range(n):
        y[i] = 2
    k = jax.random.normal(jax.random.key(0), (3,)) + np.ones(3)
    k[0] = lax.add(x, x)
    x.sort()


def positions(f, x):
    jnp.nan_to_num(x, jnp.inf), jnp.nan_to_num(x, -1.0)
    jnp.sum(x, 0, None, None, False, None, None, None, True)
    lax.add(x, x, x, *f)


import numpy as np
"""
SILENT: Final = """\
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax


def items(x, flag, own, parameter: jax.Array):
    host = np.array(jnp.ones(3))
    host[0] = jnp.ones(())
    named = {}
    named["x"] = jnp.ones(3)
    named["x"] = [jnp.ones(3)]
    named["x"][0] = 1
    parts = jnp.split(x, 3)
    parts[0] = 1
    either = jnp.ones(3)
    if flag:
        either = np.array(either)
    either[0] = 1
    listed = jnp.ones(3)
    listed = list(listed)
    listed[0] = 1
    scaled = own * jnp.ones(3)
    scaled[0] = 1
    parameter[0] = 1
    held = jax.new_ref(jnp.ones(3))
    held[0] = 1
    for _ in range(3):
        rebound = jnp.ones(3)
        rebound = np.asarray(rebound).copy()
        rebound[0] = 1
    where = jnp.where(x)
    where[0] = 1
    ordered = jnp.ones(3).sort()
    host.sort(), parts.sort(), parameter.sort()
    parts.sort()
    host.sort()


def expected(x):
    try:
        x = jnp.ones(3)
        x[0] = 1
    except TypeError:
        pass
    with pytest.raises(TypeError):
        y = jnp.ones(3)
        y[0] = 1


def positions(f, x, more):
    jnp.nan_to_num(x, False), jnp.nan_to_num(x, 1), jnp.nan_to_num(x, copy=True, nan=jnp.inf), jnp.sum(x, *more)
    return jnp.where(x, x, x), jnp.concatenate([x, x], 0), lax.add(x, x), jax.nn.softmax(x, -1), jnp.maximum(x, x)


@jax.jit
def compiled(x):
    y = jnp.zeros(3)
    y[0] = x
    return y


jitted = jax.jit(expected, (0,))
"""

MODULES: Final = """\
from flax.deprecated import nn
import flax.deprecated.nn
from flax.deprecated.nn import Module


def f():
    from flax.deprecated import nn
    import jax.version.foo

    return nn


try:
    from flax.deprecated import nn as old
except ImportError:
    import jax._src.numpy.lax_numpy, jax.numpy.linalg, flax.linen.module
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory, cache_with_jax: str) -> list[dict[str, Any]]:
    files = {
        "pyproject.toml": "",
        "main.py": FOUND,
        "silent.py": SILENT,
        "other/modules.py": MODULES,
        "requirements.txt": "jax==0.4.30\n",
    }
    project = write(tmp_path_factory.mktemp("project"), files)
    return findings_of(project, cache_with_jax, "--potential", "--select=jax-missing")


def test_each_place_is_shown(found: list[dict[str, Any]]) -> None:
    """Those of arrays are no matter of the release that a project asks for."""
    shown = []
    for one in (one for one in found if one["path"] == "main.py"):
        places = one["positions"] or [one]
        shown.append((one["subject"], one["harm"], [at["line"] for at in places]))
    assert sorted(shown) == [
        ("copy: jax.numpy.nan_to_num", "potential", [23, 23]),
        ("jax.Array.sort", "wrong", [19]),
        ("jax.Array: __delitem__", "raises", [10]),
        ("jax.Array: __setitem__", "raises", [8, 9, 12, 13, 16, 18]),
        ("jax.lax.add", "potential", [25]),
        ("jax.numpy.sum", "potential", [24]),
    ]


def test_a_function_without_named_arguments_is_not_to_get_any(found: list[dict[str, Any]]) -> None:
    advice = {one["subject"]: one["advice"] for one in found if one["path"] == "main.py"}
    assert advice["jax.lax.add"] == "its arguments are x, y"
    assert advice["jax.numpy.sum"].startswith("its arguments are a, axis, dtype, out, keepdims")


def test_a_module_is_a_file_or_a_folder(found: list[dict[str, Any]]) -> None:
    """`flax/__init__.py` has the word in a comment."""
    shown = [(one["subject"], len(one["positions"])) for one in found if one["path"] == "other/modules.py"]
    assert shown == [("flax.deprecated", 4), ("jax.version.foo", 0)]


def test_nothing_else_is_shown(found: list[dict[str, Any]]) -> None:
    places = [(at["path"], at["line"]) for one in found for at in one["positions"]]
    assert not [one for one in (*places, *((one["path"], one["line"]) for one in found)) if one[0] == "silent.py"]


def test_what_happens() -> None:
    x: Any = jnp.array([jnp.nan, 1.0])

    def deleting() -> None:
        del x[0]

    def setting() -> None:
        x[0] = 1

    def more() -> None:
        jnp.sum(*[x, 0, None, None, False, None, None, None, True])

    raising: list[tuple[Callable[[], None], type[Exception]]] = [
        (deleting, AttributeError),
        (setting, TypeError),
        (more, TypeError),
    ]
    for function, error in raising:
        with pytest.raises(error):
            function()
    number: Any = jnp.inf
    assert jnp.nan_to_num(x, number)[0] == 0 and jnp.nan_to_num(x, nan=jnp.inf)[0] > 1e38
    assert isinstance(jax.new_ref(x), jax.Ref)
    y = jnp.array([2, 1])
    y.sort()
    assert y.tolist() == [2, 1]
