"""The report on a run as one HTML file that needs nothing else. What it does in the browser is in the scripts here."""

from __future__ import annotations

from jaxtyped_static_runs.page.html import page

__all__ = ["page"]
