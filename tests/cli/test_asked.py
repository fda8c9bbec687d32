"""What does no harm by itself, and is asked of the whole program: the plugin gives it to the command only."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyped_static_cli.findings.effects import Effect
from jaxtyped_static_cli.findings.program import ProgramUses
from jaxtyped_static_cli.findings.repetition import in_program
from jaxtyped_static_cli.mypy_runs.diagnostics import Diagnostic, Span
from jaxtyped_static_mypy.reach.program import Cause
from jaxtyped_static_mypy.reporting.finding import PLACES, Asked, Finding, Question
from jaxtyped_static_mypy.reporting.harm import Harm
from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

MODEL = "class Model:\n    def __init__(self):\n        self.dt = self.order = 1\n"
ASSIGNED = "from model import Model\n\ndef anneal(model: Model):\n    model.dt = 2\n"
RUN = "def step(): ...\n\nfor _ in range(9):\n    step()\n"


def asked(*questions: Question) -> Effect:
    reported = Finding("jit-bound-method", "keeps", "", (), questions=questions, is_asked=True)
    diagnostic = Diagnostic(Span("model.py", 1, 1, 1, 2), reported.code, "", (), True, reported)
    return Effect(diagnostic, reported, None, "", None)


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


ANALYZERS = """\
class Analyzer:
    def find(self): ...
class Wide(Analyzer):
    def find(self): ...
class Narrow(Analyzer):
    def plot(self):
        for _ in range(9):
            self.find()
"""


def test_a_class_beside_it_calls_the_method_of_the_base(tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text(ANALYZERS)
    program = ProgramUses({"main": tmp_path / "main.py"}, tmp_path)
    causes = {cls: program.runs.of(f"main.{cls}.find") for cls in ("Analyzer", "Wide")}
    assert {cls: running is not None and running.cause is Cause.LOOP for cls, running in causes.items()} == {
        "Analyzer": True,
        "Wide": False,
    }


COMPILED_WHILE_MADE = """\
import jax


class Model:
    def __init__(self, dt: float) -> None:
        self.dt = dt
        self.order = 2
        self.step = jax.jit(self._step)

    def _step(self, y: jax.Array) -> jax.Array:
        return y * self.dt
"""
TRAIN = """\
import model


def main(y):
    made = model.Model(0.1)
    for k in range(9):
        made.step(y)
        made.dt = k
"""


def test_a_method_compiled_while_its_object_is_made_is_one_where_a_module_assigns_what_it_reads(
    tmp_path: Path, cache: str
) -> None:
    def shown() -> list[tuple[str, list[str]]]:
        return [
            (found["harm"], found["notes"])
            for found in findings_of(tmp_path, cache, "--potential", "--select=jit-bound-method")
        ]

    write(tmp_path, {"model.py": COMPILED_WHILE_MADE, "train.py": TRAIN})
    assert shown() == [("wrong", ['train.py:8 assigns "dt": what was compiled before keeps the old value'])]
    write(tmp_path, {"train.py": TRAIN.replace("made.dt", "made.order")})
    assert shown() == []
