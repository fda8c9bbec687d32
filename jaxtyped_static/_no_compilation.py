"""`no_compilation` raises where a warm program compiles after all, and says why."""

from __future__ import annotations

import sys
import threading
import warnings
from collections import Counter
from contextvars import ContextVar
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jaxtyped_static._recording.recorder import Recorder
    from jaxtyped_static._recording.requests import Request
    from jaxtyped_static_runs.model import Reason

__all__ = ["CompilationBlock", "no_compilation"]


def no_compilation(*, after: int = 0, warn: bool = False) -> CompilationBlock:
    """Raises where JAX compiles in a block, with the reason: `with no_compilation(after=10): step(batch)`.

    For servers, and for training loops: once warm, they should run what is compiled. Compilations in the block's own
    thread and task count, of all kinds of compiled functions, and of operations outside of jit.

    Args:
        after: how often the block may be entered before; blocks of the same line count together.
        warn: whether to warn instead, with a `UserWarning`.

    Raises:
        UnexpectedCompilationError: from the call that would compile, before it does.
        ValueError: `after` is negative.
        RuntimeError: on entering, if calls cannot be watched in this version of JAX.
    """
    if after < 0:
        raise ValueError(f"no_compilation() needs a number of passes, got {after}")
    return CompilationBlock(after, warn=warn, site=_site(sys._getframe(1)))


class CompilationBlock:
    """A block in which nothing may be compiled."""

    def __init__(self, after: int, *, warn: bool, site: object) -> None:
        self._after = after
        self._warn = warn
        self._site = site
        self._is_warm = False

    def __enter__(self) -> None:
        _start()
        with _lock:
            _passes[self._site] += 1
            self._is_warm = _passes[self._site] > self._after
        _blocks.set((*_blocks.get(), self))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        _blocks.set(tuple(block for block in _blocks.get() if block is not self))

    def _refuse(self, request: Request, reasons: tuple[Reason, ...]) -> None:
        # Imported on use: this is a quarter of the package, and few programs need it.
        from jaxtyped_static._recording.requests import refusal

        if not self._is_warm or _is_looking_for_nan():
            return
        error = refusal(request, reasons)
        if not self._warn:
            raise error
        at = (request.line.file, request.line.line) if request.line is not None else ("", 0)
        warnings.warn_explicit(str(error), UserWarning, *at)


_lock: Final = threading.Lock()
# Those around the code that runs: of its thread, and of its task.
_blocks: Final[ContextVar[tuple[CompilationBlock, ...]]] = ContextVar("blocks", default=())
_passes: Final[Counter[object]] = Counter()
_recorder: Recorder | None = None


def _start() -> None:
    """Records from the first block on, to know what was compiled before."""
    global _recorder
    # Imported on use: this is a quarter of the package, and few programs need it.
    from jaxtyped_static._recording.recorder import Recorder
    from jaxtyped_static._recording.stacks import Places, current_folder

    with _lock:
        if _recorder is None or not _recorder.is_listening:
            _recorder = Recorder(Places(current_folder()))
            _recorder.start()
            _recorder.asked = _asked


def forget() -> None:
    """Stops recording, and forgets the passes of all blocks."""
    global _recorder
    with _lock:
        if _recorder is not None:
            _recorder.stop("exit 0")
        _recorder = None
        _passes.clear()


def _asked(request: Request, reasons: tuple[Reason, ...]) -> None:
    for block in _blocks.get():
        block._refuse(request, reasons)


def _is_looking_for_nan() -> bool:
    """Returns whether `jax_debug_nans` runs a function again, operation by operation, to say where a NaN comes from."""
    return "FloatingPoint" in type(sys.exc_info()[1]).__name__


def _site(frame: FrameType) -> tuple[object, int]:
    return frame.f_code, frame.f_lasti
