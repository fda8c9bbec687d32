"""Findings as data: each error has one, in every mode of mypy, where they are switched on. Else nothing changes."""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtyped_static_mypy import rules
from jaxtyped_static_mypy.reporting.actions import Action, Advised
from jaxtyped_static_mypy.reporting.finding import (
    Asked,
    Declared,
    Evidence,
    Finding,
    Place,
    Question,
    Site,
    Written,
    from_note,
    is_finding,
    to_note,
)
from jaxtyped_static_mypy.reporting.harm import Harm
from jaxtyped_static_mypy.reporting.messages import Message
from jaxtyped_static_mypy.reporting.switch import FINDINGS
from jaxtyped_static_mypy.rules import CODES
from tests import processes
from tests.plugin.running import LIGHT
from tests.processes import PATIENTLY

PROGRAM = """\
from dataclasses import dataclass
from jax import Array
from jaxtyped_static import Static, jit
from grids import Grid

@dataclass
class Config:
    sizes: list[int]

class Outer:
    @dataclass(eq=False)
    class Inner:
        n: int = 0

@jit
def one(x: Array, config: Static[Config], inner: Static[Outer.Inner], grid: Static[Grid]) -> Array: return x

@jit
def two(x: Array, a: Static[Config], b: Static[Config], c: Static[list[Config]]) -> Array: return x

def change(config: Config) -> None:
    config.sizes = []

@jit
def ignored(
    x: Array,
    a: Static[Config],  # type: ignore[static-mutable]
    b: Static[Config],  # type: ignore
    c: Static[Config],  # type: ignore[arg-type]
    d: Static[Array] | None,
) -> Array: return x
"""
GRIDS = "from dataclasses import dataclass\n\n\n@dataclass\nclass Grid:\n    n: int\n"
SETTINGS = f"""\
[mypy]
plugins = jaxtyped_static_mypy
mypy_path = {LIGHT}
[mypy-quiet]
disable_error_code = static-mutable
"""
# mypy's daemon (2.4.1) fails on any error code of a plugin that is enabled for all modules: it looks the code up before
# it loads the plugin.
BY_MODULE = f"{SETTINGS}[mypy-loud]\nenable_error_code = {FINDINGS.code}\n"
SWITCH = ("--enable-error-code", FINDINGS.code)
JSON = ("--output", "json")

pytestmark = pytest.mark.xdist_group("light")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    files = {"mypy.ini": SETTINGS, "grids.py": GRIDS, "loud.py": PROGRAM, "quiet.py": PROGRAM}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    yield tmp_path
    if (tmp_path / "status.json").exists():
        said(tmp_path, "mypy.dmypy", "--status-file", "status.json", "kill")


def said(folder: Path, *command: str) -> str:
    done = processes.run([*PATIENTLY, *command], cwd=folder)
    return done.stdout + done.stderr


def check(folder: Path, *flags: str) -> str:
    return said(folder, "mypy", *flags, "loud.py", "quiet.py")


def errors(printed: str) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    return [row for row in rows if row["code"] in CODES and row["severity"] == "error"]


def finding_of(error: dict[str, Any]) -> Finding:
    (found,) = [found for hint in (error["hint"] or "").splitlines() if (found := from_note(hint)) is not None]
    return found


def test_each_error_has_its_finding_and_says_what_that_does(project: Path) -> None:
    found = errors(check(project, *SWITCH, *JSON))
    assert len(found) == 10
    for error in found:
        finding = finding_of(error)
        assert (finding.code, finding.message) == (error["code"], error["message"])
    by_code = {finding.code: finding for finding in map(finding_of, found)}
    assert by_code["static-hash"].offered(Action.COMPARE_BY_VALUE) is not None
    mutable = next(finding_of(error) for error in found if error["code"] == "static-mutable")
    assert mutable.position == Place("Static argument", "config")
    assert mutable.declared is not None and (mutable.declared.name, mutable.declared.line) == ("Config", 7)
    assert [(shown.label, shown.file, shown.line) for shown in mutable.evidence] == [
        ("refused by a frozen class", "loud.py", 22)
    ]


@pytest.mark.thorough
def test_all_modes_of_mypy_keep_them(project: Path) -> None:
    cold = check(project, *SWITCH, *JSON)
    assert check(project, *SWITCH, *JSON) == cold, "from the cache"
    parallel = check(project, *SWITCH, *JSON, "-n", "2", "--cache-dir", "parallel")
    assert sorted(parallel.splitlines()) == sorted(cold.splitlines())
    (project / "mypy.ini").write_text(BY_MODULE)
    assert by_place(in_daemon(project)) == by_place(check(project, *JSON, "--cache-dir", "by module"))
    (project / "loud.py").write_text(PROGRAM.replace("def two", "def second").replace("sizes: list[int]", "n: int"))
    assert by_place(in_daemon(project)) == by_place(check(project, *JSON, "--cache-dir", "edited"))


def in_daemon(folder: Path) -> str:
    flags = ("--status-file", "status.json", "run", "--", *JSON, "--cache-dir", "daemon")
    return said(folder, "mypy.dmypy", *flags, "loud.py", "quiet.py")


def by_place(printed: str) -> list[dict[str, Any]]:
    return sorted(errors(printed), key=str)


@pytest.mark.parametrize("flags", [(), JSON, ("--warn-unused-ignores", "--pretty"), ("-n", "2")])
def test_mypy_prints_nothing_else_but_them(project: Path, flags: tuple[str, ...]) -> None:
    """Neither notes about comments that do not fit a note, nor unused comments, nor other errors."""
    without = check(project, *flags)
    assert "finding" not in without
    with_them = check(project, *flags, *SWITCH)
    assert with_them != without
    if flags == JSON:
        rows = [json.loads(line) for line in with_them.splitlines() if line.startswith("{")]
        for row in rows:
            hints = [hint for hint in (row["hint"] or "").splitlines() if not is_finding(hint)]
            row["hint"] = "\n".join(hints) or None
        assert rows == [json.loads(line) for line in without.splitlines() if line.startswith("{")]
    elif "--pretty" not in flags:
        kept = [line for line in with_them.splitlines() if ": note: jaxtyped-static finding: " not in line]
        assert sorted(kept) == sorted(without.splitlines())
    unused = [line for line in with_them.splitlines() if "Unused" in line]
    assert unused == [line for line in without.splitlines() if "Unused" in line]


def test_switching_them_on_or_off_does_not_use_the_other_cache(project: Path) -> None:
    plain = check(project)
    check(project, *SWITCH)
    assert check(project) == plain


def messages() -> Iterator[tuple[str, Message]]:
    """The messages of all rules, with the modules that they are in."""
    for module in pkgutil.iter_modules(rules.__path__):
        for value in vars(importlib.import_module(f"{rules.__name__}.{module.name}")).values():
            if isinstance(value, Message):
                yield module.name, value
            for key, message in value.items() if isinstance(value, Mapping) else ():
                if isinstance(message, Message):
                    yield module.name, message.named_by(key) if isinstance(key, Enum) else message


def test_a_kind_stands_for_one_problem() -> None:
    problems: dict[tuple[str, str], set[str]] = {}
    for module, message in messages():
        assert message.kind, message
        if not module.startswith("static_callable"):  # its second table has the same keys
            problems.setdefault((module, message.kind), set()).add(message.problem)
    assert len(problems) > 50
    assert {key: found for key, found in problems.items() if len(found) > 1} == {}


TEXTS = st.text(st.characters(), max_size=20)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), max_size=3).map(tuple)
FINDINGS_MADE = st.builds(
    Finding,
    TEXTS,
    TEXTS,
    TEXTS,
    st.lists(st.builds(Advised, TEXTS, st.none() | st.sampled_from(Action), PAIRS), max_size=3).map(tuple),
    PAIRS,
    st.lists(TEXTS, max_size=3).map(tuple),
    st.none() | st.builds(Place, TEXTS, TEXTS, TEXTS),
    TEXTS,
    *(st.none() | st.builds(Declared, TEXTS, TEXTS, st.none() | st.integers(), TEXTS, st.booleans()) for _ in range(2)),
    TEXTS,
    st.none() | st.builds(Written, TEXTS, st.booleans()),
    st.lists(st.builds(Evidence, TEXTS, TEXTS, st.none() | st.integers(), TEXTS), max_size=2).map(tuple),
    st.lists(
        st.builds(
            Question,
            st.sampled_from(Asked),
            TEXTS,
            TEXTS,
            TEXTS,
            st.lists(TEXTS, max_size=2).map(tuple),
            st.none() | st.sampled_from(Harm),
        ),
        max_size=2,
    ).map(tuple),
    st.sampled_from(Harm),
    st.lists(TEXTS, max_size=2).map(tuple),
    st.none() | st.builds(Site, TEXTS, *(st.integers() for _ in range(4))),
)


@given(FINDINGS_MADE)
def test_a_note_is_one_line_from_which_the_finding_is_read(finding: Finding) -> None:
    note = to_note(finding)
    assert note.isascii() and note.isprintable()
    assert from_note(note) == finding


def test_other_notes_and_versions_are_not_read() -> None:
    note = to_note(Finding("static-hash", "", "", ()))
    mark = note.partition("{")[0]
    others = ("{", "[]", "1", "{}", '{"version":1}', '{"version":1,"advice":[[]]}', "[" * 100_000)
    for other in ("a note", note.replace('"version":1', '"version":2'), *(f"{mark}{other}" for other in others)):
        assert from_note(other) is None
