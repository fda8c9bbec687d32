"""Puts together what JAX reports: a call that is traced, then the seconds of lowering and compiling for it."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, Final, NamedTuple

from jaxtyped_static._calls.watching import Call, Observer, start_watching, stop_watching
from jaxtyped_static._recording import jax_names
from jaxtyped_static._recording.functions import is_operation
from jaxtyped_static._recording.jax_names import Caller, Listeners, caller_of, frame_outside_of_jax
from jaxtyped_static._recording.known_programs import Found, KnownPrograms
from jaxtyped_static._recording.requests import Request, Requests
from jaxtyped_static._recording.spans import Spans
from jaxtyped_static._recording.stacks import Places
from jaxtyped_static._recording.verifying import Verification
from jaxtyped_static_runs.journal import Journal
from jaxtyped_static_runs.model import Frame, Function, Preparation, Reason, Run, Seconds, Verified, What
from jaxtyped_static_runs.passes import Passes

_MAX_LISTED: Final = 20_000
_MAX_ORPHANS: Final = 256


class _Traced(NamedTuple):
    """A call that was traced, and for which nothing was compiled yet."""

    request: Request
    seconds: Seconds


class _State:
    """What happens in one thread.

    Attributes:
        spans: what has ended, so that no second is counted twice.
        begun: when the calls began that JAX looks up now, the outermost first.
        traced: calls that were traced, by the number of the frame that handles them.
        lowering: seconds of lowering for each such frame, until its program is compiled.
        orphans: calls that were traced, and whose frames have ended: for what is compiled next, or for nothing.
        on_disk: whether JAX's cache on disk had what is compiled now.
    """

    def __init__(self) -> None:
        self.spans = Spans()
        self.begun: list[float] = []
        self.traced: dict[int, _Traced] = {}
        self.lowering: dict[int, float] = {}
        self.orphans: list[_Traced] = []
        self.on_disk: bool | None = None


class _Thread(threading.local):
    """The state of the thread that asks; `states` has those of all."""

    def __init__(self, states: list[_State]) -> None:
        self.state = _State()
        states.append(self.state)


class Recorder(Observer):
    """Records what JAX prepares in this process, in all threads, from `start` to `stop`.

    Attributes:
        verification: remembers every traced program, to trace it again; None if that is not asked for.
        asked: called before a traced program is compiled; what it raises, the call raises instead.
    """

    sees_hits = False

    def __init__(
        self, places: Places, journal: Journal | None = None, passes: Passes | None = None, *, began: float = 0.0
    ) -> None:
        self._requests = Requests(places)
        self._journal = journal
        self._passes = passes
        self._lock = threading.RLock()
        self._states: list[_State] = []
        self._local = _Thread(self._states)
        self._known = KnownPrograms()
        self._seen: set[Function] = set()
        self._preparations: list[Preparation] = []
        self._not_attributed = Seconds()
        self._not_listed = 0
        self._began = began or time.time()
        self._watches = False
        self._verified: Verified | None = None
        self._listeners = Listeners(self._spent, self._happened)
        self._end_listening: Callable[[], None] = lambda: None
        self._unknown: list[str] = []
        self.verification: Verification | None = None
        self.asked: Callable[[Request, tuple[Reason, ...]], None] | None = None

    @property
    def _thread(self) -> _State:
        return self._local.state

    @property
    def is_listening(self) -> bool:
        """Whether JAX still reports its events: a program can remove all listeners."""
        return jax_names.is_listening(self._listeners)

    @property
    def step(self) -> int | None:
        """How often the line has run that begins a step; None if there is none."""
        return None if self._passes is None else self._passes.count

    def start(self) -> None:
        """Begins to record."""
        self._end_listening = jax_names.listen(self._listeners)
        try:
            start_watching(self)
            self._watches = True
        except RuntimeError as error:
            self._unknown.append(f"the seconds of tracing: {error}")

    def stop(self, ended: str) -> None:
        """Ends recording; `ended` says how the program did."""
        if not self.is_listening:
            self._unknown.append("what was compiled after the program had removed all listeners of jax.monitoring")
        spent = time.time() - self._began
        self._end_listening()
        if self._watches:
            stop_watching(self)
        for state in list(self._states):
            self._flush(state, alive=frozenset())
            self._adopt(state, None)
        self._known.forget()
        if self.verification is not None:
            self._verified = self.verification.verify()
        with self._lock:
            if (verified := self._verified) is not None:
                self._write(lambda journal: journal.verified(verified))
            rest = self._not_attributed, self._not_listed, self._unknown
            self._write(lambda journal: journal.end(ended, spent, *rest))

    def _write(self, what: Callable[[Journal], None]) -> None:
        """Writes to the file; a disk that is full must not stop the program."""
        if self._journal is None:
            return
        try:
            what(self._journal)
        except (OSError, ValueError) as error:
            self._journal = None
            self._unknown.append(f"the run in a file: {error}")

    def run(self, header: dict[str, Any], ended: str) -> Run:
        """Returns what was recorded so far."""
        with self._lock:
            return Run(
                **header,
                seconds=time.time() - self._began,
                ended=ended,
                preparations=tuple(self._preparations),
                not_attributed=self._not_attributed,
                not_listed=self._not_listed,
                verified=self._verified,
                unknown=tuple(self._unknown),
            )

    def forget(self) -> None:
        """Begins anew in a process that was forked."""
        self._lock = threading.RLock()
        self._states = []
        self._local = _Thread(self._states)
        self._known, self._seen, self._preparations = KnownPrograms(), set(), []
        self._not_attributed, self._not_listed, self._began = Seconds(), 0, time.time()
        if self._journal is not None:
            self._journal.begin_again()

    # What JAX reports

    def before(self, call: Call) -> None:
        """See `Observer`. A frame looks up one call: what is known of its number is of one that has ended."""
        thread = self._thread
        if not thread.begun and (thread.traced or thread.lowering):
            self._flush(thread, _numbers_around(frame_outside_of_jax(sys._getframe(1))))
        thread.begun.append(time.time())

    def after(self, call: Call, *, traced: bool, failed: bool) -> None:
        """See `Observer`. Only an outermost trace is a span: those inside of it are part of its seconds."""
        begun = self._thread.begun.pop()
        if not traced or self._thread.begun:
            return
        seconds = self._thread.spans.end(begun, time.time())
        try:
            frame = sys._getframe(1)
            caller = caller_of(frame) or Caller(frame, call.fun)
            info = caller.info or call
            compiles = caller.made_by != "lower"
            caller = caller._replace(fun=call.fun, args=call.args, kwargs=call.kwargs, made_by="jit", info=info)
            request = self._requests.of(caller, ahead_of_time=not compiles)
            self._thread.traced[id(caller.frame)] = _Traced(request, Seconds(tracing=seconds))
        except Exception:
            self._lose(Seconds(tracing=seconds))
            return
        if compiles and not failed and self.verification is not None and not is_operation(request.function):
            self.verification.add(request.function, call)
        if compiles and not failed and self.asked is not None:
            self.asked(request, self._why(request, traced=True))

    def _spent(self, event: str, seconds: float, **_: Any) -> None:
        """Called by JAX when something has ended that took so many seconds."""
        if event not in (jax_names.LOWERED, jax_names.COMPILED):
            return
        now = time.time()
        spent = self._thread.spans.end(now - seconds, now)
        is_lowering = event == jax_names.LOWERED
        untraced = None
        try:
            caller = caller_of(sys._getframe(1))
            untraced = (self._lowered if is_lowering else self._compiled)(caller, spent)
        except Exception:
            self._lose(Seconds(lowering=spent) if is_lowering else Seconds(compiling=spent))
        if untraced is not None and self.asked is not None:
            self.asked(*untraced)

    def _happened(self, event: str, **_: Any) -> None:
        """Called by JAX when it has looked into its cache on disk."""
        if event in (jax_names.FOUND_ON_DISK, jax_names.NOT_ON_DISK):
            self._thread.on_disk = event == jax_names.FOUND_ON_DISK

    def _lowered(self, caller: Caller | None, spent: float) -> tuple[Request, tuple[Reason, ...]] | None:
        """Keeps the seconds; returns for what, and why, if it was not traced for it, so that nobody was asked."""
        if caller is None:
            self._lose(Seconds(lowering=spent))
            return None
        number = id(caller.frame)
        if caller.made_by == "lower" and number not in self._thread.traced:  # `Traced.lower`
            self._orphan(self._thread, self._requests.of(caller), Seconds(lowering=spent))
        else:
            self._thread.lowering[number] = self._thread.lowering.get(number, 0.0) + spent
            is_asked = self.asked is not None and caller.made_by == "jit" and caller.fun is not None
            if is_asked and number not in self._thread.traced:
                request = self._requests.of(caller)
                return request, self._why(request, traced=False)
        return None

    def _compiled(self, caller: Caller | None, spent: float) -> tuple[Request, tuple[Reason, ...]] | None:
        """Records a program; returns for what, and why, if nobody was asked before: `pmap` in C++ looks up no call."""
        on_disk, self._thread.on_disk = self._thread.on_disk, None
        if caller is None:
            self._lose(Seconds(compiling=spent))
            return None
        number = id(caller.frame)
        if caller.made_by != "jit" and number in self._thread.traced:  # Others look up no call: this one has ended.
            self._orphan(self._thread, *self._thread.traced.pop(number))
        around = caller.frame.f_back if caller.made_by == "lower" else caller.frame
        self._flush(self._thread, _numbers_around(around))
        waiting = self._thread.traced.pop(number, None)
        lowering = self._thread.lowering.pop(number, 0.0)
        request = waiting.request if waiting else self._requests.of(caller)
        seconds = self._adopt(self._thread, request).plus(Seconds(0.0, lowering, spent))
        seconds = seconds.plus(waiting.seconds) if waiting else seconds
        if is_operation(request.function):
            self._add(request, What.OPERATION, seconds, on_disk=on_disk)
            return None
        with self._lock:
            what = What.AGAIN if request.function in self._seen else What.FIRST
            self._seen.add(request.function)
            reasons, like = Found((), None)
            if what is What.AGAIN:
                reasons, like = self._known.why(request, traced=waiting is not None)
            self._known.add(len(self._preparations), request)
            self._add(request, what, seconds, reasons, like, on_disk=on_disk)
            return (request, reasons) if caller.made_by == "pmap" else None

    def _why(self, request: Request, *, traced: bool) -> tuple[Reason, ...]:
        """Returns why a program is compiled."""
        try:
            return self._known.why(request, traced=traced).reasons
        except Exception:  # Code of the program may fail here.
            return ()

    # What becomes of it

    def _flush(self, thread: _State, alive: frozenset[int]) -> None:
        """Sets apart the traces that no program followed: their frames have ended."""
        for number in [number for number in thread.traced if number not in alive]:
            request, seconds = thread.traced.pop(number)
            self._orphan(thread, request, seconds.plus(Seconds(lowering=thread.lowering.pop(number, 0.0))))
        for number in [number for number in thread.lowering if number not in alive]:
            self._lose(Seconds(lowering=thread.lowering.pop(number)))

    def _orphan(self, thread: _State, request: Request, seconds: Seconds) -> None:
        """Keeps what was traced or lowered, without the call's values, until it is known what for."""
        thread.orphans.append(_Traced(request._replace(entry=None), seconds))
        if len(thread.orphans) > _MAX_ORPHANS:
            self._adopt(thread, None)

    def _adopt(self, thread: _State, request: Request | None) -> Seconds:
        """Returns what was spent on what is compiled next: its line traced a `scan`'s body, or a gradient.

        What other lines traced or lowered, nothing followed, as in `eval_shape`. It is recorded, each line once.
        """
        orphans, thread.orphans = thread.orphans, []
        adopted, lost, left = Seconds(), Seconds(), dict[tuple[Function, Frame | None], _Traced]()
        for one in orphans:
            key = one.request.function, one.request.line
            if request is not None and _is_part_of(one, request):
                adopted = adopted.plus(one.seconds)
            elif is_operation(one.request.function):
                lost = lost.plus(one.seconds)
            else:
                before = left[key].seconds if key in left else Seconds()
                left[key] = _Traced(one.request, before.plus(one.seconds))
        for one in left.values():
            self._add(one.request, What.TRACED, one.seconds)
        self._lose(lost)
        return adopted

    def _add(
        self,
        request: Request,
        what: What,
        seconds: Seconds,
        reasons: tuple[Reason, ...] = (),
        like: int | None = None,
        *,
        on_disk: bool | None = None,
    ) -> None:
        with self._lock:
            if len(self._preparations) >= _MAX_LISTED:
                self._not_listed += 1
                self._lose(seconds)
                return
            number, at = len(self._preparations), time.time() - self._began
            rest: tuple[tuple[Frame, ...], tuple[Reason, ...], int | None] = (request.stack, reasons, like)
            found = Preparation(number, request.function, what, at, seconds, *rest, on_disk, _other_thread(), self.step)
            self._preparations.append(found)
            self._write(lambda journal: journal.add(found))

    def _lose(self, seconds: Seconds) -> None:
        with self._lock:
            self._not_attributed = self._not_attributed.plus(seconds)


def _is_part_of(traced: _Traced, request: Request) -> bool:
    """Returns whether something was traced for a program: a body for a `scan`, operations for a gradient."""
    if traced.seconds.lowering or request.line not in traced.request.stack:
        return False
    own = traced.request.function
    return is_operation(request.function) or is_operation(own) or own == request.function


def _numbers_around(frame: FrameType | None) -> frozenset[int]:
    """Returns the numbers of a frame and of those around it."""
    found = set()
    while frame is not None:
        found.add(id(frame))
        frame = frame.f_back
    return frozenset(found)


def _other_thread() -> str:
    thread = threading.current_thread()
    return "" if thread is threading.main_thread() else thread.name
