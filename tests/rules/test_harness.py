"""The harness finds what it must: a wrong mark, a stale answer, a crash."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.processes import Unfinished
from tests.rules import engines
from tests.rules.cases import CaseError, Program, read_document
from tests.rules.engines import Workspace
from tests.rules.marks import Mark, Report, read_marks, unmet
from tests.rules.modes import COLD, MODES
from tests.rules.rig import NotJudged, Rig
from tests.rules.split import split
from tests.rules.tree import Files

Engine = Callable[[Workspace, Sequence[Files]], list[str]]

pytestmark = pytest.mark.xdist_group("harness")

STALE_PLUGIN = str(Path(__file__).with_name("stale_plugin.py"))
TIMELINES = ("edited", "parallel", "daemon", "daemon-from-cache")

CASES = """
## Right
```python bad
from dataclasses import dataclass
def keep(x: object) -> None: ...
@dataclass
class Loose: ...
keep(Loose())  # E: [toy-mutable] Loose is not frozen
keep(1)
```
## Missing
```python bad
keep = print
keep(1)  # E: [toy-mutable]
```
## Unmarked
```python good
x: int = ""
```
## Wrong line
```python bad
x: int = 1  # E: [assignment]
y: int = ""
```
## Wrong text
```python bad
x: int = ""  # E: [assignment] of another kind
```
## Two halves
```python bad
from dataclasses import dataclass
from typing import NamedTuple

def keep(x: object) -> None: ...

Sizes = tuple[int, ...]

@dataclass
class Loose:
    sizes: "Sizes" = ()

class Pair(NamedTuple):
    loose: Loose

keep(Loose())  # E: [toy-mutable]
```
## Crash
```python good
def keep(x: object) -> None: ...
keep("crash")
```
## Through a third module
```python good file=main.py
from outer import Outer
def keep(x: object) -> None: ...
def use(outer: Outer) -> None:
    keep(outer)
```
```python good file=outer.py
from dataclasses import dataclass
from inner import Inner
@dataclass(frozen=True)
class Outer:
    inner: Inner
```
```python good file=inner.py
from dataclasses import dataclass
@dataclass(frozen=True)
class Inner: ...
```
```python bad file=main.py step=2
from outer import Outer
def keep(x: object) -> None: ...
def use(outer: Outer) -> None:
    keep(outer)  # E: [toy-mutable] Inner is not frozen
```
```python good file=inner.py step=2
from dataclasses import dataclass
@dataclass
class Inner: ...
```
"""


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Rig:
    folder = tmp_path_factory.mktemp("toy")
    document = folder / "cases.md"
    document.write_text(CASES, encoding="utf-8")
    return Rig(folder / "runs", tuple(read_document(document)), STALE_PLUGIN)


def program(rig: Rig, heading: str) -> Program:
    return next(program for program in rig.programs if f"/{heading}/" in program.id)


@pytest.mark.parametrize("heading", ["missing", "unmarked", "wrong-line", "wrong-text"])
def test_a_cold_run_that_differs_from_the_marks_fails(toy: Rig, heading: str) -> None:
    assert toy.problems(program(toy, heading), COLD)


@pytest.mark.parametrize("heading", ["right", "through-a-third-module"])
def test_a_cold_run_as_marked_passes(toy: Rig, heading: str) -> None:
    assert toy.problems(program(toy, heading), COLD) == []


@pytest.mark.parametrize("mode", TIMELINES)
def test_a_judgement_without_recorded_dependencies_is_caught(toy: Rig, mode: str) -> None:
    (first, *lines) = toy.problems(program(toy, "through-a-third-module"), mode)
    assert first.startswith("visit 2 on the way through states [0, 1, 0, 1")
    assert "- main.py:4  [toy-mutable] Inner is not frozen" in lines


def test_classes_are_moved_apart_with_what_they_need(toy: Rig) -> None:
    halves = split(program(toy, "two-halves"))
    assert halves is not None
    (state,) = halves.states
    parts, main = (state[name].text.splitlines() for name in ("parts.py", "main.py"))
    assert parts[5] == "Sizes = tuple[int, ...]" and "def keep(x: object) -> None: ..." not in parts
    assert main[5] == "from parts import Sizes, Loose, Pair" and main[14] == "keep(Loose())"
    assert toy.problems(program(toy, "two-halves"), "apart") == []


@pytest.mark.thorough
@pytest.mark.parametrize("mode", sorted(MODES.keys() - {"apart"}))
def test_a_program_without_the_fault_is_the_same_in_every_mode(toy: Rig, mode: str) -> None:
    assert toy.problems(program(toy, "right"), mode) == []


@pytest.mark.parametrize(
    "mode", [pytest.param(mode, marks=[] if mode == COLD else [pytest.mark.thorough]) for mode in sorted(MODES)]
)
def test_a_program_that_crashes_the_plugin_fails_alone(toy: Rig, mode: str) -> None:
    (_, output) = toy.problems(program(toy, "crash"), mode)
    assert "main.py:2: error: INTERNAL ERROR" in output


ENDLESS = """
## Right
```python good
x: int = 1
```
## Endless
```python good
y: int = 1  # here mypy does not come to an end
```
"""


def with_engine(rig: Rig, folder: Path, engine: Engine, *modes: str) -> Rig:
    """Returns the first programs, with another engine in some modes."""
    others = {mode: replace(MODES[mode], engine=engine) for mode in modes}
    return replace(rig, folder=folder, programs=rig.programs[:3], modes={**MODES, **others})


@pytest.mark.thorough
def test_a_program_that_mypy_does_not_finish_fails_alone(tmp_path: Path) -> None:
    def endless(workspace: Workspace, visits: Sequence[Files]) -> list[str]:
        if any("here mypy" in text for files in visits for text in files.values()):
            raise Unfinished("no end after 300 seconds of CPU time: mypy")
        return engines.build(workspace, visits)

    (tmp_path / "cases.md").write_text(ENDLESS, encoding="utf-8")
    rig = Rig(tmp_path / "runs", tuple(read_document(tmp_path / "cases.md")), STALE_PLUGIN)
    rig = with_engine(rig, rig.folder, endless, COLD, "edited")
    for mode in (COLD, "edited"):
        assert rig.problems(program(rig, "right"), mode) == []
        (_, why) = rig.problems(program(rig, "endless"), mode)
        assert "seconds of CPU time" in why


def test_a_mode_that_breaks_down_is_reported_once(toy: Rig, tmp_path: Path) -> None:
    def stuck(*_: object) -> list[str]:
        raise Unfinished("no CPU time used: mypy")

    rig = with_engine(toy, tmp_path, stuck, "warm")
    told, *others = rig.programs
    assert rig.problems(told, "warm") == ["no CPU time used: mypy"]
    for other in others:
        with pytest.raises(NotJudged, match="warm: no CPU time used"):
            rig.problems(other, "warm")


def test_output_that_belongs_to_no_program_is_reported_once(toy: Rig, tmp_path: Path) -> None:
    def chatting(*arguments: Any) -> list[str]:
        return [f"{output}so it is\n" for output in engines.build(*arguments)]

    rig = with_engine(toy, tmp_path, chatting, "warm")
    told, *others = rig.programs
    assert rig.problems(told, "warm")[1:] == ["so it is"]
    assert [rig.problems(other, "warm") for other in others] == [[], []]


@pytest.mark.thorough
def test_workers_that_start_slowly_are_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """mypy itself waits for three seconds."""
    late = "import sys, time\nif any('build_worker' in word for word in sys.orig_argv): time.sleep(4)\n"
    (tmp_path / "sitecustomize.py").write_text(late)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    workspace = Workspace(tmp_path / "tree", tmp_path / "mypy.ini", tmp_path / "cache", patience=1000.0)
    (output,) = engines.build_in_parallel(workspace, [{"main.py": 'x: int = ""\n'}])
    assert output.startswith("main.py:1: error: Incompatible types") and len(output.splitlines()) == 1


def test_marks_are_read_and_cut_off() -> None:
    source = 'x: int = ""  # type: ignore  # E: [a-b] Path.to: it # E: [c]\ny = "# E: [d]"  # N: note\n'
    text, marks = read_marks(source)
    assert text == 'x: int = ""  # type: ignore\ny = "# E: [d]"\n'
    assert marks == (Mark(1, "a-b", "Path.to: it"), Mark(1, "c", ""), Mark(2, None, "note"))


def test_every_error_needs_its_own_mark() -> None:
    report = Report("main.py", 1, "error", "it is wrong", "a")
    assert unmet([Mark(1, "a", ""), Mark(1, "a", "wrong")], [report, report]) == []
    assert len(unmet([Mark(1, "a", "")], [report, report])) == 1
    assert len(unmet([Mark(1, "a", ""), Mark(1, "a", "")], [report])) == 1


@pytest.mark.parametrize(
    ("document", "complaint"),
    [
        ("```python bad\nx = 1\n```\n", "needs a mark"),
        ("```python good\nx = 1  # E: [a]\n```\n", "only a bad block"),
        ("```python bad\nx = 1  # E: a\n```\n", "expected `# E: [code] text`"),
        ("```python bda\nx = 1\n```\n", "unknown words after ```python: bda"),
        ("```python good\nx = = 1\n```\n", "invalid syntax"),
        ("```python good\nx = 1\n", "not closed"),
        ("```python good file=a.py step=2\nx = 1\n```\n", "no block has step=1"),
        ("```python good\n```\n```toml config\nstrict = = true\n```\n", "Invalid value"),
    ],
)
def test_a_document_that_does_not_follow_the_format_is_refused(tmp_path: Path, document: str, complaint: str) -> None:
    path = tmp_path / "wrong.md"
    path.write_text(document, encoding="utf-8")
    with pytest.raises(CaseError, match=r"wrong\.md") as refused:
        read_document(path)
    assert complaint in str(refused.value)
