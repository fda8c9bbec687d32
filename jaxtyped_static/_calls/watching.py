"""Reports the calls of compiled functions to observers. Without observers, nothing here slows a call down.

Watching covers the whole process: an observer sees the calls of all threads, and of functions compiled before. Calls
that an observer itself makes, in the same thread, are reported to nobody.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, TypeVar

from jaxtyped_static._calls.jax_internals import JitInfo, find_program, info_of, install, program_in

F = TypeVar("F", bound=Callable[..., Any])


class Call(NamedTuple):
    """One call of a compiled function.

    Attributes:
        fun: the Python function that was compiled.
        compiled: stands for the compiled function, by identity: see `compiled_of`.
        args: all positional arguments, as the caller gave them.
        kwargs: all arguments given by name.
        static_argnums: the static positions, complete; some may be beyond `args`.
        static_argnames: the static names, complete.
        is_ours: whether `jaxtyped_static.jit` compiled it.
        program: returns JAX's traced program for the call, once there is one, by identity; None if it is not known.
    """

    fun: Callable[..., Any]
    compiled: object
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    static_argnums: tuple[int, ...]
    static_argnames: tuple[str, ...]
    is_ours: bool
    program: Callable[[], object | None] = lambda: None


class Observer:
    """Receives calls. If a method raises, the call raises the same.

    A call is either a hit, which JAX's C++ cache answers, or is reported before and after JAX looks up a traced
    program. Calls inside a trace, and `.lower`, `.trace` and `.eval_shape`, are never hits.

    Attributes:
        sees_hits: whether hits are reported, which adds Python code to each call.
    """

    sees_hits = True

    def before(self, call: Call) -> None:
        """Called before JAX looks at the arguments; if this raises, JAX never does."""

    def after(self, call: Call, *, traced: bool, failed: bool) -> None:
        """Called when JAX has found or made a traced program, before it runs.

        An observer that saw a call begin also sees it end, even if it stopped watching in the meantime.

        Args:
            call: the object that `before` got.
            traced: whether the function was traced for this call; otherwise an earlier trace is reused.
            failed: whether there is no program, because JAX or the function raised.
        """

    def hit(self, call: Call) -> None:
        """Called when JAX has run a compiled program."""


def compiled_of(fun: object) -> object | None:
    """Returns the value of `Call.compiled` for calls of this compiled function; None if it is not one."""
    return info_of(fun)


# By the id of JAX's options, which a compiled function keeps alive.
_ours: Final[dict[int, weakref.ref[Any]]] = {}


def mark_ours(compiled: F) -> F:
    """Records, while it lives, that `jaxtyped_static.jit` made a compiled function."""
    number = id(info_of(compiled))
    _ours[number] = weakref.ref(compiled, lambda _: _ours.pop(number, None))
    return compiled


class _Frame:
    """A call for which JAX is looking up a traced program."""

    __slots__ = ("program", "traced")

    def __init__(self) -> None:
        self.traced = False
        self.program: object | None = None


class _ThreadCalls(threading.local):
    def __init__(self) -> None:
        self.frames: list[_Frame] = []
        self.is_observing = False
        self.traced_by_observer = False


_lock: Final = threading.Lock()
_thread: Final = _ThreadCalls()
_observers: tuple[Observer, ...] = ()


def _nothing() -> None:
    """Nothing is installed."""


_uninstall: Callable[[], None] = _nothing
_hits_are_reported = False


def start_watching(observer: Observer) -> None:
    """Reports all calls to an observer until `stop_watching`.

    Raises:
        RuntimeError: calls cannot be watched in this version of JAX.
    """
    with _lock:
        _watch_for((*_observers, observer))


def stop_watching(observer: Observer) -> None:
    """Ends one `start_watching` of this observer."""
    with _lock:
        others = list(_observers)
        others.remove(observer)
        _watch_for(tuple(others))


def _watch_for(observers: tuple[Observer, ...]) -> None:
    """Makes JAX report what these observers want, and no more: hits cost each call."""
    global _observers, _uninstall, _hits_are_reported
    hits = any(observer.sees_hits for observer in observers)
    if not observers or not _observers or hits is not _hits_are_reported:
        _uninstall()
        _uninstall, _hits_are_reported = _nothing, False
        if observers:
            _uninstall, _hits_are_reported = install(_CallWatcher(), hits=hits), hits
    _observers = observers


class _CallWatcher:
    """Makes a `Call` of JAX's data, and reports it to the observers."""

    def miss(self, proceed: Callable[..., Any], fun: Any, info: JitInfo, args: Any, kwargs: Any) -> Any:
        if _thread.is_observing:
            return proceed(fun, info, args, kwargs)
        frame, failed = _Frame(), True
        call = _call(fun, info, args, kwargs, lambda: frame.program)
        begun: list[Observer] = []  # Those that see it begin also see it end, even if they stop meanwhile.

        def begin(observer: Observer) -> None:
            observer.before(call)
            begun.append(observer)

        _thread.frames.append(frame)
        try:
            _show(_observers, begin)
            found = proceed(fun, info, args, kwargs)
            frame.program, failed = program_in(found), False
            return found
        finally:
            _thread.frames.pop()
            _show_all(begun, lambda observer: observer.after(call, traced=frame.traced, failed=failed))

    def hit(self, compiled: Any, args: Any, kwargs: Any) -> None:
        info = info_of(compiled)
        if info is not None and not _thread.is_observing:
            fun = compiled.__wrapped__
            call = _call(fun, info, args, kwargs, lambda: _look_up(fun, info, args, kwargs))
            _show([observer for observer in _observers if observer.sees_hits], lambda observer: observer.hit(call))

    def traces(self) -> None:
        if _thread.is_observing:
            _thread.traced_by_observer = True
        elif _thread.frames:
            _thread.frames[-1].traced = True


def _look_up(fun: Any, info: JitInfo, args: Any, kwargs: Any) -> object | None:
    """Returns the traced program of a hit; None if JAX has dropped it, so that looking it up made another one."""
    _thread.traced_by_observer = False
    program = find_program(fun, info, args, kwargs)
    return None if _thread.traced_by_observer else program


def _call(fun: Any, info: JitInfo, args: Any, kwargs: Any, program: Callable[[], object | None]) -> Call:
    return Call(fun, info, args, kwargs, info.static_argnums, info.static_argnames, id(info) in _ours, program)


def _show(observers: Iterable[Observer], what: Callable[[Observer], None]) -> None:
    _thread.is_observing = True
    try:
        for observer in observers:
            what(observer)
    finally:
        _thread.is_observing = False


def _show_all(observers: Iterable[Observer], what: Callable[[Observer], None]) -> None:
    """Shows it to each observer, even if one before it raises; what the first one raised is raised at the end."""
    raised: list[BaseException] = []
    for observer in observers:
        try:
            _show([observer], what)
        except BaseException as error:
            raised.append(error)
    if raised:
        raise raised[0]
