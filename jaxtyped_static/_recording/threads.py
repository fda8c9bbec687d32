"""What one thread has traced and lowered, until it is known what for."""

from __future__ import annotations

import threading
from types import FrameType
from typing import Final, NamedTuple

from jaxtyped_static._recording.functions import is_operation
from jaxtyped_static._recording.requests import Request
from jaxtyped_static._recording.spans import Spans
from jaxtyped_static_runs.model import Frame, Function, Seconds

_MAX_ORPHANS: Final = 256


class Waiting(NamedTuple):
    """A call that was traced or lowered, and for which nothing was compiled yet."""

    request: Request
    seconds: Seconds


class Settled(NamedTuple):
    """What became of the orphans of a thread.

    Attributes:
        adopted: the seconds that belong to what is compiled next.
        without_program: what nothing followed, each line once.
        lost: the seconds of operations that nothing followed.
    """

    adopted: Seconds
    without_program: tuple[Waiting, ...]
    lost: Seconds


class ThreadState:
    """What happens in one thread.

    Attributes:
        spans: what has ended, so that no second is counted twice.
        begun: when the calls began that JAX looks up now, the outermost first.
        traced: calls that were traced, by the number of the frame that handles them.
        lowering: seconds of lowering for each such frame, until its program is compiled.
        on_disk: whether JAX's cache on disk had what is compiled now.
    """

    def __init__(self) -> None:
        self.spans = Spans()
        self.begun: list[float] = []
        self.traced: dict[int, Waiting] = {}
        self.lowering: dict[int, float] = {}
        self.on_disk: bool | None = None
        self._orphans: list[Waiting] = []

    @property
    def is_full(self) -> bool:
        """Whether so many calls led to no program that they must be settled."""
        return len(self._orphans) > _MAX_ORPHANS

    def flush(self, alive: frozenset[int] = frozenset()) -> Seconds:
        """Sets apart the traces that no program followed: their frames have ended. Returns lowering that is lost."""
        for number in [number for number in self.traced if number not in alive]:
            request, seconds = self.traced.pop(number)
            self.orphan(request, seconds.plus(Seconds(lowering=self.lowering.pop(number, 0.0))))
        ended = [number for number in self.lowering if number not in alive]
        return Seconds(lowering=sum(self.lowering.pop(number) for number in ended))

    def orphan(self, request: Request, seconds: Seconds) -> None:
        """Keeps what was traced or lowered, without the call's values, until it is known what for."""
        self._orphans.append(Waiting(request._replace(entry=None), seconds))

    def settle(self, request: Request | None) -> Settled:
        """Tells what was traced for what is compiled next: the body of a `scan`, or a gradient; None: for nothing."""
        orphans, self._orphans = self._orphans, []
        adopted, lost, left = Seconds(), Seconds(), dict[tuple[Function, Frame | None], Waiting]()
        for one in orphans:
            key = one.request.function, one.request.line
            if request is not None and _is_part_of(one, request):
                adopted = adopted.plus(one.seconds)
            elif request is not None and one.request.lowered is not None:
                self._orphans.append(one)  # It may be compiled later.
            elif is_operation(one.request.function):
                lost = lost.plus(one.seconds)
            else:
                before = left[key].seconds if key in left else Seconds()
                left[key] = Waiting(one.request, before.plus(one.seconds))
        return Settled(adopted, tuple(left.values()), lost)


class Threads(threading.local):
    """The state of the thread that asks; `states` has those of all."""

    def __init__(self, states: list[ThreadState]) -> None:
        self.state = ThreadState()
        states.append(self.state)


def _is_part_of(traced: Waiting, request: Request) -> bool:
    """Returns whether something was traced for a program: itself, a body for a `scan`, operations for a gradient."""
    if request.lowered is not None and traced.request.lowered is request.lowered:
        return True
    if traced.seconds.lowering or request.line not in traced.request.stack:
        return False
    own = traced.request.function
    return is_operation(request.function) or is_operation(own) or own == request.function


def numbers_around(frame: FrameType | None) -> frozenset[int]:
    """Returns the numbers of a frame and of those around it."""
    found = set()
    while frame is not None:
        found.add(id(frame))
        frame = frame.f_back
    return frozenset(found)
