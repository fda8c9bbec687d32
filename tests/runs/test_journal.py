"""The file of a run: what is written is read again, and what is damaged is said to be."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtyped_static_runs.files import latest, make_folder, new_file
from jaxtyped_static_runs.journal import SCHEMA, JournalError, read_run, run_in, write_run
from jaxtyped_static_runs.model import Frame, Function, Preparation, Reason, Run, Seconds, What
from tests.runs.runs_made import SMALL

TEXT = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), max_size=12)  # printable
NUMBERS = st.integers(0, 10**6)
SECONDS = st.builds(Seconds, *[st.integers(0, 10**9).map(lambda number: number / 10**6)] * 3)
FRAMES = st.builds(Frame, TEXT, NUMBERS, TEXT, st.booleans())
FUNCTIONS = st.builds(Function, TEXT, TEXT, NUMBERS, TEXT, st.booleans(), NUMBERS)


@st.composite
def runs(draw: st.DrawFn) -> Run:
    """Runs of any size, in which functions and stacks repeat."""
    functions, stacks = draw(st.lists(FUNCTIONS, min_size=1)), draw(st.lists(st.lists(FRAMES), min_size=1))
    preparations = [
        Preparation(
            number,
            draw(st.sampled_from(functions)),
            draw(st.sampled_from(What)),
            number / 8,
            draw(SECONDS),
            tuple(draw(st.sampled_from(stacks))),
            tuple(draw(st.lists(st.builds(Reason, TEXT, TEXT, st.none() | TEXT), max_size=2))),
            draw(st.none() | NUMBERS),
            draw(st.none() | st.booleans()),
            draw(TEXT),
        )
        for number in range(draw(st.integers(0, 6)))
    ]
    return Run(
        program=draw(TEXT),
        seconds=2.5,
        ended=draw(TEXT),
        versions=draw(st.dictionaries(TEXT, TEXT, max_size=2)),
        started=draw(TEXT),
        folder=draw(TEXT),
        preparations=tuple(preparations),
        not_attributed=draw(SECONDS),
        not_listed=draw(NUMBERS),
        unknown=tuple(draw(st.lists(TEXT))),
    )


def written(run: Run) -> list[str]:
    target = StringIO()
    write_run(run, target)
    return target.getvalue().splitlines()


@given(runs())
def test_what_is_written_is_read_again(run: Run) -> None:
    assert run_in(written(run), "a file") == run


def test_stacks_and_functions_are_written_once() -> None:
    many = Run("p", 1.0, "exit 0", {}, preparations=SMALL.preparations[:1] * 100)
    lines = written(many)
    assert sum("stack" in json.loads(line) and "is" in json.loads(line) for line in lines) == 1
    assert max(map(len, lines[5:])) < 120


def test_a_killed_process_leaves_what_it_had_prepared() -> None:
    """The last line may be cut where the process was killed."""
    *lines, last, _ = written(SMALL)
    run = run_in([*lines, last[:20]], "a file")
    assert run.preparations == SMALL.preparations[:-1]
    assert (run.ended, run.seconds) == ("killed", SMALL.preparations[-2].at)


def test_lines_of_an_unknown_kind_are_skipped() -> None:
    lines = written(SMALL)
    assert run_in([lines[0], '{"later": 1}', *lines[1:]], "a file") == SMALL


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("no JSON", "is not the file of a run"),
        ('{"findings": []}', "is not the file of a run"),
        (json.dumps({"run": SCHEMA + 1}), "is of a newer version"),
        ('{"run": 1, "program": "p"}\n{"prepared": 0, "function": 3}', "is damaged"),
        ('{"run": 1, "program": "p"}\n{"frame": 0, "is": 5}', "is damaged"),
        ('{"run": 1}', "is damaged"),
    ],
)
def test_what_is_no_run_is_an_error_that_names_the_file(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "file.jsonl"
    file.write_text(text)
    with pytest.raises(JournalError, match=said) as caught:
        read_run(file)
    assert str(caught.value).startswith(str(file))


def test_bytes_that_are_no_text_are_an_error(tmp_path: Path) -> None:
    file = tmp_path / "file.jsonl"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(JournalError, match="is not the file of a run"):
        read_run(file)


def test_runs_are_kept_in_a_folder_that_git_ignores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert latest(tmp_path) is None
    file = new_file("my train")
    make_folder(file.parent)
    file.write_text("")
    assert file.name.startswith("my-train-")
    assert (file.parent / ".gitignore").read_text().endswith("*\n")
    assert latest(tmp_path) == file
