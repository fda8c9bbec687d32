"""Time spans of one thread, none of which is counted twice: what ran inside another one is taken from it."""

from __future__ import annotations

from typing import Final

# More than that many spans side by side are inside of nothing that is still of interest.
_MAX_SPANS: Final = 4096


class Spans:
    """The spans that have ended in one thread, as far as others may still be around them."""

    def __init__(self) -> None:
        self._ended: list[tuple[float, float]] = []

    def end(self, start: float, end: float) -> float:
        """Ends a span, and returns its seconds without those of the spans inside of it, which ended before."""
        inside = 0.0
        while self._ended and self._ended[-1][1] > start:
            begun, ended = self._ended.pop()
            inside += ended - begun
        self._ended.append((start, end))
        del self._ended[:-_MAX_SPANS]
        return max(0.0, end - start - inside)
