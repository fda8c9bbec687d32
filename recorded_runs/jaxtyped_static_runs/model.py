"""A run of a program, and what JAX prepared in it: what it traced, lowered and compiled, for whom, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import NamedTuple


class Frame(NamedTuple):
    """A line of the program that was running.

    Attributes:
        file: relative to the folder in which the program ran, if it is there.
        line: from 1 on.
        function: its name there.
        is_library: whether it belongs to an installed package rather than to the program.
    """

    file: str
    line: int
    function: str
    is_library: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class What(Enum):
    """What a preparation was."""

    FIRST = "first"  # The first program of a compiled function.
    AGAIN = "again"  # Another program of the same function.
    OPERATION = "operation"  # Outside of jit: one primitive, or a compiled function of JAX's own, such as `jnp.where`.
    TRACED = "traced"  # Traced, but not compiled: `eval_shape`, `lower`, `make_jaxpr`.


class Reason(NamedTuple):
    """Why JAX had no program for a call.

    Attributes:
        path: the argument, and the place in it, as the user knows it: `model.func.out_scale`; may be empty.
        says: the difference from the most similar earlier call: `float32[10] → float32[100]`.
        code: the code of the rule about it; None if there is none.
    """

    path: str
    says: str
    code: str | None = None

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"{where}{self.says}{f'  [{self.code}]' if self.code else ''}"


class Function(NamedTuple):
    """What was prepared: all functions that one `def` or `lambda` made are one.

    Attributes:
        name: as the program calls it.
        file: where it is defined; empty for an operation of JAX.
        line: the line there.
        made_by: what compiles it: `jit`, `filter_jit`, `nnx.jit`, `pmap`; empty for an operation.
        is_library: whether an installed package defines it.
        column: where a lambda's body begins in its line, which may have several; 0 for others.
    """

    name: str
    file: str = ""
    line: int = 0
    made_by: str = ""
    is_library: bool = False
    column: int = 0

    @property
    def place(self) -> str:
        """Where it is defined; empty if that is not known."""
        return f"{self.file}:{self.line}" if self.file else ""


class Seconds(NamedTuple):
    """Time that JAX spent on preparing, in seconds; none of it is counted twice."""

    tracing: float = 0.0
    lowering: float = 0.0
    compiling: float = 0.0

    @property
    def total(self) -> float:
        """All of it."""
        return self.tracing + self.lowering + self.compiling

    def plus(self, other: Seconds) -> Seconds:
        """The sum of the two."""
        return Seconds(*(one + its for one, its in zip(self, other, strict=True)))


@dataclass(frozen=True)
class Preparation:
    """One program that JAX prepared.

    Attributes:
        number: counted from 0 on, in the order in which they ended.
        function: what was prepared.
        what: whether it was the first time.
        at: when it ended, in seconds since the recording began.
        seconds: what it took.
        stack: who asked for it, the innermost line first, without JAX's own.
        reasons: why no earlier program would do; empty for the first.
        like: the number of the earlier preparation that it was compared with.
        on_disk: whether JAX's cache on disk had the program; None if it was not asked.
        thread: the name of the thread, if it is not the main one.
        step: how often the line had run by then that begins a step; None if no line was given.
    """

    number: int
    function: Function
    what: What
    at: float
    seconds: Seconds
    stack: tuple[Frame, ...] = ()
    reasons: tuple[Reason, ...] = ()
    like: int | None = None
    on_disk: bool | None = None
    thread: str = ""
    step: int | None = None

    @property
    def line(self) -> Frame | None:
        """The innermost line of the program itself; of a library, if none is the program's."""
        return next((frame for frame in self.stack if not frame.is_library), self.stack[0] if self.stack else None)

    @property
    def library_line(self) -> Frame | None:
        """The line of a library by which the program came to it; None if the program called JAX itself."""
        return self.stack[0] if self.stack and self.stack[0].is_library else None


class Changed(NamedTuple):
    """A function whose program is another one when it is traced again.

    Attributes:
        function: it.
        is_stale: whether something changed that was compiled in; otherwise each trace makes another program.
        differences: the first of them: `mul b 1.0:f32[] → mul b 4.0:f32[], from train.py:5 (helper)`.
    """

    function: Function
    is_stale: bool
    differences: tuple[str, ...]


class Verified(NamedTuple):
    """What became of tracing the programs of a run again.

    Attributes:
        programs: how many were traced again.
        changed: those that are others now.
        left_out: how many could not be compared: settings differ now, their function raises, or there were too many.
    """

    programs: int
    changed: tuple[Changed, ...] = ()
    left_out: int = 0


@dataclass(frozen=True)
class Run:
    """What one process did; with `merging`, several.

    Attributes:
        program: how it was started: `train.py --steps 10`.
        seconds: how long it ran.
        ended: how: `exit 0`, `ValueError`, `killed`.
        versions: of `jax`, `python` and the platform it ran on.
        started: the time of day at its start, in ISO 8601.
        folder: where it ran; relative files are in it.
        processes: how many processes are counted here.
        preparations: in the order in which they ended.
        not_attributed: what JAX itself reports, less what the preparations add up to.
        not_listed: preparations beyond the limit, which are only counted here.
        steps_from: the line that begins a step: `train.py:139`; empty if none was given.
        verified: what became of tracing everything again; None if that was not asked for.
        unknown: what the recorder cannot tell in this version of JAX, in sentences.
    """

    program: str
    seconds: float
    ended: str
    versions: Mapping[str, str]
    started: str = ""
    folder: str = ""
    processes: int = 1
    preparations: tuple[Preparation, ...] = ()
    not_attributed: Seconds = field(default_factory=Seconds)
    not_listed: int = 0
    steps_from: str = ""
    verified: Verified | None = None
    unknown: tuple[str, ...] = ()

    def path(self, file: str) -> Path:
        """Returns the full path of a file of the program."""
        return Path(self.folder, file)

    @property
    def preparing(self) -> Seconds:
        """What JAX spent on preparing programs."""
        total = self.not_attributed
        for preparation in self.preparations:
            total = total.plus(preparation.seconds)
        return total
