"""What the documentation tells people to run or to copy is right."""

from __future__ import annotations

import importlib
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from jaxtyped_static_cli import main
from tests.processes import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^[\s-]*(?:run: |uvx --from \S+ |pipx run --spec \S+ )?jaxtyped-static (.*)$", re.MULTILINE)
FORMATS = {"uses": str, "run": str, "script": list}


def blocks(page: Path, *languages: str) -> list[str]:
    return [text for language, text in BLOCK.findall(page.read_text(encoding="utf-8")) if language in languages]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_command_takes_what_the_page_passes(page: Path) -> None:
    commands = {name: importlib.import_module(f"jaxtyped_static_cli.commands.{name}") for name in main._COMMANDS}
    parser = main._parser(commands)
    for text in blocks(page, "sh", "yaml"):
        for arguments in COMMAND.findall(text):
            words = shlex.split(arguments, comments=True)
            own, _ = main._split(commands, words[: words.index(">")] if ">" in words else words)
            parser.parse_args(own)


def keys(data: Any) -> set[str]:
    """All keys of mappings in a document."""
    if isinstance(data, dict):
        return {str(key) for key in data} | {key for value in data.values() for key in keys(value)}
    return {key for value in data for key in keys(value)} if isinstance(data, list) else set()


def test_the_files_to_copy_for_ci_are_yaml_and_keep_the_cache() -> None:
    github, scanning, gitlab, hook, mypy = (yaml.safe_load(text) for text in blocks(ROOT / "docs" / "ci.md", "yaml"))
    steps = github["jobs"]["check"]["steps"]
    assert [set(step) <= {"uses", "with", "run"} for step in (*steps, *scanning)] == [True] * 7
    (cached,) = (step["with"]["path"] for step in steps if step.get("uses", "").startswith("actions/cache@"))
    assert cached == ".jaxtyped_static_cache" and f"{cached}/" in gitlab["jaxtyped-static"]["cache"]["paths"]
    report = gitlab["jaxtyped-static"]["artifacts"]["reports"]["codequality"]
    assert gitlab["jaxtyped-static"]["script"][-1].endswith(f"--format gitlab > {report}")
    ids = {one["id"] for one in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert {one["id"] for one in hook["repos"][0]["hooks"]} <= ids and mypy[0]["hooks"][0]["id"] == "mypy"
