"""The golden files reveal lost, new and unexplained findings."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jaxtyped_static_mypy.hooks.failures import describe_failure
from tests.real import findings, golden
from tests.real.findings import CheckerFault, Finding, find
from tests.real.invocation import Invocation
from tests.real.packages import Package
from tests.real.workspace import Program

PACKAGE = Package("sample", "1.0", "sample")
LIST = Finding("sample/a.py", 3, "static-mutable", 4, "Grid.shape: list[int] is mutable")
HASH = Finding("sample/a.py", 9, "static-hash", 4, "Grid is hashed by identity")
REVIEWED = """\
sample/a.py:3 [static-mutable]
    why: shape.append(1) changes it
    says: Grid.shape: list[int] is mutable
"""


@pytest.fixture
def golden_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(golden, "_FOLDER", tmp_path)
    file = golden.golden_file(PACKAGE)
    file.write_text(REVIEWED)
    return file


@pytest.mark.usefixtures("golden_file")
def test_lost_and_new_findings_are_distinguished() -> None:
    assert golden.differences(PACKAGE, [LIST]) == []
    assert golden.differences(PACKAGE, [HASH]) == [f"no longer found: {LIST}", f"found, not reviewed: {HASH}"]


@pytest.mark.parametrize("moved", [replace(LIST, path="sample/b.py"), replace(LIST, line=4), replace(LIST, code="x")])
@pytest.mark.usefixtures("golden_file")
def test_a_finding_at_another_place_is_another_finding(moved: Finding) -> None:
    assert len(golden.differences(PACKAGE, [moved])) == 2


@pytest.mark.usefixtures("golden_file")
def test_a_second_finding_at_a_place_is_new_and_one_of_two_can_be_lost() -> None:
    second = replace(LIST, column=9, message="Grid.sizes: list[int] is mutable")
    assert golden.differences(PACKAGE, [LIST, second]) == [f"found, not reviewed: {second}"]
    golden.write(PACKAGE, [LIST, second])
    assert golden.differences(PACKAGE, [second]) == [f"no longer found: {LIST}"]


def test_an_update_keeps_reasons_and_asks_for_missing_ones(golden_file: Path) -> None:
    golden.write(PACKAGE, [LIST, HASH])
    assert golden_file.read_text() == REVIEWED + (
        "sample/a.py:9 [static-hash]\n    why: ?\n    says: Grid is hashed by identity\n"
    )
    assert golden.unexplained(PACKAGE) == [str(HASH)]


def test_rewording_needs_no_review_and_an_update_records_it(golden_file: Path) -> None:
    other = replace(LIST, message="Grid.shape is a list, which is mutable")
    assert golden.differences(PACKAGE, [other]) == []
    assert golden.reworded(PACKAGE, [other]) == [
        "sample/a.py:3 [static-mutable]\n"
        "  - Grid.shape: list[int] is mutable\n"
        "  + Grid.shape is a list, which is mutable"
    ]
    golden.write(PACKAGE, [other])
    assert golden_file.read_text() == REVIEWED.replace(LIST.message, other.message)
    assert (golden.reworded(PACKAGE, [other]), golden.unexplained(PACKAGE)) == ([], [])


@pytest.mark.usefixtures("golden_file")
def test_two_findings_of_one_place_keep_their_own_reasons_when_both_are_reworded() -> None:
    first, second = LIST, replace(LIST, column=9, message="Grid.sizes: list[int] is mutable")
    golden.write(PACKAGE, [first, second])
    golden.write(PACKAGE, [replace(second, message="a"), replace(first, message="b")])
    assert [(entry.message, entry.is_explained) for entry in golden.read(PACKAGE)] == [("b", True), ("a", False)]


def test_a_malformed_entry_is_refused(golden_file: Path) -> None:
    golden_file.write_text(REVIEWED + "sample/a.py:9 [static-hash]\n    says: Grid is hashed by identity\n")
    with pytest.raises(ValueError, match=r"not an entry: sample/a\.py:9"):
        golden.read(PACKAGE)


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (("sh", "-c", "echo 'INTERNAL ERROR'; exit 2"), "INTERNAL ERROR"),
        (("sh", "-c", "echo 'plugin: cannot read its settings'"), "cannot read its settings"),
        (("sh", "-c", "echo 'Traceback' >&2; exit 1"), "Traceback"),
    ],
)
def test_a_breakdown_is_not_mistaken_for_no_findings(
    command: tuple[str, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(findings, "programs", lambda _: [Program(tmp_path, ())])
    monkeypatch.setattr(findings, "invocation", lambda *_: Invocation(command, tmp_path, {}))
    with pytest.raises(CheckerFault, match=complaint):
        find(PACKAGE, cold=True)


def test_an_exception_of_the_plugin_is_not_silent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        raise KeyError("n")
    except KeyError as error:
        note = {"file": "a.py", "line": 3, "severity": "note", "code": "misc", "message": describe_failure(error)}
    monkeypatch.setattr(findings, "programs", lambda _: [Program(tmp_path, ())])
    monkeypatch.setattr(findings, "invocation", lambda *_: Invocation(("echo", json.dumps(note)), tmp_path, {}))
    with pytest.raises(CheckerFault, match=r"a\.py:3: .*KeyError: 'n'"):
        find(PACKAGE, cold=True)
