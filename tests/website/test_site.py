"""The built site: no warning, no dead link, nothing loaded from elsewhere, and Markdown that was understood."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.e2e.environments import ROOT, run

pytestmark = pytest.mark.thorough
LOADED = re.compile(r"<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=[\"']?(?:https?:)?//[^>]*>")
NOT_A_LIST = re.compile(r"<p>(?:(?!</p>).)*\n(?:- |\d+\. |\|)", re.DOTALL)


def test_the_site_is_built_without_a_warning_and_needs_nothing_else(tmp_path: Path) -> None:
    pytest.importorskip("zensical", reason="`make site` installs it")
    built = run(sys.executable, "-m", "website", "--to", tmp_path, cwd=ROOT, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    pages = {page: page.read_text(encoding="utf-8") for page in (tmp_path / "site").rglob("*.html")}
    assert len(pages) > 40
    assert {page.name: LOADED.findall(text) for page, text in pages.items() if LOADED.search(text)} == {}
    assert {page.name: NOT_A_LIST.findall(text) for page, text in pages.items() if NOT_A_LIST.search(text)} == {}
    assert dead_links(pages) == []
    assert 'id="jaxtyped_static.jit"' in pages[tmp_path / "site" / "api.html"]
    assert "<svg" in pages[tmp_path / "site" / "guide" / "how-it-works.html"]


@pytest.mark.parametrize("target", ["#nowhere", "nowhere.md"])
def test_a_dead_link_stops_the_build(tmp_path: Path, target: str) -> None:
    pytest.importorskip("zensical", reason="`make site` installs it")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.md").write_text(f"# Home\n\n[there]({target})\n")
    settings = (ROOT / "website" / "mkdocs.yml").read_text(encoding="utf-8")
    short = re.sub(r"^nav:\n(?:  .*\n)+", "nav: [index.md]\n", settings, flags=re.MULTILINE)
    (tmp_path / "mkdocs.yml").write_text(short)
    done = run(sys.executable, "-m", "zensical", "build", "--strict", cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert "does not exist" in done.stdout + done.stderr


def dead_links(pages: Mapping[Path, str]) -> list[tuple[str, str]]:
    """Of all pages, the links to files and headings that do not exist: those that the API's signatures have, too."""
    anchors = {page: set(re.findall(r'\bid="([^"]+)"', text)) for page, text in pages.items()}
    return [
        (page.name, link)
        for page, text in pages.items()
        if page.name != "404.html"  # its links begin at the root of a server
        for link in re.findall(r'<a\b[^>]*\bhref="([^"]+)"', text)
        if not re.match(r"[a-z]+:", link) and not leads_somewhere(page, link, anchors)
    ]


def leads_somewhere(page: Path, link: str, anchors: Mapping[Path, set[str]]) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    return target.is_file() and (not anchor or target not in anchors or anchor in anchors[target])
