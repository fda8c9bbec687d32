"""`jaxtyped-static server`, as an editor talks to it."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests.cli.running import write
from tests.editors.language_server import Editor, Json, Place, applied, editor

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("followed")]

COMMAND: list[str | Path] = [Path(sys.executable).parent / "jaxtyped-static", "server"]
PROGRAM = """\
from dataclasses import dataclass

from jaxtyped_static import Static, jit


@dataclass
class Solver:
    dt: float


@jit
def step(y: float, solver: Static[Solver], sizes: Static[list[int]]) -> float:
    return y


for number in range(3):
    step(1.0, Solver(number), [number])
"""
MENDED = PROGRAM.replace("list[int]", "tuple[int, ...]").replace("[number]", "(number,)")


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Editor]:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user-cache"))
    write(tmp_path / "project", {"main.py": PROGRAM})
    with editor(COMMAND, tmp_path / "project", {}) as started:
        started.open("main.py")
        yield started


def test_what_is_wrong_is_underlined_with_what_shows_it_until_it_is_mended(opened: Editor) -> None:
    reports = opened.diagnostics("main.py")
    shown = next(reports)
    of_class, at_argument, of_list = shown
    assert [one["code"] for one in shown] == ["static-mutable"] * 3
    assert of_class["range"]["start"] == Place.of(PROGRAM, "class |Solver").json
    assert at_argument["range"]["start"] == Place.of(PROGRAM, "float, |solver").json
    assert of_list["range"]["start"] == Place.of(PROGRAM, "], |sizes").json
    assert [one["severity"] for one in shown] == [1, 3, 1]  # the class is the cause, the argument only is affected
    assert at_argument["relatedInformation"][0]["location"]["range"] == of_class["range"]
    assert of_list["codeDescription"]["href"].endswith("static-mutable.md")

    opened.change("main.py", MENDED, 2)
    after = next(reports)
    assert [one["range"] for one in after] == [of_class["range"], at_argument["range"]]


def test_a_quick_fix_mends_what_is_not_saved_yet(opened: Editor) -> None:
    reports = opened.diagnostics("main.py")
    next(reports)
    text = f"# A comment.\n{PROGRAM}"
    opened.change("main.py", text, 2)
    shown = next(reports)
    actions = opened.request(
        "textDocument/codeAction",
        textDocument={"uri": opened.uri("main.py")},
        range=shown[2]["range"],
        context={"diagnostics": shown},
    )
    fix, silence = actions
    assert fix["isPreferred"] and not silence["isPreferred"]
    changed = applied(text, fix["edit"]["changes"][opened.uri("main.py")])
    assert changed == text.replace("list[int]", "tuple[int, ...]")
    quiet = applied(text, silence["edit"]["changes"][opened.uri("main.py")])
    opened.change("main.py", quiet, 3)
    assert next(reports) == [], "both errors of that line have this code"


def test_a_list_of_static_parameters_becomes_annotations(opened: Editor) -> None:
    text = """\
from functools import partial

import jax


@partial(jax.jit, static_argnames=("n",))
def repeat(x: jax.Array, n: int) -> jax.Array:
    return x * n


@partial(jax.jit, static_argnames=("n",))
def other(x: jax.Array, n: int) -> jax.Array:
    return x + n


total = jax.jit(lambda x, n: x, static_argnames="n")
"""
    reports = opened.diagnostics("main.py")
    next(reports)
    opened.change("main.py", text, 2)

    def actions(marked: str) -> list[Json]:
        at = Place.of(text, marked).json
        found: list[Json] = opened.request(
            "textDocument/codeAction",
            textDocument={"uri": opened.uri("main.py")},
            range={"start": at, "end": at},
            context={"diagnostics": [], "only": ["refactor"]},
        )
        return found

    assert actions("return x |* n") == [] == actions("total = |jax"), "a lambda has no annotations"
    (action,) = actions("def re|peat")
    assert action["title"] == "mark n as Static[...] in the signature"
    command = action["command"]
    opened.request("workspace/executeCommand", command=command["command"], arguments=command["arguments"])
    changed = applied(text, opened.edits("main.py"))
    assert "@jit\ndef repeat(x: jax.Array, n: Static[int])" in changed
    rest = text[text.index("@partial", text.index("return")) :]
    assert changed.endswith(rest), "the others stay as they are"


def test_an_error_of_syntax_shows_nothing_and_the_next_text_is_checked(opened: Editor) -> None:
    reports = opened.diagnostics("main.py")
    assert len(next(reports)) == 3
    opened.change("main.py", f"{PROGRAM}(", 2)
    assert next(reports) == []
    opened.change("main.py", PROGRAM, 3)
    assert len(next(reports)) == 3


def test_it_recovers_when_its_worker_is_killed(opened: Editor) -> None:
    reports = opened.diagnostics("main.py")
    next(reports)
    workers = [one for one in psutil.Process(opened.pid).children() if "jaxtyped_static_server.worker" in one.cmdline()]
    for worker in workers:
        worker.send_signal(signal.SIGKILL)
    time.sleep(0.2)
    opened.change("main.py", MENDED, 2)
    assert workers and any(len(shown) == 2 for shown in reports)


def test_a_file_that_changes_on_the_disk_is_checked_again(opened: Editor, tmp_path: Path) -> None:
    other = tmp_path / "project" / "solvers.py"
    text = PROGRAM.replace("@dataclass\nclass Solver:\n    dt: float\n", "from solvers import Solver\n")
    other.write_text("from dataclasses import dataclass\n\n\n@dataclass\nclass Solver:\n    dt: float\n")
    reports = opened.diagnostics("main.py")
    next(reports)
    opened.change("main.py", text, 2)
    assert len(next(reports)) == 2
    other.write_text(other.read_text().replace("@dataclass", "@dataclass(frozen=True)"))
    assert len(next(reports)) == 1


def test_hover_hints_and_lenses_say_what_is_static(opened: Editor) -> None:
    def hover() -> Json:
        return opened.request("textDocument/hover", **opened.at("main.py", Place.of(PROGRAM, "def st|ep(")))

    text = eventually(hover)["contents"]["value"]
    assert "- static: `solver: Solver`, `sizes: list[int]`" in text and "- dynamic: `y: float`" in text
    document = {"uri": opened.uri("main.py")}
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    hints = opened.request("textDocument/inlayHint", textDocument=document, range=everything)
    assert [hint["position"] for hint in hints] == [
        Place.of(PROGRAM, "(1.0, |Solver").json,  # the parameters say it themselves
        Place.of(PROGRAM, "), |[number]").json,
    ]
    (lens,) = opened.request("textDocument/codeLens", textDocument=document)
    assert lens["command"]["title"] == "1 caller"


def eventually(ask: Callable[[], Json]) -> Json:
    while not (answer := ask()):
        time.sleep(0.3)
    return answer


def test_a_text_that_nobody_has_saved_is_checked(opened: Editor) -> None:
    uri = "untitled:Untitled-1"
    document = {"uri": uri, "languageId": "python", "version": 1, "text": PROGRAM}
    opened.notify("textDocument/didOpen", textDocument=document)
    assert any(len(shown) == 3 for shown in opened.diagnostics_at(uri))


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_it_ends_with_the_editor(opened: Editor) -> None:
    next(opened.diagnostics("main.py"))
    processes = psutil.Process(opened.pid).children(recursive=True)
    opened.request("shutdown")
    opened.notify("exit")
    _, alive = psutil.wait_procs([psutil.Process(opened.pid), *processes], timeout=20)
    assert alive == []
