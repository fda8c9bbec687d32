"""The report on a run, several processes as one, and the comparison of two runs."""

from __future__ import annotations

from dataclasses import replace

from jaxtyped_static_runs.comparing import compared, is_worse
from jaxtyped_static_runs.merging import merged
from jaxtyped_static_runs.model import Frame, Function, Preparation, Reason, Run, Seconds, What
from jaxtyped_static_runs.text import report

STEP = Function("make_step", "train.py", 30, "filter_jit")
LOSS = Function("loss", "train.py", 20, "jit")
ADD, MUL = Function("add"), Function("mul")
CALL, DATA = Frame("train.py", 139, "main"), Frame("train.py", 64, "get_data")
WEAK = "weakly typed float32[] → float32[]"


def prepared(number: int, function: Function, what: What, seconds: float, *reasons: Reason) -> Preparation:
    line = DATA if what is What.OPERATION else CALL
    return Preparation(number, function, what, number + 1.0, Seconds(0.0, 0.0, seconds), (line,), reasons)


RUN = Run(
    "train.py",
    108.0,
    "exit 0",
    {"jax": "0.10.2"},
    preparations=(
        prepared(0, STEP, What.FIRST, 18.0),
        prepared(1, STEP, What.AGAIN, 17.4, Reason("model.scale", WEAK), Reason("opt.scale", WEAK)),
        prepared(2, STEP, What.AGAIN, 12.9, Reason("ti", "float32[10] → float32[100]")),
        prepared(3, LOSS, What.FIRST, 0.5),
        prepared(4, LOSS, What.AGAIN, 0.2, Reason("n", "1 → 2")),
        prepared(5, LOSS, What.AGAIN, 0.3, Reason("n", "2 → 3")),
        prepared(6, ADD, What.OPERATION, 5.0),
        prepared(7, MUL, What.OPERATION, 0.3),
    ),
)


def test_the_report_ranks_by_cost_and_gives_the_reasons() -> None:
    assert report(RUN).splitlines() == [
        "train.py: 108 s, of which JAX spent 54.6 s (51 %) preparing programs: "
        "tracing 0.00 s, lowering 0.00 s, compiling 54.6 s",
        "  compiled for the first time   18.5 s   2 functions",
        "  compiled AGAIN                30.8 s   4 times, 2 functions",
        "  operations outside of jit      5.3 s   2 small programs",
        "Compiled again, by cost",
        " 1.  30.3 s  make_step: 3 programs" + " " * 54 + "train.py:139",
        "       17.4 s  model.scale, opt.scale: weakly typed float32[] → float32[]",
        "       12.9 s  ti: float32[10] → float32[100]",
        " 2.  0.50 s  loss: 3 programs" + " " * 59 + "train.py:139",
        "       0.50 s  n: 2 → 3 (2 times, with other values)",
        "Operations outside of jit, by the line that ran them",
        "      5.3 s  train.py:64 get_data: 2 programs (add 5.0 s, mul)",
    ]


def test_the_report_says_how_the_program_ended_and_what_is_missing() -> None:
    lost = replace(RUN, ended="ValueError", not_attributed=Seconds(0.0, 0.0, 2.0), not_listed=3, unknown=("tracing",))
    text = report(lost)
    assert "train.py: 108 s (ValueError), of which" in text
    assert "not attributed                 2.0 s, with 3 programs beyond the first 8" in text
    assert text.endswith("Not recorded: tracing")
    assert report(replace(RUN, ended="killed")).startswith("train.py: 108 s until its last program (killed), of which")
    assert report(replace(RUN, preparations=())) == "train.py: 108 s; JAX prepared no program"


def test_what_is_not_listed_is_counted_with_its_seconds() -> None:
    lines = report(RUN, most=1).splitlines()
    assert "     0.50 s  ... and 1 more" in lines


def test_processes_are_one_run_with_the_time_of_all() -> None:
    both = merged([RUN, replace(RUN, ended="killed", versions={"jax": "0.10.2", "process": "1 of 2"})])
    assert (both.processes, both.seconds, both.ended) == (2, 216.0, "exit 0, killed")
    assert [one.number for one in both.preparations] == list(range(16))
    assert {one.thread for one in both.preparations} == {"process 0", "1 of 2"}
    assert both.versions == {"jax": "0.10.2"}
    assert merged([RUN]) is RUN


def test_a_run_is_worse_if_something_is_compiled_more_often() -> None:
    """Seconds vary, lines move; a new program for a function does not come by itself."""
    slower = replace(RUN, preparations=tuple(replace(one, seconds=Seconds(9.0)) for one in RUN.preparations))
    moved = replace(
        RUN,
        preparations=tuple(
            replace(one, stack=(Frame("train.py", 65, "get_data"),))
            for one in RUN.preparations
            if one.what is What.OPERATION
        ),
    )
    assert not is_worse(RUN, slower)
    assert not is_worse(RUN, moved)
    more = replace(RUN, preparations=(*RUN.preparations, prepared(8, LOSS, What.AGAIN, 0.1)))
    assert is_worse(RUN, more)
    assert not is_worse(more, RUN)
    assert compared(RUN, more).splitlines()[1:] == ["Compiled more often than before", "     3 → 4    loss in train.py"]
    assert compared(more, RUN).splitlines()[1:] == ["Compiled less often than before", "     4 → 3    loss in train.py"]
    assert compared(RUN, RUN).endswith("The same programs were compiled as before")


def test_names_cannot_break_lines_or_reach_the_terminal() -> None:
    """A thread or an argument may have any name, and a run may have come with somebody's project."""
    odd = replace(RUN, program="train.py \x1b[31m\n::error::\u2028", unknown=("a\rb",))
    lines = report(odd).split("\n")
    assert lines[0].startswith("train.py \\x1b[31m\\n::error::\\u2028: 108 s")
    assert lines[-1] == "Not recorded: a\\rb"


def test_threads_may_prepare_for_longer_than_the_run() -> None:
    assert "JAX spent 54.6 s (in several threads at once)" in report(replace(RUN, seconds=20.0))


def test_reasons_that_say_the_same_are_one_line() -> None:
    paths = ("a.x", "a.y", "a.z", "b")
    group = prepared(1, STEP, What.AGAIN, 2.0, *(Reason(path, WEAK) for path in paths), Reason("n", "1 → 2"))
    lines = report(replace(RUN, preparations=(RUN.preparations[0], group))).splitlines()
    assert f"        2.0 s  a.x, a.y and 2 more: {WEAK}" in lines
    assert f"{'':15}n: 1 → 2" in lines


def test_other_kinds_of_reasons_about_one_argument_are_told_apart() -> None:
    y = (
        "None → float32[3]",
        "float32[3] → float32[4]",
        "float32[4] → float32[5]",
        "left at its default before, by position now",
    )
    group = [prepared(number, LOSS, What.AGAIN, 1.0, Reason("y", says)) for number, says in enumerate(y)]
    text = report(replace(RUN, preparations=tuple(group)))
    assert "y: None → float32[3]\n" in text
    assert "(2 times, with other values)" in text
    assert "left at its default before" in text
