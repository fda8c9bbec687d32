"""Runs rewritten tests in a separate process, and collects the failures and their errors."""

from __future__ import annotations

import os
import shutil
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.peers.assignments import set_by_force
from tests.peers.sources import CACHE, Unavailable
from tests.peers.suites import Suite
from tests.processes import ROOT, run

_LAST_LINES = "\nfrom tests.peers.stand_ins import collected as _collected\n_collected()\n"


class Outcome(NamedTuple):
    """The results of a suite.

    Attributes:
        passed: the names of tests that passed.
        left_out: unsupported features that tests use → the number of these tests.
        failed: names of tests → the first line of the error.
    """

    passed: frozenset[str]
    left_out: Mapping[str, int]
    failed: Mapping[str, str]


def rewritten(suite: Suite, files: Mapping[Path, str]) -> dict[Path, str]:
    """Returns the tests with our classes in place of the peer's.

    Raises:
        Unavailable: they lack the text that is to be replaced.
    """
    for old in suite.rewrites:
        if not any(old in text for text in files.values()):
            raise Unavailable(f"no test file contains `{old.strip()}`, so none of our classes would be tested")
    replaced = {path: _replaced(text, suite.rewrites) for path, text in files.items()}
    set_up = {path: set_by_force(text) if suite.is_unfrozen else text for path, text in replaced.items()}
    return {path: text + _LAST_LINES for path, text in set_up.items()}


def _replaced(text: str, rewrites: Mapping[str, str]) -> str:
    for old, new in rewrites.items():
        text = text.replace(old, new)
    return text


def run_tests(name: str, files: Mapping[Path, str]) -> Outcome:
    """Runs them with pytest, without this project's settings."""
    folder = CACHE / "rewritten" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    modules = {path: folder / f"test_{path.stem.strip('_').removeprefix('test_')}.py" for path in files}
    unreadable = [path for path, text in files.items() if not _can_be_read(text)]
    for path, module in modules.items():
        if path not in unreadable:
            module.write_text(files[path], encoding="utf-8")
    report = folder / "report.xml"
    options = ("-q", "-p", "no:cacheprovider", "--import-mode=importlib", f"--junitxml={report}", "--rootdir", folder)
    readable = [module for path, module in modules.items() if path not in unreadable]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    done = run([sys.executable, "-m", "pytest", *options, *readable], cwd=folder, env=env)
    if not report.exists():
        raise Unavailable(f"pytest did not run:\n{done.stdout}{done.stderr}")
    left_out = {"the file is written for a newer Python": len(unreadable)} if unreadable else {}
    return _outcome(ET.parse(report).iter("testcase"), left_out, by_file=len(files) > 1)


def _can_be_read(text: str) -> bool:
    try:
        compile(text, "<tests>", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def _outcome(cases: Iterable[ET.Element], left_out: dict[str, int], *, by_file: bool) -> Outcome:
    """Collects the results; a test with parts appears once for each."""
    failed: dict[str, str] = {}
    passed: set[str] = set()
    for case in cases:
        name = _name(case, by_file=by_file)
        if (found := next((child for child in case if child.tag in ("failure", "error")), None)) is not None:
            failed.setdefault(name, (found.get("message") or "").partition("\n")[0])
        elif (skipped := case.find("skipped")) is not None:
            why = skipped.get("message") or "?"
            left_out[why] = left_out.get(why, 0) + 1
        else:
            passed.add(name)
    return Outcome(frozenset(passed - failed.keys()), left_out, failed)


def _name(case: ET.Element, *, by_file: bool) -> str:
    """Returns `TestSlots.test_simple`, with the module in front if there are several."""
    module, *owner = (case.get("classname") or "").split(".")
    name = (case.get("name") or "").partition(" (")[0]
    return ".".join([*([module] if by_file else []), *owner, name])
