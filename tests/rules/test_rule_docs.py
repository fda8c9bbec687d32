"""Every rule has a page of the same form, with a program for each claim."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.cases import NOT_CASES, ROOT, read_blocks

PAGES = sorted(path for path in (ROOT / "docs" / "rules").glob("*.md") if path.name not in NOT_CASES)
HEADINGS = [
    *("## What it says", "## Why it is wrong", "## Found", "## Evidence", "## Silent"),
    *("## How to fix", "## When to silence"),
]
# What these report is wrong wherever it stands.
WITHOUT_EVIDENCE = {
    *("static-traced", "static-unverified", "static-marker", "pytree-static", "jit-argnames", "jit-self"),
    *("jit-untraceable", "jit-branch", "jit-mutation", "jax-call", "jax-removed", "jax-missing"),
    "pytree-unflatten",
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_the_headings_every_page_has(page: Path) -> None:
    lines = _outside_of_blocks(page)
    assert [line for line in lines if line.startswith("# ")] == [f"# {page.stem}"]
    left_out = {"## Evidence"} if page.stem in WITHOUT_EVIDENCE else set()
    assert [line for line in lines if line.startswith("## ")] == [line for line in HEADINGS if line not in left_out]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.parametrize("flag", ["bad", "good", "run"])
def test_a_page_shows_what_is_found_what_is_not_and_what_happens(page: Path, flag: str) -> None:
    assert any(flag in block.flags for _, block in read_blocks(page))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_python_block_of_a_page_is_checked_or_run(page: Path) -> None:
    assert [block.place for _, block in read_blocks(page) if block.language == "python" and not block.flags] == []


def _outside_of_blocks(page: Path) -> list[str]:
    lines, inside = [], False
    for line in page.read_text(encoding="utf-8").splitlines():
        inside ^= line.startswith("```")
        if not inside:
            lines.append(line.rstrip())
    return lines
