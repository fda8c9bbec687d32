"""What does no harm by itself, and is asked of the whole program: the plugin gives it to the command only."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyped_static_cli.findings.effects import Effect
from jaxtyped_static_cli.findings.program import ProgramUses
from jaxtyped_static_cli.findings.repetition import in_program
from jaxtyped_static_cli.mypy_runs.diagnostics import Diagnostic, Span
from jaxtyped_static_mypy.reporting.finding import PLACES, Asked, Finding, Question
from jaxtyped_static_mypy.reporting.harm import Harm

MODEL = "class Model:\n    def __init__(self):\n        self.dt = self.order = 1\n"
ASSIGNED = "from model import Model\n\ndef anneal(model: Model):\n    model.dt = 2\n"
RUN = "def step(): ...\n\nfor _ in range(9):\n    step()\n"


def asked(*questions: Question) -> Effect:
    reported = Finding("jit-bound-method", "keeps", "", (), questions=questions, is_asked=True)
    diagnostic = Diagnostic(Span("model.py", 1, 1, 1, 2), reported.code, "", (), True, reported)
    return Effect(diagnostic, reported, None, "")


def question(about: Asked, name: str, among: tuple[str, ...] = (), shows: Harm | None = Harm.WRONG) -> Question:
    return Question(about, name, "label", f"because {PLACES}", among, shows)


@pytest.mark.parametrize(
    ("questions", "is_shown"),
    [
        ([], False),
        ([question(Asked.ASSIGNED, "model.Model", ("dt",))], True),
        ([question(Asked.ASSIGNED, "model.Model", ("order",))], False),
        ([question(Asked.ASSIGNED, "model.Model", ("order",)), question(Asked.ASSIGNED, "model.Model")], True),
        ([question(Asked.ASSIGNED, "model.Model", ("dt",), None)], False),  # what would refuse it does no harm
        ([question(Asked.CHANGED, "model.Model", ("dt",))], False),
        ([question(Asked.RUNS_AGAIN, "run.step")], True),
        ([question(Asked.RUNS_AGAIN, "model.Model.__init__")], False),
        ([question(Asked.RUNS_AGAIN, "elsewhere.step")], False),
    ],
)
def test_it_is_one_if_the_program_answers_a_question(questions: list[Question], is_shown: bool, tmp_path: Path) -> None:
    files = {"model": MODEL, "train": ASSIGNED, "run": RUN}
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    program = ProgramUses({name: tmp_path / f"{name}.py" for name in files}, tmp_path)
    assert bool([*in_program([asked(*questions)], program)]) is is_shown


def test_the_answer_is_its_evidence(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text(RUN)
    program = ProgramUses({"run": tmp_path / "run.py"}, tmp_path)
    (effect,) = in_program([asked(question(Asked.RUNS_AGAIN, "run.step"))], program)
    assert effect.diagnostic.notes == ("because run.py:4 calls it in a loop",)
    assert [(shown.file, shown.line) for shown in effect.reported.evidence] == [("run.py", 4)]
