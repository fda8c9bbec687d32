"""The page that `census --format html` writes: self-contained, and usable in a browser, also by keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jaxtyped_static_cli.census import html
from tests.cli.census_made import made


def test_the_page_needs_nothing_else() -> None:
    page = html.render(made(20), "</script><b>")
    assert page.count("</script>") == 2 and "{{" not in page.partition("<script>")[0]
    data = re.search(r'<script id="census" type="application/json">(.*)</script>', page)
    assert data is not None and json.loads(data[1])["project"] == "</script><b>"
    assert 'http-equiv="Content-Security-Policy" content="default-src \'none\'' in page
    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//""", page)
    assert "Copyright (c) 2012-2014 Chris Pettitt" in page


@pytest.fixture
def load(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens a page with so many nodes; nothing on it may go wrong."""
    wrong: list[str] = []

    def load(nodes: int, scheme: str = "light") -> Any:
        file = tmp_path / "census.html"
        file.write_text(html.render(made(nodes), "made"), encoding="utf-8")
        page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text))
        page.goto(file.as_uri())
        page.wait_for_selector("body[data-ready]")
        return page

    yield load
    assert wrong == []


@pytest.mark.thorough
@pytest.mark.parametrize("nodes", [20, 200, 2000])
def test_boxes_can_be_read_and_do_not_overlap(load: Any, nodes: int) -> None:
    page = load(nodes)
    boxes = page.eval_on_selector_all(
        "#scene .node .shape", "all => all.map(e => e.getBoundingClientRect()).map(r => [r.x, r.y, r.width, r.height])"
    )
    assert len(boxes) == {20: 20, 200: 200, 2000: 166}[nodes]
    assert min(height for *_, height in boxes) >= 16
    overlapping = [
        (one, other)
        for index, one in enumerate(boxes)
        for other in boxes[:index]
        if one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    ]
    assert overlapping == []


@pytest.mark.thorough
def test_everything_can_be_reached_by_keyboard(load: Any) -> None:
    page = load(2000)
    page.keyboard.press("/")
    page.keyboard.type("solver broken")
    found = page.locator("#list button")
    assert 0 < found.count() < 100
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    name = page.inner_text("#details h2")
    assert name in found.nth(0).inner_text() and "✗ broken" in page.inner_text("#details")
    assert name in page.get_attribute("#scene .node.selected", "aria-label")
    assert page.is_visible("#back")
    page.keyboard.press("Escape")
    assert page.inner_text("#shown") == "2000 in 166 closed modules"
    page.focus("#scene .node[tabindex='0']")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert "closed" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    assert page.inner_text("#shown").endswith("in 165 closed modules")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.id") == page.get_attribute("#scene .node.selected", "data-id")
    page.keyboard.press("c")
    assert page.inner_text("#shown") == "2000 in 166 closed modules"


@pytest.mark.thorough
def test_the_verdict_is_shown_under_the_pointer(load: Any) -> None:
    page = load(200)
    page.click("#fit")
    page.locator("#scene .node.is-broken").first.hover()
    assert re.search(r"✗ broken, (static|dynamic|both)\s+static-mutable: it is not frozen", page.inner_text("#tip"))
    assert page.locator("#scene.faded .node.near").count() >= 1


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_in_both_themes(load: Any, scheme: str) -> None:
    page = load(200, scheme)
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts) > 5
    assert {name: contrast for name, contrast in contrasts.items() if contrast < 4.5} == {}


# The contrast of each kind of text with what is below it, by the formula of WCAG.
CONTRASTS = """() => {
  const linear = (part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = (color) => {
    const [red, green, blue] = color.match(/[\\d.]+/g).map((part) => linear(part / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (...colors) => {
    const [low, high] = colors.map(light).sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const style = (element) => getComputedStyle(element);
  const panel = style(document.querySelector("nav")).backgroundColor;
  const page = style(document.body).backgroundColor;
  const found = {};
  for (const element of document.querySelectorAll("nav span, nav label, aside *, header *")) {
    const below = element.closest("header") ? page : panel;
    const name = `${element.tagName} ${element.className}`;
    if (element.textContent.trim()) found[name] = contrast(style(element).color, below);
  }
  for (const node of document.querySelectorAll("#scene .node")) {
    const fill = style(node.querySelector(".shape")).fill;
    found[node.getAttribute("class")] = contrast(style(node.querySelector("text")).fill, fill);
    const mark = node.querySelector(".mark");
    if (mark.textContent) found[`${node.getAttribute("class")} mark`] = contrast(style(mark).fill, fill);
  }
  return found;
}"""
