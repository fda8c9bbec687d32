"""What is read of a program's own decorators: which of them only pass calls on, and what else they apply."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
from mypy.errors import Errors
from mypy.options import Options
from mypy.parse import parse

from jaxtyped_static_mypy.facts.functions.reading import read_functions
from jaxtyped_static_mypy.facts.functions.steps import FORWARDS, REWRITES, FunctionFacts

IMPORTS = """
import dataclasses
import functools
from functools import partial, wraps

import jax
"""


def facts(source: str) -> FunctionFacts | None:
    """The facts of the function or variable `deco`."""
    options: Any = Options()
    options.native_parser = False
    parsed: Any = parse(IMPORTS + textwrap.dedent(source), "helpers.py", "helpers", Errors(options), options)
    file = parsed[0] if isinstance(parsed, tuple) else parsed
    file._fullname = "helpers"
    return read_functions(file).get("deco")


def steps(source: str) -> list[tuple[str, dict[str, Any]]]:
    found = facts(source)
    assert found is not None
    return [(step["function"], step["keywords"]) for step in found["steps"]]


def wrapper(body: str, parameters: str = "*args, **kwargs", decorator: str = "@wraps(f)") -> str:
    lines = [f"    {decorator}" if decorator else "", f"    def wrapper({parameters}):"]
    lines += [f"        {line}" for line in body.split("; ")]
    return "\n".join(["def deco(f):", *lines, "    return wrapper"])


FORWARDING = [
    wrapper("return f(*args, **kwargs)"),
    wrapper("print(args); result = f(*args, **kwargs); return result"),
    wrapper("with jax.named_scope('f'): return f(*args, **kwargs)"),
    wrapper("return f(self, *args, **kwargs)", "self, *args, **kwargs"),
    "def deco(f): return wraps(f)(lambda *a, **k: f(*a, **k))",
]


@pytest.mark.parametrize("source", FORWARDING)
def test_a_function_that_passes_its_calls_on_is_transparent(source: str) -> None:
    assert steps(source) == [(FORWARDS, {"wraps": True})]


def test_without_wraps_jax_sees_the_wrapper() -> None:
    assert steps(wrapper("return f(*args, **kwargs)", decorator="")) == [(FORWARDS, {"wraps": False})]


CHANGING = [
    wrapper("return f(*args[1:], **kwargs)"),
    wrapper("return f(1, *args, **kwargs)"),
    wrapper("return f(*args, **kwargs, n=1)"),
    wrapper("return f(*args, **kwargs)", "x, *args, **kwargs"),
    wrapper("return f(y, x, *args, **kwargs)", "x, y, *args, **kwargs"),
    wrapper("x = jax.numpy.asarray(x); return f(x, *args, **kwargs)", "x, *args, **kwargs"),
    wrapper("args = tuple(map(jax.numpy.asarray, args)); return f(*args, **kwargs)"),
    wrapper("kwargs['n'] = 1; return f(*args, **kwargs)"),
    wrapper("kwargs.pop('n'); return f(*args, **kwargs)"),
    wrapper("del kwargs['n']; return f(*args, **kwargs)"),
    wrapper("return f(*args, **kwargs) + f(1)"),
    wrapper("return lambda: f(*args, **kwargs)"),
    wrapper("yield f(*args, **kwargs)"),
    wrapper("return g(*args, **kwargs)"),
]


@pytest.mark.parametrize("source", CHANGING)
def test_a_function_that_changes_its_arguments_is_not(source: str) -> None:
    assert steps(source) == [(REWRITES, {"keeps": []})]


@pytest.mark.parametrize(
    "source",
    [
        wrapper("return f(1, *args, **kwargs)", decorator=""),
        "def deco(f): return lambda x: f(x, 1)",
        "def deco(f): return partial(f, 1)",
        "def deco(f): return partial(jax.pure_callback, f, 1)",
    ],
)
def test_without_wraps_jax_sees_other_parameters(source: str) -> None:
    assert facts(source) == {"opaque": True}


@pytest.mark.parametrize("source", ["def deco(f): return None", "deco = 1"])
def test_nothing_is_known_of_others(source: str) -> None:
    assert facts(source) is None


N = {"static_argnames": "n"}


@pytest.mark.parametrize(
    "source",
    [
        "def deco(f): return jax.jit(f, static_argnames='n')",
        "def deco(f=None):\n    with_n = partial(jax.jit, static_argnames='n')\n"
        "    return with_n if f is None else jax.jit(f, static_argnames='n')",
        "deco = partial(jax.jit, static_argnames='n')",
        "NAMES = 'n'\ndef deco(f): return jax.jit(f, static_argnames=NAMES)",
        "def deco(f):\n    g = jax.jit(f, static_argnames='n')\n    return g",
    ],
)
def test_wrappers_of_jit(source: str) -> None:
    assert steps(source) == [("jax.jit", N)]


def test_a_wrapper_may_have_options_and_pass_them_on() -> None:
    found = facts(
        "def deco(f=None, **kw):\n    if f is None:\n        return partial(deco, **kw)\n    return jax.jit(f, **kw)"
    )
    assert found is not None
    assert found["options"] and found["direct"] and found["steps"][0]["spreads"]


@pytest.mark.parametrize(
    "source",
    [
        "def deco(f, **kw):\n    kw.setdefault('static_argnames', 'n')\n    return jax.jit(f, **kw)",
        "def deco(f):\n    options = {'static_argnames': 'n'}\n    return jax.jit(f, **options)",
        "def deco(f, **kw):\n    return jax.jit(f, **{'static_argnames': 'n'}, **kw)",
    ],
)
def test_options_that_a_wrapper_builds_are_known(source: str) -> None:
    assert steps(source) == [("jax.jit", {"static_argnames": "n"})]


@pytest.mark.parametrize(
    "source",
    [
        "def deco(f, **kw):\n    kw.update(compute())\n    return jax.jit(f, **kw)",
        "def deco(f, **kw):\n    fill(kw)\n    return jax.jit(f, **kw)",
        "def deco(f):\n    options = compute()\n    return jax.jit(f, **options)",
    ],
)
def test_options_that_a_wrapper_computes_are_unknown(source: str) -> None:
    assert steps(source) == [("jax.jit", {"**": None})]


def test_what_is_done_to_a_class() -> None:
    source = """
    def deco(cls=None, *, frozen=True):
        def wrap(cls):
            cls = dataclasses.dataclass(frozen=frozen)(cls)
            jax.tree_util.register_static(cls)
            return cls
        return wrap if cls is None else wrap(cls)
    """
    found = facts(source)
    assert found is not None
    assert found["takes"] == "cls" and found["options"] and found["direct"]
    assert found["steps"][0]["passed"] == {"frozen": "frozen"}
    assert [name for name, _ in steps(source)] == ["dataclasses.dataclass", "jax.tree_util.register_static"]


def test_a_field_helper() -> None:
    source = "def deco(**kw): return dataclasses.field(metadata={'static': True}, **kw)"
    assert steps(source) == [("dataclasses.field", {"metadata": {"static": True}})]


def test_what_is_applied_where_a_call_is_passed_on() -> None:
    assert steps(wrapper("return jax.vmap(f)(*args, **kwargs)")) == [("jax.vmap", {}), (FORWARDS, {"wraps": True})]


def test_a_wrapper_that_compiles_in_some_cases() -> None:
    source = wrapper("if len(args) > 2: return f(*args, **kwargs); return jax.jit(f)(*args, **kwargs)")
    assert steps(source) == [("jax.jit", {}), (FORWARDS, {"wraps": True})]


def test_a_class_whose_objects_pass_calls_on() -> None:
    source = """
    class deco:
        def __init__(self, f):
            self.f = jax.jit(f, static_argnames="n")
        def __call__(self, *args, **kwargs):
            return self.f(*args, **kwargs)
    """
    assert steps(source) == [("jax.jit", N), (FORWARDS, {"wraps": False})]
