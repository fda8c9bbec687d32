"""The command has the whole program: it says what modules do with a class that the module checked does not import."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mypy.nodes import MypyFile

from jaxtyped_static_cli.compat.parsing import parsed
from jaxtyped_static_cli.findings import program
from tests.cli.running import findings_of, run, write

pytestmark = pytest.mark.xdist_group("light")

LOOP = """\
import app.steps
from app.solver import Solver


class Trainer:
    def __init__(self, solver: Solver) -> None:
        self.solver = solver

    def train(self) -> None:
        for i in range(3):
            app.steps.first(i, self.solver)
            self.solver.dt = i / 2
            setattr(self.solver, f"dt_{i}", i)


def built() -> Solver:
    solver = Solver(0.1)
    solver.dt = 0.2
    return solver
"""
OTHER = """\
class Solver:
    def __init__(self) -> None:
        self.dt = 1


def change(solver: Solver) -> None:
    solver.dt = 2
"""
REST = (
    ", which a frozen class refuses: use dataclasses.replace(obj, ...) there, "
    "or pass what changes as a separate dynamic argument"
)


def notes(project: Path, cache: str) -> list[str]:
    found = findings_of(project, cache, "--select=static-mutable")
    return [note for one in found if one["subject"] == "app.solver.Solver" for note in one["notes"]]


def test_modules_that_import_the_position_are_searched_for_assignments(project: Path, cache: str) -> None:
    write(project, {"app/loop.py": LOOP, "app/other.py": OTHER})
    expected = [f'app/loop.py:12 and 13 assign "dt" and attributes by their names{REST}']
    assert notes(project, cache) == expected
    assert notes(project, cache) == expected, "all of it comes from mypy's cache"


def test_an_edit_of_such_a_module_is_seen_although_mypy_checks_nothing_else_again(project: Path, cache: str) -> None:
    write(project, {"app/loop.py": LOOP})
    notes(project, cache)
    write(project, {"app/loop.py": "\n" + LOOP.replace("            setattr", "            print")})
    assert notes(project, cache) == [f'app/loop.py:13 assigns "dt"{REST}']


def test_a_module_that_cannot_be_parsed_is_left_out(project: Path, cache: str) -> None:
    write(project, {"app/loop.py": LOOP + "\ndef broken(:\n"})
    assert notes(project, cache) == []


@pytest.mark.parametrize(
    "source",
    ["x = a" + ".b()" * 6_000 + "\n", "if a: pass\n" + "elif a: pass\n" * 6_000],
    ids=["attributes of calls", "branches"],
)
def test_a_file_that_nests_very_deeply_may_have_no_tree(source: str) -> None:
    tree = parsed(source, Path("deep.py"), "deep")
    assert tree is None or len(tree.defs) == 1, "the limits depend on the version of Python"


def test_modules_are_searched_for_loops_that_make_an_object_compared_by_identity(project: Path, cache: str) -> None:
    solver = "class Solver:\n    __slots__ = ()\n"
    loop = """\
import app.steps
from app.solver import Solver

solver = Solver()


def train() -> None:
    for i in range(3):
        app.steps.first(i, Solver())
        app.steps.first(i, solver)
"""
    write(project, {"app/solver.py": solver, "app/loop.py": loop})
    assert [found["notes"] for found in findings_of(project, cache, "--select=static-hash")] == [
        ["app/loop.py:9 makes a new one on each pass of a loop, and JAX compiles again for each that it gets"]
    ]


MADE = """\
import app.steps
from app.solver import Solver


def step(i: int) -> None:
    app.steps.first(i, Solver())


def used(i: int) -> None:
    app.steps.first(i, Solver())


def main() -> None:
    used(0)
    for i in range(9):
        step(i)
"""


def test_what_is_made_in_a_function_that_the_program_runs_again_is_made_again(project: Path, cache: str) -> None:
    def shown() -> list[list[str]]:
        return [found["notes"] for found in findings_of(project, cache, "--select=static-hash")]

    write(project, {"app/solver.py": "class Solver:\n    __slots__ = ()\n", "app/loop.py": MADE})
    again = ["app/loop.py:6 makes a new one on each call, and JAX compiles again for each that it gets"]
    assert shown() == [again]
    write(project, {"app/more.py": "from app.loop import used\n\nfor i in range(9):\n    used(i)\n"})
    assert shown() == [[again[0].replace("6 makes", "6 and 10 make")]]
    write(project, {"app/more.py": "", "app/loop.py": MADE.replace("range(9)", "(1, 2)")})
    assert shown() == [[]], "the position asks for a right class, whatever the program does with it"


KERNELS = """\
from dataclasses import dataclass, field
from functools import partial

import jax


class Engine:
    pass


@partial(jax.tree_util.register_dataclass, data_fields=["scale"], meta_fields=["engine"])
@dataclass
class Kernel:
    scale: jax.Array
    engine: Engine = field(default_factory=Engine)


@jax.jit
def run(kernel: Kernel) -> jax.Array:
    return kernel.scale
"""


@pytest.mark.parametrize(
    ("main", "shown"),
    [("", True), ("kernel = Kernel(x)\n", False), ("for _ in range(9):\n    kernel = Kernel(x)\n", True)],
    ids=["users make pytrees", "the program makes one", "the program makes many"],
)
def test_a_new_object_in_each_pytree_harms_where_there_are_several(
    main: str, shown: bool, tmp_path: Path, cache: str
) -> None:
    write(tmp_path, {"kernels.py": KERNELS, "main.py": f"from kernels import Kernel\n\nx = ...\n{main}"})
    assert [found["harm"] for found in findings_of(tmp_path, cache, "--select=static-hash")] == (
        ["recompiles"] if shown else []
    )


def test_what_is_mutable_and_made_again_compiles_again(tmp_path: Path, cache: str) -> None:
    model = "class Model:\n    def __init__(self) -> None:\n        self.size = 1\n"
    model += "\n    @partial(jax.jit, static_argnums=0)\n    def run(self, x: jax.Array) -> jax.Array:\n"
    model = f"from functools import partial\n\nimport jax\n\n\n{model}        return x\n"
    main = "from model import Model\n\nfor _ in range(9):\n    model = Model()\n"
    write(tmp_path, {"model.py": model, "main.py": main})
    (found,) = findings_of(tmp_path, cache)
    assert (found["code"], found["harm"]) == ("static-hash", "recompiles")
    assert found["notes"] == [
        'Also: Model is mutable: "size" can be assigned',
        "main.py:4 makes a new one on each pass of a loop, and JAX compiles again for each that it gets",
    ]
    write(tmp_path, {"main.py": "from model import Model\n\nmodel = Model()\n"})
    assert json.loads(run(tmp_path, "check", cache, "--format=json").out)["potential"] == 1


def test_a_file_is_read_once_for_the_conditions_of_all_its_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "steps.py"
    file.write_text("def f(flag=False):\n    if flag:\n        g()\n        h()\n")
    read: list[Path] = []

    def counted(text: str, path: Path, module: str) -> MypyFile | None:
        read.append(path)
        return parsed(text, path, module)

    monkeypatch.setattr(program, "parsed", counted)
    uses = program.ProgramUses({"steps": file}, tmp_path)
    assert uses.conditions_at("steps.py", 3) == uses.conditions_at("steps.py", 4) != []
    assert uses.conditions_at("steps.py", 2) != uses.conditions_at("steps.py", 3)
    assert len(read) == 1
