"""What `explain` records of a compiled function, and its report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from types import FunctionType, MethodType, TracebackType
from typing import Any, Final, NamedTuple, Self

from jaxtyped_static._annotations.functions import place
from jaxtyped_static._calls.watching import Call, Observer, compiled_of, start_watching, stop_watching
from jaxtyped_static._refusals.refused import class_name
from jaxtyped_static._traces.cached_keys import cached_entries
from jaxtyped_static._traces.differences import Difference, Kind
from jaxtyped_static._traces.entries import Entry, entry_of
from jaxtyped_static._traces.entry_differences import differences, is_needless, nearest
from jaxtyped_static._traces.remade import is_remade
from jaxtyped_static._traces.report import Trace, earlier_text, referred_text, report_html, traces_text
from jaxtyped_static._traces.snapshots import Snapshot
from jaxtyped_static._traces.value_text import in_short


class _Record(NamedTuple):
    entry: Entry
    failed: bool


# More programs are not searched for a call that was answered.
_MAX_KNOWN: Final = 256
_REUSED: Final = (
    "     nothing was traced: JAX had traced it for these arguments before, here or for another jit of the function; "
    "a jit with other options still compiles that again"
)
_RAISED: Final = Difference("", "it raised there, so nothing was kept", Kind.CONTEXT)


class Explanation:
    """The recorded traces; complete at any time, and printed as a report.

    Attributes:
        name: the function, and where it was written.
        calls: how many calls were seen.
    """

    def __init__(self, fun: Any) -> None:
        self.name = place(fun)
        self.calls = 0
        self._fun = fun
        self._recorder: _Recorder | None = None
        self._records: list[_Record] = []
        self._compared: list[Trace] = []
        self._earlier: list[Entry] | None = None
        self._was_entered = False
        self._reused = False  # whether a call used what JAX had traced earlier

    def __enter__(self) -> Self:
        if self._recorder is not None:
            raise RuntimeError("this explain() is already recording; call explain() again for another recording")
        if not self._was_entered:
            self._earlier = _earlier_entries(self._fun)
        self._was_entered = True
        self._recorder = _Recorder(self._fun, self)
        start_watching(self._recorder)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._recorder is not None:
            stop_watching(self._recorder)
            self._recorder = None

    @property
    def traces(self) -> tuple[Trace, ...]:
        """The traces, in order."""
        while len(self._compared) < len(self._records):
            self._compared.append(self._trace(len(self._compared)))
        return tuple(self._compared)

    @property
    def earlier(self) -> tuple[Trace, ...]:
        """The programs compiled before the recording began, in no order; empty if JAX's cache cannot be read."""
        return _compared_among_themselves(self._earlier or [])

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """Returns the report as the last line of a notebook's cell shows it."""
        return report_html(str(self))

    @property
    def has_entries(self) -> bool:
        """Whether there is anything to compare a trace with."""
        return bool(self._records or self._earlier)

    def add_earlier(self, entry: Entry) -> None:
        """Adds what JAX had compiled before, possibly for another `jit` of the function, if it is not known yet."""
        known = [*(self._earlier or ()), *(record.entry for record in self._records if not record.failed)]
        if len(known) < _MAX_KNOWN and all(differences(earlier, entry) for earlier in known):
            self._earlier = [*(self._earlier or ()), entry]

    def _lines(self) -> Iterator[str]:
        if not self._was_entered:
            yield from _unrecorded(self.name, _earlier_entries(self._fun))
            return
        traces = self.traces
        yield f"{self.name}: {_times(self.calls, 'call')}, {_times(len(traces), 'trace')}"
        if self._reused and not traces:
            yield _REUSED
        yield from traces_text(traces)
        yield from referred_text(self.earlier, traces)

    def _trace(self, index: int) -> Trace:
        record, past = self._records[index], self._records[:index]
        known = self._earlier or []
        names = [
            *(f"earlier {number}" for number in range(1, len(known) + 1)),
            *(f"trace {number}" for number, earlier in enumerate(past, start=1) if not earlier.failed),
        ]
        for number, earlier in enumerate(past, start=1):
            if earlier.failed and not differences(earlier.entry, record.entry):
                return as_trace(record, (_RAISED,), f"trace {number}")
        found = nearest([*known, *(earlier.entry for earlier in past if not earlier.failed)], record.entry)
        return as_trace(record) if found is None else as_trace(record, found.differences, names[found.place])


class _Recorder(Observer):
    """Records each trace of one function."""

    def __init__(self, fun: Any, explanation: Explanation) -> None:
        self._fun = fun.__wrapped__
        self._name = name_of(fun)
        options: Any = compiled_of(fun)
        self._options = options
        self._lists = (options.static_argnums, options.static_argnames)
        self._explanation = explanation

    def before(self, call: Call) -> None:
        self._explanation.calls += self._is_ours(call)

    def hit(self, call: Call) -> None:
        if self._is_ours(call):
            self._explanation.calls += 1
            if not self._explanation.has_entries:
                self._explanation.add_earlier(_entry(call, self._name))

    def after(self, call: Call, *, traced: bool, failed: bool) -> None:
        if not self._is_ours(call):
            return
        if traced:
            self._explanation._records.append(_Record(_entry(call, self._name), failed))
        elif not failed:
            self._explanation._reused = True
            self._explanation.add_earlier(_entry(call, self._name))

    def _is_ours(self, call: Call) -> bool:
        if call.compiled is self._options:
            return True
        if (call.static_argnums, call.static_argnames) != self._lists or not is_remade(self._fun, call.fun):
            return False
        return call.fun is not self._fun or repr(call.compiled) == repr(self._options)


def _entry(call: Call, name: str) -> Entry:
    """Returns the entry of a call; if user code raises here, that must not fail the call."""
    try:
        return entry_of(call, name)
    except Exception:
        return Entry(call.fun, f"{name}(...)", {})


def compiled_function(fun: Any, caller: str) -> Any:
    """Returns the compiled function that is meant.

    Raises:
        TypeError: there is none; the message says what to pass instead.
    """
    if isinstance(fun, MethodType | staticmethod | classmethod):
        fun = fun.__func__
    # In JAX 0.10, `vmap` of a compiled function is a Python function that has its attributes.
    if compiled_of(fun) is not None and not isinstance(fun, FunctionType):
        return fun
    inner: Any = fun.func if isinstance(fun, partial) else getattr(fun, "__wrapped__", None)
    if compiled_of(inner) is not None:
        what = "a functools.partial of it" if isinstance(fun, partial) else "the result of another transformation of it"
        raise TypeError(f"{caller}() needs the compiled function {place(inner)}, not {what}; pass the function itself")
    raise TypeError(f"{caller}() needs a function compiled by jit, got {in_short(fun)}; decorate it with @jit")


def as_trace(record: _Record, found: tuple[Difference, ...] = (), compared_with: str | None = None) -> Trace:
    """Returns a record as the user sees it."""
    arguments = record.entry.arguments.items()
    snapshots = {name: argument.value for name, argument in arguments if isinstance(argument.value, Snapshot)}
    static = {name: snapshot.value for name, snapshot in snapshots.items()}
    shown = {name: snapshot.text for name, snapshot in snapshots.items()}
    dynamic = {name: str(argument.value) for name, argument in arguments if not isinstance(argument.value, Snapshot)}
    return Trace(record.entry.form, static, dynamic, shown, found, compared_with, record.failed)


def _earlier_entries(fun: Any) -> list[Entry] | None:
    return cached_entries(fun.__wrapped__, compiled_of(fun), name_of(fun))


def name_of(fun: Any) -> str:
    """Returns the name under which calls are written."""
    return str(getattr(fun, "__name__", None) or class_name(type(fun.__wrapped__)))


def _compared_among_themselves(entries: Sequence[Entry]) -> tuple[Trace, ...]:
    """Compares entries with each other: which came first is unknown, so an entry can only be called needless."""
    found = [nearest(entries[:index], entry) for index, entry in enumerate(entries)]
    return tuple(
        as_trace(_Record(entry, False))
        if closest is None or not closest.differences or not is_needless(closest.differences)
        else as_trace(_Record(entry, False), closest.differences, f"earlier {closest.place + 1}")
        for entry, closest in zip(entries, found, strict=True)
    )


def _times(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _unrecorded(name: str, entries: Sequence[Entry] | None) -> Iterator[str]:
    """Returns what JAX's cache holds, since nothing is recorded outside of a `with` block."""
    yield f"{name}: nothing was recorded; write `with explain(...) as why:` around the calls, and print(why) after"
    if entries is not None:
        yield from earlier_text(_compared_among_themselves(entries))
