"""The report on a run as one HTML file."""

from __future__ import annotations

from jaxtyped_static_runs.model import Run


def page(run: Run) -> str:
    """Returns the page."""
    raise NotImplementedError
