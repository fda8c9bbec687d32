"""Puts together what JAX reports: a call that is traced, then the seconds of lowering and compiling for it."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from typing import Any

from jaxtyped_static._calls.watching import Call, Observer, start_watching, stop_watching
from jaxtyped_static._recording import jax_names
from jaxtyped_static._recording.functions import is_operation
from jaxtyped_static._recording.jax_names import Caller, Listeners, caller_of, frame_outside_of_jax
from jaxtyped_static._recording.known_programs import Found, KnownPrograms
from jaxtyped_static._recording.preparations import Preparations
from jaxtyped_static._recording.requests import Request, Requests
from jaxtyped_static._recording.stacks import Places
from jaxtyped_static._recording.threads import Threads, ThreadState, Waiting, numbers_around
from jaxtyped_static._recording.verifying import Verification
from jaxtyped_static_runs.journal import Journal
from jaxtyped_static_runs.model import Function, Reason, Run, Seconds, What
from jaxtyped_static_runs.passes import Passes


class Recorder(Observer):
    """Records what JAX prepares in this process, in all threads, from `start` to `stop`.

    Attributes:
        verification: remembers every traced program, to trace it again; None if that is not asked for.
        asked: called before a program is compiled; what it raises, the call raises instead.
    """

    sees_hits = False

    def __init__(
        self, places: Places, journal: Journal | None = None, passes: Passes | None = None, *, began: float = 0.0
    ) -> None:
        self.verification: Verification | None = None
        self.asked: Callable[[Request, tuple[Reason, ...]], None] | None = None
        self._preparations = Preparations(journal, passes, began)
        self._requests = Requests(places)
        self._places = places
        self._known = KnownPrograms(places)
        self._seen: set[Function] = set()
        self._states: list[ThreadState] = []
        self._threads = Threads(self._states)
        self._listeners = Listeners(self._spent, self._happened)
        self._end_listening: Callable[[], None] = lambda: None
        self._watches = False

    @property
    def is_listening(self) -> bool:
        """Whether JAX still reports its events: a program can remove all listeners."""
        return jax_names.is_listening(self._listeners)

    @property
    def step(self) -> int | None:
        """How often the line has run that begins a step; None if there is none."""
        return self._preparations.step

    def start(self) -> None:
        """Begins to record."""
        self._end_listening = jax_names.listen(self._listeners)
        try:
            start_watching(self)
            self._watches = True
        except RuntimeError as error:
            self._preparations.unknown.append(f"the seconds of tracing: {error}")

    def stop(self, ended: str) -> None:
        """Ends recording; `ended` says how the program did."""
        if not self.is_listening:
            what = "what was compiled after the program had removed all listeners of jax.monitoring"
            self._preparations.unknown.append(what)
        self._end_listening()
        if self._watches:
            stop_watching(self)
        for state in list(self._states):
            self._preparations.lose(state.flush())
            self._settle(state, None)
        self._known.forget()
        self._preparations.end(ended, None if self.verification is None else self.verification.verify)

    def run(self, header: dict[str, Any], ended: str) -> Run:
        """Returns what was recorded so far."""
        return self._preparations.run(header, ended)

    def forget(self) -> None:
        """Begins anew in a process that was forked."""
        self._preparations.forget()
        self._known, self._seen, self._states = KnownPrograms(self._places), set(), []
        self._threads = Threads(self._states)

    # What JAX reports

    def before(self, call: Call) -> None:
        """See `Observer`. A frame looks up one call: what is known of its number is of one that has ended."""
        thread = self._threads.state
        if not thread.begun and (thread.traced or thread.lowering):
            with contextlib.suppress(Exception):
                self._preparations.lose(thread.flush(numbers_around(frame_outside_of_jax(sys._getframe(1)))))
                if thread.is_full:
                    self._settle(thread, None)
        thread.begun.append(time.time())

    def after(self, call: Call, *, traced: bool, failed: bool) -> None:
        """See `Observer`. Only an outermost trace is a span: those inside of it are part of its seconds."""
        thread = self._threads.state
        begun = thread.begun.pop()
        if not traced or thread.begun:
            return
        seconds = Seconds(tracing=thread.spans.end(begun, time.time()))
        try:
            caller = caller_of(sys._getframe(1)) or Caller(sys._getframe(1), call.fun)
            compiles = caller.made_by != "lower" and not failed
            caller = _of_call(caller, call)
            request = self._requests.of(caller, ahead_of_time=not compiles)
            thread.traced[id(caller.frame)] = Waiting(request, seconds)
        except Exception:
            self._preparations.lose(seconds)
            return
        if compiles:
            self._traced(request, call)

    def _traced(self, request: Request, call: Call) -> None:
        if self.verification is not None and not is_operation(request.function):
            self.verification.add(request.function, call)
        if self.asked is not None:
            self.asked(request, self._why(request, traced=True).reasons)

    def _spent(self, event: str, seconds: float, **_: Any) -> None:
        """Called by JAX when something has ended that took so many seconds."""
        if event not in (jax_names.LOWERED, jax_names.COMPILED):
            return
        now = time.time()
        spent = self._threads.state.spans.end(now - seconds, now)
        is_lowering = event == jax_names.LOWERED
        unasked = None
        try:
            caller = caller_of(sys._getframe(1))
            if caller is None:
                self._preparations.lose(_seconds(spent, is_lowering))
            else:
                unasked = (self._lowered if is_lowering else self._compiled)(caller, spent)
        except Exception:
            self._preparations.lose(_seconds(spent, is_lowering))
        if unasked is not None and self.asked is not None:
            self.asked(*unasked)

    def _happened(self, event: str, **_: Any) -> None:
        """Called by JAX when it has looked into its cache on disk."""
        if event in (jax_names.FOUND_ON_DISK, jax_names.NOT_ON_DISK):
            self._threads.state.on_disk = event == jax_names.FOUND_ON_DISK

    # What becomes of it

    def _lowered(self, caller: Caller, spent: float) -> tuple[Request, tuple[Reason, ...]] | None:
        """Keeps the seconds; returns for what, and why, if it was not traced for it, so that nobody was asked."""
        thread, number = self._threads.state, id(caller.frame)
        if caller.made_by == "lower" and number not in thread.traced:  # `Traced.lower`
            thread.orphan(self._requests.of(caller), Seconds(lowering=spent))
            return None
        thread.lowering[number] = thread.lowering.get(number, 0.0) + spent
        if self.asked is None or caller.made_by != "jit" or caller.fun is None or number in thread.traced:
            return None
        request = self._requests.of(caller)
        return request, self._why(request, traced=False).reasons

    def _compiled(self, caller: Caller, spent: float) -> tuple[Request, tuple[Reason, ...]] | None:
        """Records a program; returns for what, and why, if nobody was asked before: `pmap` in C++ looks up no call."""
        thread, number = self._threads.state, id(caller.frame)
        on_disk, thread.on_disk = thread.on_disk, None
        if caller.made_by != "jit" and number in thread.traced:  # Others look up no call: this one has ended.
            thread.orphan(*thread.traced.pop(number))
        around = caller.frame.f_back if caller.made_by == "lower" else caller.frame
        self._preparations.lose(thread.flush(numbers_around(around)))
        waiting = thread.traced.pop(number, None)
        seconds = Seconds(0.0, thread.lowering.pop(number, 0.0), spent)
        request = waiting.request if waiting else self._requests.of(caller)
        seconds = seconds.plus(self._settle(thread, request)).plus(waiting.seconds if waiting else Seconds())
        if is_operation(request.function):
            self._preparations.add(request, What.OPERATION, seconds, on_disk=on_disk)
            return None
        with self._preparations.lock:
            what = What.AGAIN if request.function in self._seen else What.FIRST
            is_traced = waiting is not None
            reasons, like = self._why(request, traced=is_traced) if what is What.AGAIN else Found((), None)
            self._seen.add(request.function)
            self._known.add(len(self._preparations), request)
            self._preparations.add(request, what, seconds, reasons, like, on_disk=on_disk)
        return (request, reasons) if caller.made_by == "pmap" else None

    def _settle(self, thread: ThreadState, request: Request | None) -> Seconds:
        """Records what nothing followed, as in `eval_shape`; returns what was spent on what is compiled next."""
        settled = thread.settle(request)
        for one in settled.without_program:
            self._preparations.add(one.request, What.TRACED, one.seconds)
        self._preparations.lose(settled.lost)
        return settled.adopted

    def _why(self, request: Request, *, traced: bool) -> Found:
        """Returns why a program is compiled; `traced`: whether the function was traced for it."""
        try:
            return self._known.why(request, traced=traced)
        except Exception:  # Code of the program may fail here.
            return Found((), None)


def _of_call(caller: Caller, call: Call) -> Caller:
    """Returns a frame's call as it was looked up: below `.lower`, the frame does not show it."""
    info = caller.info or call
    return caller._replace(fun=call.fun, args=call.args, kwargs=call.kwargs, made_by="jit", info=info)


def _seconds(spent: float, is_lowering: bool) -> Seconds:
    return Seconds(lowering=spent) if is_lowering else Seconds(compiling=spent)
