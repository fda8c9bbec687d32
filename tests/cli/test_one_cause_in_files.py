"""What several files say of one cause is one finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import findings_of, lines_of, write

pytestmark = pytest.mark.xdist_group("light")

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
    found = findings_of(tmp_path, cache, "--select=jit-argnames")
    copies = [[(place["path"], place["line"]) for place in one["positions"]] for one in found]
    assert copies == [[], [("plots.py", 8), ("video.py", 7)]]
    assert [(one["path"], one["line"]) for one in found] == [("other.py", 8), ("plots.py", 8)]


def test_a_file_that_is_checked_twice_is_reported_once(tmp_path: Path, cache: str) -> None:
    script = "from lib import step\n\nstep(1)\n"
    files = {
        f"{name}/{file}": text for name in "ab" for file, text in [("run.py", script), ("lib.py", "step = print\n")]
    }
    shared = {"shared/__init__.py": "", "shared/train.py": COPIED}
    imports = {f"{name}/run.py": f"import shared.train\n{script}" for name in "ab"}
    write(tmp_path, {**files, **shared, **imports})
    assert len(findings_of(tmp_path, cache)) == 1


def test_scripts_of_one_name_that_share_a_class_share_its_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"library.py": LIBRARY, "first/models.py": SCRIPT, "second/models.py": SCRIPT})
    (found,) = findings_of(tmp_path, cache, "--select=static-mutable")
    assert found["path"] == "library.py"
    assert [place["path"] for place in found["positions"]] == ["first/models.py", "second/models.py"]


OPTIONS = """\
import dataclasses

import jax


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Options:
    steps: int = dataclasses.field(default=3, metadata={"static": True})
    start: jax.Array | None = None
"""
SOLVER = """\
from functools import partial

import jax
from options import Options


@partial(jax.jit, static_argnames="options")
def solve(x: jax.Array, options: Options) -> jax.Array:
    return x * options.steps
"""


def test_a_field_that_no_static_parameter_may_have_is_one_finding(tmp_path: Path, cache: str) -> None:
    files = {"options.py": OPTIONS, "first.py": SOLVER, "second.py": SOLVER.replace("solve", "step")}
    write(tmp_path, {**files, "third.py": SOLVER.replace("options: ", "given: ").replace('"options"', '"given"')})
    found = findings_of(tmp_path, cache, "--select=static-dynamic")
    places = [[(place["path"], place["line"]) for place in one["positions"]] for one in found]
    assert places == [[("first.py", 8), ("second.py", 8)], [("third.py", 8)]]


SLICES = """\
import jax


@jax.jit
def part(x: jax.Array, n: int) -> jax.Array:
    def inner(y: jax.Array) -> jax.Array:
        return y[:n]

    head = inner(x)
    return x[n:] + head + x[x > 0]


class Parts:
    @staticmethod
    @jax.jit
    def head(x: jax.Array, n: int) -> jax.Array:
        return x[:n]

    @staticmethod
    @jax.jit
    def tail(x: jax.Array, n: int) -> jax.Array:
        return x[n:]
"""


def test_slices_of_one_function_are_one_finding(tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"parts.py": SLICES})
    found = findings_of(tmp_path, cache, "--select=static-traced")
    assert [lines_of(one) for one in found] == [[7, 10], [], [], []]
    assert [one["line"] for one in found] == [7, 10, 17, 22]


COMPILED_IN_VAIN = """\
import jax
import jax.numpy as jnp


class Options:
    def __init__(self, steps: int) -> None:
        self.steps = steps


def solve(options: Options, x: jax.Array) -> jax.Array:
    def norm(y: jax.Array) -> float:
        return float(jnp.linalg.norm(y))

    return x / norm(x) if norm(x) > 1 else x * options.steps


solve_jit = jax.jit(
    solve,
)
print(solve(Options(1), jnp.ones(3)))
"""


def test_what_only_a_compiled_form_traces_that_always_raises_is_one_finding(tmp_path: Path, cache: str) -> None:
    def found(text: str) -> list[tuple[str, int, str]]:
        write(tmp_path, {"solve.py": text})
        shown = findings_of(tmp_path, cache, "--potential", "--select=jit-branch,jit-untraceable")
        return [(one["code"], one["line"], one["harm"]) for one in shown]

    assert found(COMPILED_IN_VAIN) == [("jit-untraceable", 17, "raises"), ("jit-branch", 12, "potential")]
    static = COMPILED_IN_VAIN.replace("    solve,\n", '    solve,\n    static_argnames="options",\n')
    assert found(static) == [("jit-branch", 12, "raises")]
    traced = f"{COMPILED_IN_VAIN}print(jax.jit(lambda x: solve(Options(1), x))(jnp.ones(3)))\n"
    assert found(traced) == [("jit-branch", 12, "raises"), ("jit-untraceable", 17, "raises")]


BELOW = """\
import jax
import jax.numpy as jnp


class Options:
    def __init__(self, steps: int) -> None:
        self.steps = steps


def size(y: jax.Array) -> float:
    return float(jnp.linalg.norm(y))


def scaled(y: jax.Array) -> jax.Array:
    return y / size(y)


def solve(options: Options, x: jax.Array) -> jax.Array:
    return scaled(x) * options.steps


solve_jit = jax.jit(solve)
print(solve(Options(1), jnp.ones(3)), scaled(jnp.ones(3)))
"""


def test_nor_is_what_it_calls_unless_something_else_has_that_traced(tmp_path: Path, cache: str) -> None:
    def harms(text: str) -> dict[str, str]:
        write(tmp_path, {"solve.py": text})
        shown = findings_of(tmp_path, cache, "--potential", "--select=jit-branch,jit-untraceable")
        return {one["code"]: one["harm"] for one in shown}

    assert harms(BELOW) == {"jit-branch": "potential", "jit-untraceable": "raises"}
    assert harms(f"{BELOW}scaled_jit = jax.jit(scaled)\n") == {"jit-branch": "raises", "jit-untraceable": "raises"}
