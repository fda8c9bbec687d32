"""What `check` says of the harm of findings, of what shows it, and of findings that nothing shows to do any."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import jaxtyped_static_mypy.reporting.harm as harms
from tests.cli.running import CONFIG, run, write

pytestmark = pytest.mark.xdist_group("light")

STEPS = """\
from dataclasses import dataclass
from functools import partial

import jax


@dataclass(frozen=True, eq=False)
class Token:
    name: str


@dataclass(unsafe_hash=True)
class Solver:
    dt: float


@partial(jax.jit, static_argnames="token")
def named(y: jax.Array, token: Token) -> jax.Array:
    return y


@partial(jax.jit, static_argnames="solver")
def step(y: jax.Array, solver: Solver) -> jax.Array:
    print(solver.dt)
    return y
"""
# What harms, in modules that import the steps.
TRAIN = """\
import steps


def train(y, solver: steps.Solver):
    solver.dt = 0.5
    for _ in range(3):
        y = steps.named(y, steps.Token("a"))
    return y
"""
KEEPS = 'train.py:5 assigns "dt": what was compiled before keeps the old value'
REFUSES = (
    'train.py:5 assigns "dt", which a frozen class refuses: use dataclasses.replace(obj, ...) there, '
    "or pass what changes as a separate dynamic argument"
)
FULL = f"""\
static-mutable: Solver is not frozen
  --> steps.py:13:7
   |
12 | @dataclass(unsafe_hash=True)
13 | class Solver:
   |       ^^^^^^
   = harm: gives a wrong number
   = help: declare it @dataclass(frozen=True)
   = note: {KEEPS}
     --> train.py:5 | solver.dt = 0.5
   = note: {REFUSES}
   = where: steps.py:23:24 step: Static argument "solver"

static-hash: """
WRONG, AGAIN = "Solver is not frozen", "Token is hashed by identity"
FREE = {"pyproject.toml": CONFIG, "steps.py": STEPS}


@pytest.fixture
def harmless(tmp_path: Path) -> Path:
    """A project with two findings that nothing shows to do harm."""
    return write(tmp_path, FREE)


@pytest.fixture
def harmed(tmp_path: Path) -> Path:
    """The same, with a module that shows the harm of both."""
    return write(tmp_path, {**FREE, "train.py": TRAIN})


def read(project: Path, cache: str, *arguments: str) -> Any:
    return json.loads(run(project, "check", cache, *arguments).out)


def closing(project: Path, cache: str, *arguments: str) -> list[str]:
    """The lines after the findings, without those about the run."""
    lines = run(project, "check", cache, *arguments).out.rpartition("\n\n")[2].splitlines()
    assert lines[-1].startswith("Checked ") and len(lines) <= 4
    return lines[:-1]


def test_each_finding_says_what_it_does_and_what_shows_it_once(harmed: Path, cache: str) -> None:
    said = run(harmed, "check", cache).out
    assert said.startswith(FULL), said
    assert "\n  = harm: compiles again\n" in said
    assert '\n    --> train.py:7 | y = steps.named(y, steps.Token("a"))\n' in said
    assert said.count("what was compiled before") == said.count("on each pass of a loop") == 1


def test_the_worst_come_first(harmed: Path, cache: str) -> None:
    """The class that costs time stands first in its file."""
    assert [one["harm"] for one in read(harmed, cache, "--format=json")["findings"]] == ["wrong", "recompiles"]


def test_json_has_the_harm_and_what_shows_it(harmed: Path, cache: str) -> None:
    data = read(harmed, cache, "--format=json", "--statistics")
    assert (data["version"], data["potential"]) == (1, 0)
    assert data["harms"] == {"wrong": 1, "recompiles": 1}
    first, second = data["findings"]
    assert first["evidence"] == [
        {"label": "changed", "path": "train.py", "line": 5, "text": KEEPS},
        {"label": "refused by a frozen class", "path": "train.py", "line": 5, "text": REFUSES},
    ]
    assert [(shown["path"], shown["line"]) for shown in second["evidence"]] == [("train.py", 7)]
    assert read(harmed, cache, "--format=json", "steps.py")["potential"] == 2


def test_json_has_paths_from_the_current_folder(harmed: Path, cache: str) -> None:
    (harmed / "docs").mkdir()
    first, _ = read(harmed / "docs", cache, "--format=json", "..")["findings"]
    assert (first["path"], first["evidence"][0]["path"]) == ("../steps.py", "../train.py")


def test_a_line_says_the_harm_behind_the_code(harmed: Path, cache: str) -> None:
    first, second, *_ = run(harmed, "check", cache, "--format=concise").out.splitlines()
    assert first == "steps.py:13:7: static-mutable [wrong] Solver is not frozen; declare it @dataclass(frozen=True)"
    assert second.startswith("steps.py:8:7: static-hash [recompiles] Token is hashed by identity")


def test_services_get_levels(harmed: Path, harmless: Path, cache: str) -> None:
    said = run(harmed, "check", cache, "--format=github").out.splitlines()
    assert [line.partition(" ")[0] for line in said] == ["::error", "::warning"]
    assert f"%0A{KEEPS}%0A" in said[0]
    assert [one["severity"] for one in read(harmed, cache, "--format=gitlab")] == ["critical", "major"]
    (only,) = read(harmed, cache, "--format=sarif")["runs"]
    first, second = only["results"]
    assert (first["level"], first["properties"]) == ("error", {"harm": "wrong"})
    assert (second["level"], second["properties"]) == ("warning", {"harm": "recompiles"})
    assert first["relatedLocations"][0] == {
        "physicalLocation": {"artifactLocation": {"uri": "train.py"}, "region": {"startLine": 5}},
        "message": {"text": KEEPS},
    }


def test_services_get_levels_of_potential_findings(harmless: Path, cache: str) -> None:
    said = run(harmless, "check", cache, "--format=github", "--potential").out
    assert [line.partition(" ")[0] for line in said.splitlines()] == ["::notice"] * 2
    assert {one["severity"] for one in read(harmless, cache, "--format=gitlab", "--potential")} == {"info"}
    (only,) = read(harmless, cache, "--format=sarif", "--potential")["runs"]
    assert [result["level"] for result in only["results"]] == ["note"] * 2


def test_every_harm_has_words_and_a_level(harmless: Path) -> None:
    from jaxtyped_static_cli.output.harms import does, level, listed

    assert len({does(harm) for harm in harms.Harm}) == len(harms.Harm)
    assert listed(dict.fromkeys(harms.Harm, 2)) == (
        "2 wrong numbers, 2 exceptions, 2 leaked tracers, 2 recompilations, 2 lost caches, 2 broken contracts, "
        "2 potential findings"
    )
    assert [level(harm).name for harm in harms.Harm] == ["ERROR"] * 3 + ["WARNING"] * 3 + ["NOTE"]


def test_fingerprints_do_not_depend_on_what_shows_the_harm(harmed: Path, cache: str) -> None:
    """It moves to other lines, to another module, into two, and into the module of the class."""

    def prints() -> dict[str, str]:
        found = read(harmed, cache, "--format=json")["findings"]
        return {one["subject"]: one["fingerprint"] for one in found}

    before = prints()
    assert len(before) == 2
    write(harmed, {"train.py": "import math\n\n" + TRAIN})
    assert prints() == before
    write(harmed, {"train.py": TRAIN, "again.py": TRAIN})
    assert prints() == before
    (harmed / "train.py").unlink()
    assert prints() == before
    (harmed / "again.py").unlink()
    inside = TRAIN.replace("import steps\n", "").replace("steps.", "")
    write(harmed, {"steps.py": STEPS + inside})
    assert prints() == before


def test_it_ends_with_what_was_found_and_what_to_do(harmed: Path, cache: str) -> None:
    assert closing(harmed, cache) == [
        "Found 2 problems in 1 file: 1 wrong number, 1 recompilation",
        "`jaxtyped-static rule static-mutable` explains the first. 1 fixable with --fix --unsafe-fixes.",
    ]
    assert closing(harmed, cache, "--select=static-hash")[0] == "Found 1 problem in 1 file: 1 recompilation"
    assert "    1  static-hash: 1 recompilation\n" in run(harmed, "check", cache, "--statistics").out


def test_potential_findings_are_counted(harmless: Path, cache: str) -> None:
    assert closing(harmless, cache) == ["Nothing found.", "2 potential findings: --potential shows them."]
    one = closing(harmless, cache, "--select=static-hash")
    assert one == ["Nothing found.", "1 potential finding: --potential shows it."]
    assert closing(harmless, cache, "--select=jit") == ["Nothing found."]
    assert run(harmless, "check", cache).code == 0


@pytest.mark.parametrize("how", ["--potential", "--strict", "potential = true", "strict = true"])
def test_potential_findings_are_shown_on_demand(harmless: Path, cache: str, how: str) -> None:
    options = [how] if how.startswith("--") else []
    if not options:
        write(harmless, {"pyproject.toml": f"{CONFIG}[tool.jaxtyped_static]\n{how}\n"})
    said = run(harmless, "check", cache, *options)
    assert said.out.count("= harm: none that the program shows\n") == 2 and said.code == 1
    assert "Found 2 problems in 1 file: 2 potential findings\n" in said.out and "--potential" not in said.out


def test_a_baseline_accepts_what_is_shown(harmless: Path, cache: str) -> None:
    option = "--baseline=baseline.json"
    said = run(harmless, "check", cache, option, "--write-baseline")
    assert said.out == "baseline.json: 0 findings accepted from now on\n"
    run(harmless, "check", cache, option, "--write-baseline", "--potential")
    nothing = run(harmless, "check", cache, option, "--potential")
    assert nothing.out.startswith("Nothing found.\nThe baseline accepts 2 problems.\n") and nothing.code == 0
    assert run(harmless, "check", cache, option).out.startswith("Nothing found.\nThe baseline accepts 2 problems.\n")
    write(harmless, {"train.py": TRAIN})
    harmed = run(harmless, "check", cache, option)
    assert harmed.out.startswith("Nothing found.\nThe baseline accepts 2 problems.\n") and harmed.code == 0


def test_a_fix_leaves_what_is_potential(harmless: Path, cache: str) -> None:
    said = run(harmless, "check", cache, "--fix", "--unsafe-fixes")
    assert said.out.startswith("Nothing found.\n2 potential findings: --potential shows them.\n")
    assert (harmless / "steps.py").read_text() == STEPS
    said = run(harmless, "check", cache, "--fix", "--unsafe-fixes", "--potential")
    assert said.out.startswith("Fixed 2 problems in steps.py.\nNothing found.\n") and said.code == 0


def test_packages_that_are_not_seen_are_named(harmless: Path, cache: str) -> None:
    names = ["one_package", "two_package.part", "three_package", "four_package"]
    write(harmless, {"other.py": "".join(f"import {name}\n" for name in names), "steps.py": "import one_package\n"})
    last = run(harmless, "check", cache).out.splitlines()[-1]
    assert last.endswith(
        " Not seen: the types of 4 packages (four_package, one_package, three_package and 1 more); "
        "`jaxtyped-static doctor` says what to do."
    )
    again = run(harmless, "check", cache).out.splitlines()[-1]
    assert again.partition(" Not seen: ")[2] == last.partition(" Not seen: ")[2]  # also from the cache


def test_the_doctor_counts_what_is_shown(harmless: Path, cache: str) -> None:
    assert "the rules report" not in run(harmless, "doctor", cache).out
    write(harmless, {"train.py": TRAIN})
    assert "the rules report 2 problems." in run(harmless, "doctor", cache).out


FILLED_ONCE = """\
from functools import partial

import jax


class Planes:
    def __init__(self, masses: list[jax.Array]) -> None:
        self.masses = masses

    @property
    def has_mass(self) -> list[bool]:
        if not hasattr(self, "_has_mass"):
            self._has_mass = [mass > 0 for mass in self.masses]
        return self._has_mass


@partial(jax.jit, static_argnames="planes")
def total(x: jax.Array, planes: Planes) -> jax.Array:
    return x * compute(planes)


def compute(planes: Planes) -> int:
    return sum(planes.has_mass)
"""


def test_a_private_attribute_that_is_filled_once_is_no_change(tmp_path: Path, cache: str) -> None:
    write(
        tmp_path, {"planes.py": FILLED_ONCE, "main.py": "from planes import Planes, total\n\ntotal(1, Planes((1,)))\n"}
    )
    said = run(tmp_path, "check", cache)
    assert said.out.startswith("Nothing found.\n1 potential finding"), said
