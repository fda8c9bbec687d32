"""The parts of the language server that need no server."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtyped_static_cli.mypy_runs.diagnostics import Span
from jaxtyped_static_server.edits import text_edits
from jaxtyped_static_server.hints import hints
from jaxtyped_static_server.places import Places, overlaps
from jaxtyped_static_server.settings import Settings
from jaxtyped_static_server.silencing import silenced
from jaxtyped_static_server.words_at import word_at
from tests.editors.language_server import applied

SILENCED = {
    "x = f(y)\n": "x = f(y)  # type: ignore[jit-self]\n",
    "x = f(y)  # why\n": "x = f(y)  # type: ignore[jit-self]  # why\n",
    "x = f('#')": "x = f('#')  # type: ignore[jit-self]",
    "x = f(y)\r\n": "x = f(y)  # type: ignore[jit-self]\r\n",
    "x = f(y)  # type: ignore[attr-defined]\n": "x = f(y)  # type: ignore[attr-defined, jit-self]\n",
    "x = f(y)  # type: ignore[jit-self]\n": None,
    "x = f(y)  # type: ignore\n": None,
    "x = f(y) \\\n    + 1\n": None,
    'x = """\n"""\n': None,
}


@pytest.mark.parametrize("text", SILENCED)
def test_the_comment_that_silences_a_line_is_put_where_mypy_reads_it(text: str) -> None:
    assert silenced(text, 1, "jit-self") == SILENCED[text]


lines = st.lists(st.sampled_from(["a\n", "b\n", "\n", "c\x0c\n", "d\r\n", "é\n"]), max_size=8).map("".join)


@given(before=lines, after=lines)
def test_edits_make_one_text_of_the_other(before: str, after: str) -> None:
    edits = text_edits(before, after)
    assert applied_by_lines(before, edits) == after


def applied_by_lines(text: str, edits: list[object]) -> str:
    return applied(text.replace("\x0c", "\0"), edits).replace("\0", "\x0c")  # `splitlines` splits at a form feed


@pytest.mark.parametrize(("unit", "column"), [("utf-8", 14), ("utf-16", 10), ("utf-32", 9)])
def test_columns_are_counted_as_the_editor_counts(tmp_path: Path, unit: str, column: int) -> None:
    (tmp_path / "main.py").write_text('f("é𝄞é", x)\n', encoding="utf-8")
    at = len('f("é𝄞é", '.encode()) + 1
    start = Places(tmp_path, unit).range(Span("main.py", 1, at, 1, at + 1))["start"]
    assert start == {"line": 0, "character": column}
    assert word_at('f("é𝄞é", x)\n', 0, start["character"], unit) == "x"


def test_a_cursor_at_the_end_of_a_range_is_in_it() -> None:
    at = {"line": 3, "character": 4}
    assert overlaps({"start": {"line": 3, "character": 0}, "end": at}, {"start": at, "end": at})
    assert not overlaps(
        {"start": {"line": 1, "character": 0}, "end": {"line": 2, "character": 9}}, {"start": at, "end": at}
    )


def test_settings_of_a_wrong_type_keep_their_default() -> None:
    read = Settings.read(
        {"jaxtypedStatic": {"potential": True, "hover": "no", "workspaceDiagnostics": True, "more": 1}}
    )
    assert read == Settings(potential=True, workspace_diagnostics=True)
    assert Settings.read(None) == Settings() == Settings.read([])


PROGRAM = """\
@partial(jax.jit, static_argnames="sizes")
def step(y, sizes, n: Static[int] = 3):
    return y

def main():
    step(ones(3), (1,
        2), n=4)
"""
STEP = {
    "name": "step",
    "path": "main.py",
    "line": 40,  # as it was before an edit
    "parameters": [
        {"name": "y", "role": "dynamic", "type": "Any"},
        {"name": "sizes", "role": "static", "type": "tuple[int, ...]"},
        {"name": "n", "role": "static", "type": "int"},
    ],
}
CALL = {
    "scope": "main",
    "line": 44,
    "static": [
        {"name": "sizes", "value": "(1, 2)", "type": "tuple[int, ...]"},
        {"name": "n", "value": "4", "type": "int"},
    ],
}


def test_hints_are_where_the_text_is_now() -> None:
    shown = hints(PROGRAM, [STEP], [(STEP, CALL)], "utf-16")
    assert [tuple(hint["position"].values()) for hint in shown] == [(1, 12), (5, 18), (6, 12)]
    assert hints(PROGRAM + "(", [STEP], [(STEP, CALL)], "utf-16") == [], "while it cannot be read"
    assert hints(PROGRAM.replace("n=4", "n=5"), [], [(STEP, CALL)], "utf-16") == [], "another call"
