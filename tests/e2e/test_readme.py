"""The README's examples behave as it says."""

import re
import sys
from html import unescape
from pathlib import Path
from textwrap import dedent

import pytest

from tests.e2e.environments import ROOT, run

BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
TODAY, CORRECTED, EXACT, PYTREE = (text for language, text in BLOCKS if language == "python")
SHELL = [text for language, text in BLOCKS if language == "sh"]
(PRINTED,) = (text for language, text in BLOCKS if language == "text")
COMMAND = ["check", "main.py"]
LEFT_OUT = "[...]"


def checked(program: str, folder: Path, cache: Path) -> str:
    """Returns what the command prints about a program."""
    (folder / "main.py").write_text(program)
    options = [f"--python={sys.executable}", f"--cache-dir={cache}"]
    return run(sys.executable, "-m", "jaxtyped_static_mypy", *COMMAND, *options, cwd=folder, check=False).stdout


def drawn(picture: Path) -> list[str]:
    """The lines of text in a picture that rich made."""
    rows: dict[float, list[tuple[float, str]]] = {}
    for x, y, text in re.findall(
        r'<text class="check-r\d+" x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>', picture.read_text("utf-8")
    ):
        rows.setdefault(float(y), []).append((float(x), unescape(text).replace("\xa0", " ")))
    return ["".join(text for _, text in sorted(rows[y])).rstrip() for y in sorted(rows)]


@pytest.mark.thorough
def test_the_command_prints_the_text(tmp_path: Path, cache_of_the_demo: Path) -> None:
    assert f"jaxtyped-static {' '.join(COMMAND)} " in SHELL[0]
    said = checked(TODAY, tmp_path, cache_of_the_demo)
    shown = ".*".join(map(re.escape, PRINTED.split(LEFT_OUT)))
    assert re.fullmatch(shown, said, re.DOTALL), said


@pytest.mark.thorough
def test_the_corrected_program_is_accepted(tmp_path: Path, cache_of_the_demo: Path) -> None:
    said = checked(CORRECTED, tmp_path, cache_of_the_demo)
    assert said.startswith("Nothing found"), said


@pytest.mark.thorough
def test_the_picture_shows_what_the_command_prints(tmp_path: Path, cache_of_the_demo: Path) -> None:
    said = checked(TODAY, tmp_path, cache_of_the_demo)
    command, *lines = drawn(ROOT / "docs" / "picture.svg")
    assert command == f"$ jaxtyped-static {' '.join(COMMAND)}"
    assert " ".join(lines).split() == " ".join(said.splitlines()[:-1]).split()  # the picture wraps long lines


@pytest.mark.thorough
def test_the_numbers_in_the_comments_are_those_of_jax(tmp_path: Path) -> None:
    calls = re.compile(r"^(step\(.*\))  # ([\d.]+).*$", re.MULTILINE)
    program = calls.sub(r"assert abs(\1 - \2) < 1e-6", TODAY)
    assert program.count("assert") == 2
    run(sys.executable, "-c", program, cwd=tmp_path)


def test_static_classes_behave_as_the_comments_say(tmp_path: Path) -> None:
    definition, examples = EXACT.rstrip().rsplit("\n\n\n", 1)
    program = [definition]
    for line in examples.splitlines():
        call, _, said = line.partition("  # ")
        if said in ("True", "False"):
            program.append(f"assert ({call}) == {said}")
        else:
            error, _, message = said.partition(": ")
            program.append(f"try: {call}\nexcept Exception as error: said = type(error).__name__, str(error)")
            program.append(f"assert said == {(error, message)!r}, said")
    assert len(program) == 5
    run(sys.executable, "-c", "\n".join(program), cwd=tmp_path)


@pytest.mark.thorough
def test_a_pytree_is_retraced_for_the_quoted_reason(tmp_path: Path) -> None:
    calls = """
    from jaxtyped_static import explain, guard
    from jaxtyped_static.testing import assert_max_traces
    y = jax.numpy.ones(2)
    step = jit(State.energy.__wrapped__)
    with guard(), assert_max_traces(step, 2), explain(step) as why:
        assert step(State(y, Solver(0.1))) == 2
        step(State(y, Solver(0.5)))
    assert "solver.dt: 0.1 → 0.5" in str(why), why
    """
    definition = EXACT.rstrip().rsplit("\n\n\n", 1)[0]
    run(sys.executable, "-c", "\n".join([definition, PYTREE, dedent(calls)]), cwd=tmp_path)
