"""One description says of each function how it reaches JAX, and how often its code runs."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.fuzz.histories.checking import STUBS
from tests.plugin import describing_plugin
from tests.plugin.running import LIGHT, elsewhere, mypy_here

PROGRAM = """
from functools import partial

import jax
from jax import lax

def describe() -> None: ...

@partial(jax.jit, static_argnames="n")
def decorated(x, n): return x

def passed(x, n): return x

compiled = jax.jit(passed, static_argnums=1)

def partly_bound(k, x): return x

also_passed = jax.jit(partial(partly_bound, 3))

def used_otherwise(x): return x

also_compiled = jax.jit(used_otherwise)
kept = [used_otherwise]

def body(x): return x

def on_host(x): return x

def called_in_loop(x): return x

def main() -> None:
    lax.cond(True, body, body, 1)
    jax.pure_callback(on_host, None, 1)
    jax.vmap(lambda x: x)([1])
    called_once(1)

def called_once(x): return x

def test_it(): helper(1)

def helper(x): return x

for i in range(1000):
    called_in_loop(i)

describe()
"""

EXPECTED = {
    "decorated": "jit; x traced, n static; jit; 0 calls; runs traced",
    "passed": "jit; x traced, n static; no layers; 0 calls; runs traced",
    "partly_bound": "jit; k static, x traced; no layers; 0 calls; runs traced",
    "used_otherwise": "not handed over; x either; no layers; 0 calls; runs again",
    "body": "cond; x traced; no layers; 0 calls; runs traced",
    "on_host": "callback; x either; no layers; 0 calls; runs again",
    "a lambda": "vmap; x traced; no layers; 0 calls; runs again",
    "called_in_loop": "not handed over; x either; no layers; 1 calls; runs again",
    "called_once": "not handed over; x either; no layers; 1 calls; runs once",
    "main": "not handed over; ; no layers; 0 calls; runs once",
    "test_it": "not handed over; ; no layers; 0 calls; runs in_tests",
    "helper": "not handed over; x either; no layers; 1 calls; runs in_tests",
}


def test_each_function_is_described(tmp_path: Path) -> None:
    program, configuration = tmp_path / "program.py", tmp_path / "mypy.ini"
    program.write_text(PROGRAM)
    configuration.write_text(f"[mypy]\nplugins = {describing_plugin.__file__}\nmypy_path = {STUBS}:{LIGHT}\n")
    options = ["--config-file", str(configuration), "--cache-dir", str(tmp_path / "cache"), str(program)]
    found = elsewhere(descriptions, options)
    assert {name: found.get(name) for name in EXPECTED} == EXPECTED


def descriptions(arguments: list[str]) -> dict[str, str]:
    mypy_here(arguments)
    described: dict[str, str] = sys.modules["describing_plugin"].DESCRIBED  # as mypy has imported it
    return described
