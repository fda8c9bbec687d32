"""Arguments that the installed JAX no longer takes: findings of the rule `jax-removed`."""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any, Final

import jax
import pytest

from jaxtyped_static_mypy.knowledge.removed_arguments import LAST_WITH, argument_advice
from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

FOUND: Final = """\
import functools

import jax
import jax.numpy as jnp
from jax.nn import softmax
from jax.scipy import linalg


def f(x, a, b):
    x = jnp.clip(x, a_min=0, a_max=1)
    x = softmax(x, initial=1.0)
    x = jnp.reshape(x, newshape=(3,)) + jnp.clip(x, a_max=2)
    y = jnp.where(condition=x > 0, x=x, y=0)
    return linalg.solve(a, b, sym_pos=True), jnp.square(x=x), jnp.quantile(
        x,
        0.5,
        interpolation="linear",
    )


@functools.partial(jax.jit, static_argnums=0)
def g(x):
    return jax.jit(g, abstracted_axes={})


CLIPPING = {"unit": functools.partial(jnp.clip, a_min=-1.0), "none": functools.partial(f, a_min=0)}
"""
FINDINGS: Final = """\
main.py:10:21 jax.numpy.clip a_min: write min; 12:53; 26:49 | a_max: write max
main.py:11:20 jax.nn.softmax initial: leave it out
main.py:12:24 jax.numpy.reshape newshape: write shape
main.py:13:19 jax.numpy.where condition: give it by position | x: give it by position | y: give it by position
main.py:14:31 jax.scipy.linalg.solve sym_pos: write assume_a="pos"
main.py:14:57 jax.numpy.square x: give it by position
main.py:17:9 jax.numpy.quantile interpolation: write method
main.py:23:23 jax.jit abstracted_axes: \
""".splitlines()
SILENT: Final = """\
import jax
import jax.numpy as jnp
import numpy as np


def now(x):
    return jnp.clip(x, min=0, max=1), jnp.where(x > 0, x, 0), np.clip(x, a_min=0, a_max=1), x.clip(a_min=0)


def either(x):
    try:
        return jnp.clip(x, min=0)
    except TypeError:
        return jnp.clip(x, a_min=0)


def by_release(x, options):
    jnp.clip(x, **options)
    if jax.__version__ < "0.4.27":
        return jnp.clip(x, a_min=0)
    return jnp.clip(x, 0)


def ours(x, jnp):
    return jnp.clip(x, a_min=0), jax.numpy.clip(x, a_max=1)  # type: ignore[jax-removed]
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory, cache_with_jax: str) -> list[dict[str, Any]]:
    earlier = "import jax\n\n\ndef f(x):\n    return jax.numpy.linspace, jax.numpy.clip(x, a_min=0)\n"
    files = {
        "pyproject.toml": "",
        "main.py": FOUND,
        "silent.py": SILENT,
        "old/__init__.py": "",
        "old/model.py": earlier.replace("a_min", "out"),
        "old/requirements.txt": "jax==0.4.20\n",
        "python/model.py": earlier.replace("clip(x, a_min", "percentile(x, 3, interpolation"),
        "python/environment.yml": "dependencies:\n- python=3.9\n",
    }
    project = write(tmp_path_factory.mktemp("project"), files)
    return findings_of(project, cache_with_jax, "--potential", "--select=jax-removed")


def _told_besides(note: str) -> tuple[str, str]:
    """The argument that a note is about, and what it advises."""
    told = re.match(r'Also: The argument "(\w+)" of .*: this raises TypeError; (.*)', note)
    assert told is not None
    return told[1], told[2]


def test_each_argument_of_a_function_is_one_finding_with_those_of_the_same_call(found: list[dict[str, Any]]) -> None:
    lines = []
    for one in (one for one in found if one["path"] == "main.py"):
        argument, _, function = one["subject"].partition(": ")
        elsewhere = [f"; {at['line']}:{at['column']}" for at in one["positions"] if at["line"] != one["line"]]
        advice = "" if argument == "abstracted_axes" else one["advice"]
        also = [f" | {name}: {advised}" for name, advised in map(_told_besides, one["notes"])]
        lines.append(
            f"main.py:{one['line']}:{one['column']} {function} {argument}: {advice}{''.join([*elsewhere, *also])}"
        )
    assert lines == FINDINGS
    assert {one["harm"] for one in found if one["path"] == "main.py"} == {"raises"}


def test_it_says_what_happens(found: list[dict[str, Any]]) -> None:
    gone = f'The argument "a_min" of "jax.numpy.clip" is gone from JAX {jax.__version__}: this raises TypeError'
    assert gone in {one["problem"] for one in found}


def test_code_for_several_releases_is_silent(found: list[dict[str, Any]]) -> None:
    assert not [one for one in found if one["path"] == "silent.py"]


def test_what_asks_for_an_earlier_release_has_another_environment(found: list[dict[str, Any]]) -> None:
    shown = {one["path"]: (one["harm"], one["notes"]) for one in found if one["path"] not in ("main.py", "silent.py")}
    bounded = "python/environment.yml asks for python=3.9, for which the newest JAX is 0.4.30"
    assert shown == {
        "old/model.py": ("potential", ["old/requirements.txt asks for jax==0.4.20"]),
        "python/model.py": ("potential", [bounded]),
    }


@pytest.mark.parametrize(("function", "argument"), LAST_WITH, ids=lambda part: part)
def test_no_function_takes_an_argument_of_the_table(function: str, argument: str) -> None:
    taken = inspect.signature(_named(function)).parameters.get(argument)
    assert taken is None or taken.kind is inspect.Parameter.POSITIONAL_ONLY


def test_each_advice_names_an_argument_that_there_is() -> None:
    for function, argument in LAST_WITH:
        written = re.match(r"write (\w+)", argument_advice(function, argument))
        if written is not None:
            assert inspect.signature(_named(function)).parameters.get(written[1]) is not None


def _named(function: str) -> Any:
    module, _, name = function.rpartition(".")
    return getattr(importlib.import_module(module), name)
