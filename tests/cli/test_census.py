"""`census`: the compiled functions and the classes of a program, with the roles they play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cli.census_program import FILES
from tests.cli.running import Said, findings_of, run, write

pytestmark = pytest.mark.xdist_group("light")


class Taken(NamedTuple):
    """A census as JSON, by the names of functions and classes."""

    project: Path
    functions: dict[str, dict[str, Any]]
    classes: dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def census(tmp_path_factory: pytest.TempPathFactory, cache: str) -> Taken:
    project = write(tmp_path_factory.mktemp("census"), FILES)
    said = run(project, "census", "--format=json", cache)
    data = json.loads(said.out)
    assert (data["version"], data["files"], said.code, said.errors) == (1, 4, 0, "")
    return Taken(project, _by_name(data["functions"]), _by_name(data["classes"]))


def _by_name(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in rows}


def test_each_compiled_function_is_listed_with_its_parameters(census: Taken) -> None:
    roles = {
        name: [(one["name"], one["role"]) for one in function["parameters"]]
        for name, function in census.functions.items()
    }
    assert roles == {
        "Method.run": [("self", "static"), ("y", "dynamic")],
        "State.energy": [("self", "dynamic"), ("power", "static")],
        "Plain.lost": [("self", "dynamic"), ("y", "dynamic")],
        "step": [("state", "dynamic"), ("solver", "static"), ("n", "static")],
        "lookup": [("y", "dynamic"), ("table", "static")],
        "both": [("y", "dynamic"), ("table", "dynamic"), ("grid", "dynamic"), ("anything", "dynamic")],
        "inner": [("y", "dynamic"), ("size", "static")],
        "computed": [("y", "unknown"), ("size", "unknown")],
    }
    assert [one["name"] for one in census.functions["step"]["parameters"] if one["donated"]] == ["state"]
    assert census.functions["computed"]["unread"] == "its list of static parameters is computed when the program runs"
    assert census.functions["lookup"]["compiler"] == "jax.jit"


def test_calls_say_who_passes_what(census: Taken) -> None:
    static = {name: [call["static"] for call in one["calls"]] for name, one in census.functions.items()}
    assert static["step"] == [
        [{"name": "solver", "value": "solver", "type": "Solver"}, {"name": "n", "value": "2", "type": "int"}]
    ]
    assert static["State.energy"] == [[{"name": "power", "value": "3", "type": "int"}]]
    assert static["inner"] == [[{"name": "size", "value": "4", "type": "int"}]]
    assert [call["caller"] for call in census.functions["lookup"]["calls"]] == ["app/steps.py::both"]
    assert [call["scope"] for call in census.functions["step"]["mentions"]] == ["main"]


def test_classes_play_the_roles_of_what_holds_them(census: Taken) -> None:
    roles = {name: one["roles"] for name, one in census.classes.items()}
    assert roles == {
        "Order": ["static"],
        "Limiter": ["static"],
        "Solver": ["static"],
        "Method": ["static"],
        "Euler": ["static"],
        "Grid": ["static", "dynamic"],
        "Mesh": ["static"],
        "State": ["dynamic"],
        "Plain": ["dynamic"],
        "Table": ["static", "dynamic"],
    }
    uses = [(use["role"], use["kind"], use["owner"], use["name"]) for use in census.classes["Mesh"]["uses"]]
    assert ("static", "field", "app/state.py::State", "mesh") in uses
    assert ("static", "argument", "app/steps.py::both", "anything") in uses


def test_verdicts_are_those_of_check_with_their_reasons(census: Taken, cache: str) -> None:
    broken = {name: one["reasons"][0] for name, one in census.classes.items() if one["verdict"] == "broken"}
    codes = {name: (reason["code"], reason["path"]) for name, reason in broken.items()}
    assert codes == {
        "Limiter": ("static-mutable", ""),
        "Solver": ("static-mutable", ".limiter"),
        "Method": ("static-mutable", ""),
        "Euler": ("static-mutable", ""),
        "Grid": ("jit-untraceable", ""),
        "Table": ("static-dynamic", ""),
        "Plain": ("jit-untraceable", ""),
    }
    reasons = {
        (reason["code"], function["name"])
        for function in census.functions.values()
        for parameter in function["parameters"]
        for reason in parameter["reasons"]
    }
    findings = findings_of(census.project, cache)
    assert {one["code"] for one in findings} >= {"static-mutable", "jit-self", "jit-untraceable"}
    assert {one["code"] for one in findings} <= {code for code, _ in reasons}
    assert {(one["code"], place["scope"]) for one in findings for place in one["positions"]} <= reasons


@pytest.mark.thorough
def test_a_new_dict_that_is_not_annotated_is_judged_as_check_does(tmp_path: Path, cache: str) -> None:
    lines = [
        "import jax",
        "@jax.tree_util.register_pytree_node_class",
        "class Tree:",
        "    def __init__(self, *params, **config):",
        "        self.params, self.config = params, {}",
        "        self.config = config",
        "    def tree_flatten(self): return self.params, self.config",
        "    @classmethod",
        "    def tree_unflatten(cls, config, params): return cls(*params, **config)",
    ]
    write(tmp_path, {"main.py": "\n".join(lines)})
    said = run(tmp_path, "check", "--format=concise", "--potential", cache)
    assert "static-mutable [potential] dict[str, Any] is mutable" in said.out
    assert "✗ static-mutable Tree.config: dict[str, Any] is mutable" in run(tmp_path, "census", cache).out


def test_the_text_begins_with_what_is_odd(census: Taken, cache: str) -> None:
    lines = run(census.project, "census", cache).out.splitlines()
    assert lines[0] == ("4 files: 8 compiled functions (1 unread), 10 classes: 6 static, 2 dynamic, 2 both, 7 broken")
    assert "    and, below it, for the same reasons: Euler" in lines
    assert [line for line in lines[1:-1] if line and not line.startswith(" ")] == [
        "Classes, both static and dynamic (2)",
        "Classes, broken (5)",
        "Classes, sound (3)",
        "Compiled functions, broken (5)",
        "Compiled functions, unproven or unread (1)",
        "Compiled functions, sound (2)",
    ]


def test_only_shows_everything_about_one(census: Taken, cache: str) -> None:
    said = run(census.project, "census", "--only=Solver", "--only=inn*", cache)
    assert said.out.splitlines()[1:] == [
        "",
        "Solver  app/solver.py:17",
        "  ✗ broken, static",
        "  ✗ static-mutable Solver.limiter: Limiter is not frozen; declare it @dataclass(frozen=True)",
        "  used as",
        '    static  parameter "solver" of step',
        "  holds",
        "  ├─ dt: float",
        "  ├─ order: Order",
        "  └─ limiter: Limiter  ✗ static-mutable",
        "     └─ table: list[int]",
        "",
        "inner  app/steps.py:33",
        "  compiled by jax.jit",
        "  dynamic y: Array",
        "  static  size: int",
        "  called in 1 place",
        "    app/steps.py:42  in main: size=4",
    ]
    assert _refused(run(census.project, "census", "--only=Sovler", cache)).endswith("did you mean Solver?\n")


def _refused(said: Said) -> str:
    assert said.code == 2
    return said.errors
