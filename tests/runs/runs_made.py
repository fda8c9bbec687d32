"""Runs for the tests of the page."""

from __future__ import annotations

import random
from typing import Final

from jaxtyped_static_runs.model import Frame, Function, Preparation, Reason, Run, Seconds, What

HOSTILE: Final = "</script><img src=x onerror=alert(1)>"

STEP: Final = Function("step", "train.py", 7, "jit")
LOAD: Final = Function("load", "data.py", 3, "jit")
ADD: Final = Function("add")
USER: Final = Frame("train.py", 12, "main")
LIBRARY: Final = Frame("/lib/site-packages/optax/update.py", 4, "apply", is_library=True)

SMALL: Final = Run(
    program="train.py --steps 3",
    seconds=10.0,
    ended="ValueError",
    versions={"jax": "0.7.2"},
    started="2026-01-31T12:00:00+00:00",
    folder="/home/me",
    preparations=(
        Preparation(0, STEP, What.FIRST, 1.0, Seconds(0.1, 0.2, 0.3), (LIBRARY, USER)),
        Preparation(
            1, STEP, What.AGAIN, 3.0, Seconds(0.1, 0.2, 1.0), (USER,), (Reason("n", "1 → 2", "jit-retrace"),), 0
        ),
        Preparation(2, LOAD, What.FIRST, 4.0, Seconds(0.1, 0.1, 0.1), (USER,), on_disk=True, thread="loader"),
        Preparation(3, ADD, What.OPERATION, 5.0, Seconds(0.0, 0.0, 0.1), (USER,)),
        Preparation(4, LOAD, What.TRACED, 6.0, Seconds(0.1), (USER,)),
    ),
    not_attributed=Seconds(0.0, 0.0, 0.5),
    not_listed=7,
    unknown=("the arguments of pmap",),
)


def made(events: int, functions: int) -> Run:
    """A run with so many events, the same each time."""
    chance = random.Random(1)
    known = [Function(f"step_{number}", f"part_{number % 7}.py", number + 1, "jit") for number in range(functions)]
    stacks = [(Frame("loop.py", line, "epoch"), Frame("train.py", 9, "<module>")) for line in range(1, 40)]
    preparations, at, seen = [], 1.0, set()
    for number in range(events):
        function = chance.choice(known) if chance.random() < 0.6 else ADD
        what = What.OPERATION if function is ADD else What.AGAIN if function in seen else What.FIRST
        reasons = (Reason("x", f"float32[{number}] → float32[{number + 1}]"),) if what is What.AGAIN else ()
        seconds = Seconds(0.01, 0.02, chance.random() / 5)
        at += seconds.total + chance.random() / 50
        preparations.append(Preparation(number, function, what, at, seconds, chance.choice(stacks), reasons))
        seen.add(function)
    return Run("train.py", at * 1.2, "exit 0", {"jax": "0.7.2"}, preparations=tuple(preparations))


def hostile() -> Run:
    """A run in which every text is hostile."""
    function = Function(HOSTILE, HOSTILE, 1, HOSTILE)
    stack = (Frame(HOSTILE, 1, HOSTILE), Frame(HOSTILE, 2, HOSTILE, is_library=True))
    reasons = (Reason(HOSTILE, "{{script}} <!--" + HOSTILE, HOSTILE),)
    kinds = [What.FIRST, What.AGAIN, What.OPERATION, What.TRACED]
    preparations = tuple(
        Preparation(number, function, what, 1.0, Seconds(0.1), stack, reasons, 0, True, HOSTILE)
        for number, what in enumerate(kinds)
    )
    return Run(
        HOSTILE,
        2.0,
        HOSTILE,
        {HOSTILE: HOSTILE},
        started=HOSTILE,
        folder=HOSTILE,
        preparations=preparations,
        unknown=(HOSTILE,),
    )
