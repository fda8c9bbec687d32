"""The formats that other programs read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run

pytestmark = pytest.mark.xdist_group("light")


def read(project: Path, cache: str, name: str) -> Any:
    return json.loads(run(project, "check", cache, f"--format={name}").out)


def test_json_has_the_documented_shape(project: Path, cache: str) -> None:
    data = read(project, cache, "json")
    assert (data["version"], data["files"], data["accepted"], data["gone"], data["other_errors"]) == (1, 3, 0, [], 1)
    first = data["findings"][0]
    place = {"path": "app/solver.py", "line": 5, "column": 7, "end_line": 5, "end_column": 13}
    assert first.items() >= {"code": "static-mutable", "subject": "app.solver.Solver", **place}.items()
    assert (first["problem"], first["advice"]) == ("Solver is not frozen", "declare it @dataclass(frozen=True)")
    assert [(one["path"], one["line"], one["description"]) for one in first["positions"]] == [
        ("app/steps.py", 6, 'Static argument "solver"'),
        ("app/steps.py", 11, 'Static argument "solver"'),
    ]
    assert len({one["fingerprint"] for one in data["findings"]}) == 2


def test_github_annotates_the_lines(project: Path, cache: str) -> None:
    first = run(project, "check", cache, "--format=github").out.splitlines()[0]
    assert first == (
        "::error title=static-mutable,file=app/solver.py,line=5,endLine=5,col=7,endColumn=13"
        "::Solver is not frozen; declare it @dataclass(frozen=True)"
        '%0Aapp/steps.py:6:19: Static argument "solver"%0Aapp/steps.py:11:20: Static argument "solver"'
    )


def test_gitlab_has_what_a_report_of_code_quality_needs(project: Path, cache: str) -> None:
    first, _ = read(project, cache, "gitlab")
    assert first.keys() >= {"description", "check_name", "fingerprint", "severity", "location"}
    assert first["location"]["path"] == "app/solver.py" and first["location"]["positions"]["begin"]["line"] == 5


def test_sarif_has_what_the_standard_requires(project: Path, cache: str) -> None:
    data = read(project, cache, "sarif")
    (only,) = data["runs"]
    assert data["version"] == "2.1.0" and only["tool"]["driver"]["name"] == "jaxtyped-static"
    for result in only["results"]:
        rule = only["tool"]["driver"]["rules"][result["ruleIndex"]]
        assert rule["id"] == result["ruleId"] and result["message"]["text"]
        region = result["locations"][0]["physicalLocation"]["region"]
        assert min(region.values()) >= 1 and region["startLine"] <= region["endLine"]
    assert [place["message"]["text"] for place in only["results"][0]["relatedLocations"]] == [
        'Static argument "solver"'
    ] * 2
