"""`no_compilation` raises where a warm program compiles after all, and says why."""

from __future__ import annotations

import sys
import threading
import warnings
from collections import Counter
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jaxtyped_static._recording.recorder import Recorder
    from jaxtyped_static._recording.requests import Request
    from jaxtyped_static_runs.model import Reason

__all__ = ["CompilationBlock", "no_compilation"]


def no_compilation(*, after: int = 0, warn: bool = False) -> CompilationBlock:
    """Raises where JAX compiles in a block, with the reason: `with no_compilation(after=10): step(batch)`.

    For servers, and for training loops: once warm, they should run what is compiled. Compilations of the block's own
    thread count, of all kinds of compiled functions, and of operations outside of jit.

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

    def __enter__(self) -> None:
        _start()
        with _lock:
            _passes[self._site] += 1
            is_warm = _passes[self._site] > self._after
        _thread.blocks.append(self._refuse if is_warm else None)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        _thread.blocks.pop()

    def _refuse(self, request: Request, reasons: tuple[Reason, ...]) -> None:
        # Imported on use: this is a quarter of the package, and few programs need it.
        from jaxtyped_static._recording.requests import refusal

        error = refusal(request, reasons)
        if not self._warn:
            raise error
        at = (request.line.file, request.line.line) if request.line is not None else ("", 0)
        warnings.warn_explicit(str(error), UserWarning, *at)


class _Blocks(threading.local):
    """The blocks that a thread is in; None for one that is still warming up."""

    def __init__(self) -> None:
        self.blocks: list[Any] = []


_lock: Final = threading.Lock()
_thread: Final = _Blocks()
_passes: Final[Counter[object]] = Counter()
_recorder: Recorder | None = None


def _start() -> None:
    """Records from the first block on, to know what was compiled before."""
    global _recorder
    # Imported on use: this is a quarter of the package, and few programs need it.
    from jaxtyped_static._recording.recorder import Recorder
    from jaxtyped_static._recording.stacks import Places

    with _lock:
        if _recorder is None:
            _recorder = Recorder(Places(str(Path.cwd())))
            _recorder.start()
            _recorder.asked = _asked


def _asked(request: Request, reasons: tuple[Reason, ...]) -> None:
    for refuse in filter(None, _thread.blocks[-1:]):
        refuse(request, reasons)


def _site(frame: FrameType) -> tuple[object, int]:
    return frame.f_code, frame.f_lasti
