"""The observer behind `guard`: verifies each call, and finds values that changed since their program was traced."""

from __future__ import annotations

import threading
from typing import Final

from jaxtyped_static._calls.programs import CompiledValue, distinct
from jaxtyped_static._calls.read_names import also_read, begin_reading, end_reading
from jaxtyped_static._calls.stale_values import check_program, remember_trace
from jaxtyped_static._calls.unhashable import add_note
from jaxtyped_static._calls.verification import Examined, examine, function_of
from jaxtyped_static._calls.watching import Call, Observer

_OF_JAX: Final = frozenset({"jax", "jaxlib"})


class Guard(Observer):
    """The observer behind `guard`."""

    def __init__(self, *, jax_jit: bool) -> None:
        self._jax_jit = jax_jit
        self._begun: dict[int, list[Examined]] = {}  # By the id of the call.
        self._inside = _Inside()

    def before(self, call: Call) -> None:
        """Refuses an argument that breaks the contract."""
        if self._is_guarded(call):
            self._begun[id(call)] = examine(call, function_of(call))
            self._inside.calls.append([])
            begin_reading()

    def after(self, call: Call, *, traced: bool, failed: bool) -> None:
        """Refuses an argument that changed since the program was traced, and remembers what a new one depends on."""
        examined = self._begun.pop(id(call), None)
        if examined is None:
            return
        noted, inner = end_reading(), self._inside.calls.pop()
        if failed:
            return
        function = function_of(call)
        if traced:
            program = remember_trace(call, function, examined, distinct(inner), noted)
        else:
            program = check_program(call, function, examined)
        if self._inside.calls and program is not None:
            self._inside.calls[-1] += (*program.values, *program.inner)
            also_read(program.reads)

    def hit(self, call: Call) -> None:
        """Refuses the same when JAX has already run the program."""
        if self._is_guarded(call):
            function = function_of(call)
            if not function.is_unchanged(call):
                check_program(call, function, examine(call, function))

    def explain(self, error: BaseException | None) -> None:
        """Adds to JAX's error about an argument without a hash which one it is, as no observer sees that call."""
        add_note(error)

    def _is_guarded(self, call: Call) -> bool:
        if call.is_ours:
            return True
        return self._jax_jit and str(getattr(call.fun, "__module__", "")).partition(".")[0] not in _OF_JAX


class _Inside(threading.local):
    """For each call that this thread is looking up, what the programs inside of it were compiled for."""

    def __init__(self) -> None:
        self.calls: list[list[CompiledValue]] = []
