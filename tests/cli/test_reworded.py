"""The words of messages are for people: with other words, the same fixes are found, and the same findings."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from string import Formatter
from typing import Any
from unittest import mock

import pytest

from jaxtyped_static_cli.fixes.table import FIXES
from jaxtyped_static_mypy.reporting import actions
from tests.cli.running import Said, run, run_here
from tests.plugin.running import elsewhere
from tests.rules.cases import load_programs

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("light")]

REPORTING = "jaxtyped_static_mypy.reporting"
_QUOTED = re.compile(r'("[^"]*")')


def reworded(template: str, values: Mapping[str, str]) -> str:
    """A text with the same placeholders and names between other words."""
    parts = []
    for text, name, *_ in Formatter().parse(template):
        around = _QUOTED.split(text)
        parts += [part if _QUOTED.fullmatch(part) else re.sub(r"\w+", "word", part) for part in around]
        parts += [values[name]] if name is not None else []
    return "".join(parts)


def run_reworded(project: Path, arguments: tuple[str, ...]) -> Said:
    with (
        mock.patch(f"{REPORTING}.actions.render", reworded),
        mock.patch(f"{REPORTING}.messages.render", reworded),
        mock.patch(f"{REPORTING}.messages.ALTERNATIVE", " / "),
        mock.patch(f"{REPORTING}.notes._DECLARED", "{where}: {name}"),
        mock.patch(f"{REPORTING}.evidence.changes._LATER", "{places} {copy} {instead}"),
        mock.patch(f"{REPORTING}.evidence.changes._MAKING", "{places} {method} {object} {name}"),
        mock.patch(f"{REPORTING}.evidence.changes.KEEPS", "{places}: old"),
        mock.patch(f"{REPORTING}.errors.text_of_written", lambda written: f"text: {written.text}"),
        mock.patch(f"{REPORTING}.notes.text_of_written", lambda written: f"text: {written.text}"),
    ):
        return run_here(project, arguments)


def programs() -> dict[str, str]:
    """Faulty programs of one file, with all kinds of advice, by the names of their files."""
    chosen = [
        next(iter(program.states[0].values()))
        for program in load_programs()
        if len(program.states[0]) == 1 and program.id.startswith(("docs/", "tests/advice-", "tests/jit-retrace/"))
    ]
    return {f"case_{number:03}.py": text.text for number, text in enumerate(chosen) if any(m.code for m in text.marks)}


def findings(said: Said) -> list[dict[str, Any]]:
    assert said.code == 1, said.errors
    return list(json.loads(said.out)["findings"])


def without_words(finding: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in finding.items() if name not in ("problem", "advice", "notes")}
    positions = [{**position, "description": ""} for position in finding["positions"]]  # it may say what is wrong there
    return kept | {"positions": positions, "evidence": [{**shown, "text": ""} for shown in finding["evidence"]]}


def test_a_template_is_reworded_around_its_placeholders() -> None:
    assert reworded('the "{name}" is {what}; or not', {"name": "x", "what": "old"}) == 'word "x" word old; word word'
    assert actions.render("{name}", {"name": "x"}) == "x"


def test_other_words_switch_no_fix_off_and_change_no_finding(tmp_path: Path, cache: str) -> None:
    (tmp_path / "pyproject.toml").touch()
    for name, text in programs().items():
        (tmp_path / name).write_text(text)
    arguments = ("check", "--format=json", "--strict")
    before = findings(run(tmp_path, *arguments, cache))
    after = findings(elsewhere(run_reworded, tmp_path, (*arguments, f"--cache-dir={tmp_path / 'reworded'}")))
    assert sum(one["problem"] != other["problem"] for one, other in zip(before, after, strict=True)) > len(before) / 2
    assert list(map(without_words, after)) == list(map(without_words, before))
    assert {one["fix"]["does"] for one in after if one["fix"]} == {fix.does for fix in FIXES}
