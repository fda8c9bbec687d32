"""Shows which arguments JAX traced."""

from __future__ import annotations

import importlib.util
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import jax

from jaxtyped_static._calls.watching import Observer, start_watching, stop_watching


def arrival(value: object) -> str:
    """Returns how an argument arrived in a function that is being traced."""
    return "traced" if isinstance(value, jax.core.Tracer) else "concrete"


@contextmanager
def watch(observer: Observer) -> Iterator[None]:
    """Reports all calls to an observer."""
    start_watching(observer)
    try:
        yield
    finally:
        stop_watching(observer)


def load(directory: Path, source: str, name: str = "program") -> ModuleType:
    """Imports a program from its text, as a separate file."""
    file = directory / f"{name}.py"
    file.write_text(textwrap.dedent(source))
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]
    return module
