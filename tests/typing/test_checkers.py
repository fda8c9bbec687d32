"""The public types mean the same to mypy (without the plugin), pyright, ty and pyrefly.

Each checker runs once over `cases/`. It must report the lines marked `# error`, and no others.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests import processes
from tests.processes import ROOT

CASES = Path(__file__).parent / "cases"
TOOLS = Path(sys.executable).parent

Report = set[tuple[str, int]]


def run(tool: str, *arguments: str, cwd: Path, **environment: str) -> str:
    """Returns the checker's standard output; an exit status above 1 means that it did not check."""
    done = processes.run([TOOLS / tool, *arguments], cwd=cwd, env=os.environ | environment)
    assert done.returncode in (0, 1), done.stderr or done.stdout
    return done.stdout


def mypy(cases: Path) -> Report:
    options = ("--config-file=", "--strict", f"--cache-dir={cases / '.mypy_cache'}", "--output=json")
    lines = run("mypy", *options, str(cases), cwd=cases, MYPYPATH=str(ROOT)).splitlines()
    found = [json.loads(line) for line in lines if line.startswith("{")]
    return {(Path(item["file"]).name, item["line"]) for item in found if item["severity"] == "error"}


def pyright(cases: Path) -> Report:
    project = cases / "pyrightconfig.json"
    project.write_text(json.dumps({"include": ["."], "extraPaths": [str(ROOT)], "typeCheckingMode": "standard"}))
    options = ("--outputjson", "--project", str(project), "--pythonpath", sys.executable)
    found = json.loads(run("pyright", *options, cwd=cases))["generalDiagnostics"]
    return {
        (Path(item["file"]).name, item["range"]["start"]["line"] + 1) for item in found if item["severity"] == "error"
    }


def ty(cases: Path) -> Report:
    (cases / "ty.toml").write_text(f'[environment]\npython = "{sys.prefix}"\nextra-paths = ["{ROOT}"]\n')
    options = ("check", "--output-format", "concise", "--no-progress", "--config-file", str(cases / "ty.toml"))
    return plain_report(run("ty", *options, str(cases), cwd=cases), r"error\[")


def pyrefly(cases: Path) -> Report:
    (cases / "pyrefly.toml").write_text(f'search-path = ["{ROOT}"]\npython-interpreter-path = "{sys.executable}"\n')
    options = ("check", "--output-format", "json", "--config", str(cases / "pyrefly.toml"))
    found = json.loads(run("pyrefly", *options, cwd=cases))["errors"]
    return {(Path(item["path"]).name, item["line"]) for item in found if item["severity"] == "error"}


def plain_report(output: str, severity: str) -> Report:
    found = re.finditer(rf"^(.+?\.py):(\d+):\d+: {severity}", output, re.MULTILINE)
    return {(Path(match[1]).name, int(match[2])) for match in found}


def marked_lines(files: Sequence[Path]) -> Report:
    return {
        (file.name, number)
        for file in files
        for number, line in enumerate(file.read_text().splitlines(), start=1)
        if line.endswith("  # error")
    }


@pytest.mark.parametrize("checker", [pytest.param(mypy, marks=pytest.mark.thorough), pyright, ty, pyrefly])
def test_the_checker_reports_exactly_the_marked_lines(checker: Callable[[Path], Report], tmp_path: Path) -> None:
    cases = tmp_path / "cases"
    cases.mkdir()
    sources = sorted(CASES.glob("*.py"))
    for source in sources:
        (cases / source.name).write_text(source.read_text())

    expected = marked_lines(sources)
    assert len(expected) > len(sources)  # The marks were found.
    assert sorted(checker(cases)) == sorted(expected)


def test_pyright_knows_the_type_of_everything_public(tmp_path: Path) -> None:
    path = f"{TOOLS}{os.pathsep}{os.environ['PATH']}"  # it asks the first Python there where packages are
    options = ("--verifytypes", "jaxtyped_static", "--ignoreexternal", "--outputjson")
    completeness = json.loads(run("pyright", *options, cwd=tmp_path, PATH=path))["typeCompleteness"]
    unknown = [each["name"] for each in completeness["symbols"] if each["isExported"] and not each["isTypeKnown"]]
    assert completeness["exportedSymbolCounts"]["withKnownType"] > 50
    assert unknown == []
