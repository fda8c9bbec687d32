"""Spans of time that end inside of one another are counted once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtyped_static._recording.spans import Spans


@st.composite
def nested(draw: st.DrawFn) -> list[tuple[float, float]]:
    """Spans that lie side by side or inside one another, in the order in which they end."""
    now, begun, ended = 0.0, list[float](), list[tuple[float, float]]()
    for begins in draw(st.lists(st.booleans(), max_size=40)):
        now += draw(st.integers(1, 9))
        if begins or not begun:
            begun.append(now)
        else:
            ended.append((begun.pop(), now))
    while begun:
        now += 1
        ended.append((begun.pop(), now))
    return ended


@given(nested())
def test_the_seconds_of_all_spans_are_those_that_some_span_covers(ended: list[tuple[float, float]]) -> None:
    spans = Spans()
    counted = sum(spans.end(start, end) for start, end in ended)
    outermost = [span for span in ended if not any(start < span[0] and span[1] < end for start, end in ended)]
    assert counted == pytest.approx(sum(end - start for start, end in outermost))
