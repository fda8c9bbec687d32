"""The golden files notice what is lost, what is new, and what nobody has explained."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jaxtyped_static_mypy.faults import describe_fault
from tests.real import findings, golden
from tests.real.findings import CheckerFault, Finding, find
from tests.real.invocation import Invocation
from tests.real.packages import Package
from tests.real.workspace import Program

PACKAGE = Package("sample", "1.0", "sample")
LIST = Finding("sample/a.py", 3, "static-mutable", "Grid.shape: list[int] is mutable")
HASH = Finding("sample/a.py", 9, "static-hash", "Grid is hashed by identity")


@pytest.fixture
def golden_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(golden, "_FOLDER", tmp_path)
    file = golden.golden_file(PACKAGE)
    file.write_text(f"{LIST}  # why: shape.append(1) changes it\n")
    return file


@pytest.mark.usefixtures("golden_file")
def test_a_lost_and_a_new_finding_are_told_apart() -> None:
    assert golden.differences(PACKAGE, [LIST]) == []
    assert golden.differences(PACKAGE, [HASH]) == [f"not found any more: {LIST}", f"found, not reviewed: {HASH}"]


def test_an_update_keeps_reasons_and_asks_for_missing_ones(golden_file: Path) -> None:
    golden.write(PACKAGE, [LIST, HASH])
    assert golden_file.read_text() == f"{LIST}  # why: shape.append(1) changes it\n{HASH}  # why: ?\n"
    assert golden.unexplained(PACKAGE) == [str(HASH)]


def test_a_finding_with_other_words_needs_a_new_review(golden_file: Path) -> None:
    reworded = Finding(LIST.path, LIST.line, LIST.code, "Grid.sizes: list[int] is mutable")
    golden.write(PACKAGE, [reworded])
    assert golden_file.read_text() == f"{reworded}  # why: ? shape.append(1) changes it\n"
    assert golden.unexplained(PACKAGE) == [str(reworded)]


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (("sh", "-c", "echo 'INTERNAL ERROR'; exit 2"), "INTERNAL ERROR"),
        (("sh", "-c", "echo 'plugin: cannot read its settings'"), "cannot read its settings"),
        (("sh", "-c", "echo 'Traceback' >&2; exit 1"), "Traceback"),
    ],
)
def test_a_breakdown_is_never_taken_for_silence(
    command: tuple[str, ...], complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(findings, "programs", lambda _: [Program(tmp_path, ())])
    monkeypatch.setattr(findings, "invocation", lambda *_: Invocation(command, tmp_path, {}))
    with pytest.raises(CheckerFault, match=complaint):
        find(PACKAGE, cold=True)


def test_an_exception_of_the_plugin_is_no_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        raise KeyError("n")
    except KeyError as error:
        note = {"file": "a.py", "line": 3, "severity": "note", "code": "misc", "message": describe_fault(error)}
    monkeypatch.setattr(findings, "programs", lambda _: [Program(tmp_path, ())])
    monkeypatch.setattr(findings, "invocation", lambda *_: Invocation(("echo", json.dumps(note)), tmp_path, {}))
    with pytest.raises(CheckerFault, match=r"a\.py:3: .*KeyError: 'n'"):
        find(PACKAGE, cold=True)
