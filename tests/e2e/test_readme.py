"""The README's examples behave as it says."""

import re
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.e2e.environments import ROOT, run
from tests.rules.cases import GUIDE, read_blocks
from tests.rules.marks import read_marks

BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
TODAY, CORRECTED, EXACT, PYTREE = (text for language, text in BLOCKS if language == "python")
SAID = next(text for language, text in BLOCKS if language == "text")
EXAMPLES = ROOT / "examples"
IMPORTS = TODAY.split("\n\n\n")[0]


@pytest.mark.thorough
def test_mypy_prints_what_the_readme_and_the_guide_quote_and_accepts_the_corrected_program(
    tmp_path: Path, cache_of_the_demo: Path
) -> None:
    (tmp_path / "main.py").write_text(TODAY)
    (tmp_path / "corrected.py").write_text(f"{IMPORTS}\n{CORRECTED}")
    settings = [f"--config-file={EXAMPLES / 'mypy.ini'}", f"--cache-dir={cache_of_the_demo}", "--no-error-summary"]
    page = [block for _, block in read_blocks(GUIDE / "how-it-works.md")]
    program, quoted = (next(block.text for block in page if block.language == name) for name in ("python", "text"))
    (tmp_path / "step.py").write_text(read_marks(program)[0])
    files = ["main.py", "corrected.py", "step.py"]
    said = run(sys.executable, "-m", "mypy", *settings, *files, cwd=tmp_path, check=False)
    assert said.stdout.splitlines() == [*quoted.replace("main.py", "step.py").splitlines(), *SAID.splitlines()]


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
