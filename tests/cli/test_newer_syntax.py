"""Files in the syntax of Python 3.12, checked by a command that an older Python runs."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from jaxtyped_static_cli.files.older_syntax import in_older_syntax
from jaxtyped_static_cli.files.parsing import parsed_by_python
from tests.cli.running import run, write

pytestmark = pytest.mark.xdist_group("light")

_OLD = pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python reads it as it is")
NEW = """\
class A[T: (int, str), *Ts](Base):
    type Pair[
        K,

        V,  # é
    ] = tuple[K, V]

    async def f[
        U
    ](self, x: U) -> U:
        type = x[0]; return type

type X = int; type Y = str
"""
MODEL = """\
import jax
import jax.numpy as jnp

type Number = float

class Mean[T]:
    def __call__(self, x: T) -> T:
        def step(total, y):
            return total + y, None
        return jax.lax.scan(step, 0.0, x)[0]

    def mean(self, x: T) -> T:
        def step(total, y):
            return total + y, None
        return jax.lax.scan(step, 0.0, x)[0]

def once[T](x: T) -> T:
    return jax.lax.scan(lambda total, y: (total + y, None), 0.0, x)[0]

def between[T](x: T) -> T:
    return Mean[float]().mean(x)
"""
TRAIN = """\
from model import between, once

def main():
    for _ in range(1000):
        between([1.0])
    once([1.0])

if __name__ == "__main__":
    main()
"""


@_OLD
def test_what_runs_stays_where_it_is() -> None:
    older = in_older_syntax(NEW)
    assert older is not None and len(older.splitlines()) == len(NEW.splitlines())
    assert ast.parse(older).body[0].end_lineno == 11
    for line in ("](self, x: U) -> U:", "        type = x[0]; return type"):
        assert line.lstrip("]") in older
        assert older.split(line.lstrip("]"))[0].count("\n") == NEW.split(line)[0].count("\n")
    assert parsed_by_python(NEW) is not None
    assert parsed_by_python(NEW, newer=False) is None


@pytest.mark.parametrize(
    "text", ["type = 3\n", "type(x)[0]\n", "def f(:\n", "class A[T:\n", "x = [\n", "  x\n y\n", ""]
)
def test_other_text_is_not_changed(text: str) -> None:
    assert in_older_syntax(text) is None


def test_calls_go_through_such_files(tmp_path: Path, cache_with_jax: str) -> None:
    write(tmp_path, {"pyproject.toml": "", "model.py": MODEL, "train.py": TRAIN})
    said = run(tmp_path, "check", cache_with_jax)
    assert "model.py:15:16" in said.out and "train.py:5" in said.out
    assert said.out.count("jit-retrace:") == 1


def test_a_name_that_jax_no_longer_has_is_found_there(tmp_path: Path, cache_with_jax: str) -> None:
    text = "import jax\n\ndef f[T](x: T) -> T:\n    return jax.tree_map(abs, x)\n"
    write(tmp_path, {"pyproject.toml": "", "model.py": text})
    said = run(tmp_path, "check", cache_with_jax)
    assert "model.py:4:12" in said.out and "jax-removed" in said.out


@_OLD
def test_what_cannot_be_read_does_not_count_as_checked(tmp_path: Path, cache_with_jax: str) -> None:
    new = 'import jax\n\ndef f(x: dict[str, int]) -> str:\n    return f"{x["a"]}"\n'
    write(tmp_path, {"pyproject.toml": "", "new.py": new, "old.py": "text = f\"{'a'}\" + f'{1}' + '{2}'\n"})
    said = run(tmp_path, "check", cache_with_jax)
    assert "1 file is in the syntax of Python 3.12: run the command with that or a newer one to check it." in said.out
    assert "Checked 1 file in" in said.out
