"""In an editor with `pylsp`: errors at the argument, fixes for them, and what is static on hover."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxtyped_static_pylsp.hover import added
from tests.editors.language_server import Editor, Json, Place, applied, editor
from tests.plugin.running import LIGHT

pytestmark = pytest.mark.thorough

BIN = Path(sys.executable).parent
SETTINGS = f"""
[tool.mypy]
plugins = ["jaxtyped_static_mypy"]
mypy_path = ["{LIGHT}"]

[tool.pylsp-mypy]
live_mode = false
"""
PROGRAM = """\
from dataclasses import dataclass

from jaxtyped_static import Static, jit


@dataclass(eq=False)
class Solver:
    dt: float


@jit
def step(y: float, solver: Static[Solver]) -> float:
    return y
"""


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Editor]:
    monkeypatch.setenv("PATH", f"{BIN}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    (tmp_path / "main.py").write_text(PROGRAM)
    with editor([BIN / "pylsp"], tmp_path, {"pylsp": {}}) as started:
        started.open("main.py")
        yield started


def test_an_error_is_underlined_at_the_argument_until_a_quick_fix_mends_it(opened: Editor) -> None:
    reports = opened.diagnostics("main.py")
    shown = next(reports)
    errors = {report["code"]: report for report in shown if report.get("code")}
    assert set(errors) == {"static-mutable"}  # with what else is wrong with the class
    place = errors["static-mutable"]["range"]
    assert place["start"] == Place.of(PROGRAM, "float, |solver").json

    text, version = PROGRAM, 2
    while shown:
        ours = actions_for(opened, place, shown)
        assert all(action["isPreferred"] == ("(unsafe: " not in action["title"]) for action in ours)
        mending = min(ours, key=lambda action: not action["isPreferred"])
        text = applied(text, mending["edit"]["changes"][opened.uri("main.py")])
        opened.save("main.py", text, version)
        shown, version = next(reports), version + 1
    assert text == PROGRAM.replace("eq=False", "frozen=True")


def actions_for(opened: Editor, place: Json, shown: Json) -> list[Json]:
    """The fixes at a place, as soon as the check in the background has reported the errors that are shown."""
    while True:
        actions = opened.request(
            "textDocument/codeAction",
            textDocument={"uri": opened.uri("main.py")},
            range=place,
            context={"diagnostics": shown},
        )
        ours = [action for action in actions if action["title"].startswith("static-")]  # others ignore the error
        if ours:
            return ours
        time.sleep(0.5)


def test_hover_says_what_is_static_and_why(opened: Editor) -> None:
    function = hover_with(opened, Place.of(PROGRAM, "def st|ep("))
    assert "- static: `solver: Solver`" in function
    assert "- dynamic: `y: float`" in function
    assert "static-mutable" in function
    assert "step(y: float" in function, "what other plugins show is still there"
    assert "parameter `solver` of `step`" in hover_with(opened, Place.of(PROGRAM, "class Sol|ver"))


def hover_with(opened: Editor, place: Place) -> str:
    """The hover at a place, as soon as what is known of the program is there."""
    while True:
        text = str(opened.request("textDocument/hover", **opened.at("main.py", place))["contents"]["value"])
        if "jaxtyped-static" in text:
            return text
        time.sleep(0.5)


def test_hover_is_plain_text_in_an_editor_that_shows_no_markdown() -> None:
    shown = added({"contents": {"kind": "plaintext", "value": "step(y)"}}, "**jaxtyped-static**: compiled by `jax.jit`")
    assert shown["contents"] == {"kind": "plaintext", "value": "step(y)\n\njaxtyped-static: compiled by jax.jit"}
