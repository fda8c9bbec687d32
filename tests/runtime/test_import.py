"""The runtime needs JAX and nothing of the checker."""

from __future__ import annotations

from tests.processes import run_python

PROGRAM = """
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"mypy", "mypyc", "jaxtyped_static_mypy"}:
            raise ImportError(f"{name} was imported")

sys.meta_path.insert(0, Blocker())

import jaxtyped_static
from jaxtyped_static import Static, jit

@jit
def f(x: float, n: Static[int]) -> float:
    return x * n

assert f(2.0, 3) == 6.0
assert not [name for name in sys.modules if name.partition(".")[0] in {"mypy", "mypyc"}]
"""


def test_importing_and_using_the_package_works_without_mypy() -> None:
    done = run_python(PROGRAM)
    assert done.returncode == 0, done.stderr
