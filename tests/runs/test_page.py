"""The report on a run as a page: all of the run is in it, it needs nothing else, and it can be used by keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jaxtyped_static_runs.model import Frame, Function, Preparation, Reason, Run, Seconds, What
from jaxtyped_static_runs.page import page
from tests.runs.runs_made import HOSTILE, LIBRARY, SMALL, hostile, made


def data_in(text: str) -> dict[str, Any]:
    found = re.search(r'<script id="run" type="application/json">(.*)</script>', text)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_all_of_the_run_is_in_the_page() -> None:
    data = data_in(page(SMALL))
    stacks = [tuple(Frame(*data["frames"][frame][:4]) for frame in stack) for stack in data["stacks"]]
    preparations = tuple(
        Preparation(
            number=one["number"],
            function=Function(*data["functions"][one["function"]]),
            what=What(one["what"]),
            at=one["at"],
            seconds=Seconds(*one["seconds"]),
            stack=stacks[one["stack"]],
            reasons=tuple(Reason(*reason) for reason in one["reasons"]),
            like=one["like"],
            on_disk=one["on_disk"],
            thread=one["thread"],
        )
        for one in data["preparations"]
    )
    names = ("program", "seconds", "ended", "versions", "started", "folder", "processes", "not_listed")
    head: dict[str, Any] = {name: data[name] for name in names}
    rest: dict[str, Any] = {"not_attributed": Seconds(*data["not_attributed"]), "unknown": tuple(data["unknown"])}
    assert Run(**head, **rest, preparations=preparations) == SMALL


def test_what_cost_most_is_in_the_page() -> None:
    data = data_in(page(SMALL))
    (again,) = data["again"]
    assert data["functions"][again["function"]][0] == "step" and (again["seconds"], again["programs"]) == (1.3, 2)
    assert again["by_reason"] == [
        {"reasons": [["n", "1 → 2", "jit-retrace"]], "seconds": 1.3, "programs": 1, "varies": False}
    ]
    assert [one["names"] for one in data["operations"]] == [["add"]]
    assert [(data["frames"][one["line"]][:2], one["programs"]) for one in data["user_lines"]] == [(["train.py", 12], 5)]
    assert [data["frames"][one["line"]][0] for one in data["library_lines"]] == [LIBRARY.file]
    assert data["totals"]["first"] == {"seconds": 0.9, "programs": 2, "functions": 2}


def test_lines_of_source_are_in_the_page_if_they_are_known() -> None:
    assert {frame[4] for frame in data_in(page(SMALL))["frames"]} == {""}
    data = data_in(page(SMALL, lambda file, line: f"    {file} has {line}\n" if file == "train.py" else ""))
    assert {frame[4] for frame in data["frames"]} == {"", "train.py has 12"}


def test_the_page_needs_nothing_else() -> None:
    text = page(SMALL)
    assert 'http-equiv="Content-Security-Policy" content="default-src \'none\'' in text
    assert "{{" not in text.partition("<script>")[0]
    assert not re.search(r"""\b(?:src|href|action)=|\burl\(|@import|https?://|\bfetch\(|\bimport\(""", text)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", text)


def test_hostile_names_stay_text() -> None:
    text = page(hostile(), lambda file, line: HOSTILE)
    assert text.count("</script>") == 2 and "<img" not in text and text.count("<!--") == 0
    assert data_in(text)["program"] == HOSTILE and data_in(text)["frames"][0][4] == HOSTILE


@pytest.fixture
def load(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens the page of a run; nothing on it may go wrong."""
    wrong: list[str] = []
    context = browser.new_context(viewport={"width": 1440, "height": 900})

    def load(run: Run, scheme: str = "light") -> Any:
        file = tmp_path / "run.html"
        file.write_text(page(run, lambda file, line: HOSTILE if file == HOSTILE else ""), encoding="utf-8")
        opened = context.new_page()
        opened.emulate_media(color_scheme=scheme)
        opened.on("pageerror", lambda error: wrong.append(str(error)))
        opened.on("console", lambda message: wrong.append(message.text))
        opened.on("dialog", lambda dialog: wrong.append(dialog.message))
        opened.goto(file.as_uri())
        opened.wait_for_selector("body[data-ready]")
        return opened

    yield load
    context.close()
    assert wrong == []


def again(opened: Any) -> Any:
    """The rows of the ranked list."""
    return opened.locator("section[aria-label='Compiled again, by cost'] summary:visible")


@pytest.mark.thorough
def test_the_head_says_where_the_time_went(load: Any) -> None:
    text = load(SMALL).inner_text("body")
    for said in ("train.py --steps 3", "ended: ValueError", "2.9 s of 10.0 s (29 %)", "Compiled again", "1.3 s"):
        assert said in text
    for said in (
        "JAX's cache on disk had 1 of 1 program.",
        "Not recorded: the arguments of pmap",
        "with 7 other programs",
    ):
        assert said in text
    assert "JAX prepared no program" in load(Run("train.py", 1.0, "exit 0", {})).inner_text("#spent")


@pytest.mark.thorough
def test_a_row_opens_to_the_lines_that_led_to_it(load: Any) -> None:
    opened = load(SMALL)
    row = again(opened).first
    assert re.search(
        r"1\.3 s\s+step\s+jit\s+2 programs\s+train\.py:12\s+1\.3 s\s+n: 1 → 2\s*jit-retrace", row.inner_text()
    )
    row.click()
    opened.locator("#ranked .stack").first.wait_for()
    assert "train.py:12" in opened.inner_text("#ranked .stack") and "main" in opened.inner_text("#ranked .stack")
    opened.click("#tables section[aria-label='By line of a library'] li summary")
    assert opened.locator("#tables .stack li.library .place").first.inner_text() == "optax/update.py:4"
    never = opened.locator("#ranked details.section", has_text="Never again")
    assert never.locator("ul").first.is_hidden()
    never.locator("summary").first.click()
    assert "load" in never.locator("ul").first.inner_text()


@pytest.mark.thorough
def test_reasons_that_say_the_same_are_one(load: Any) -> None:
    reasons = tuple(Reason(path, "1 → 2") for path in "abc")
    preparations = tuple(replace(one, reasons=reasons) for one in SMALL.preparations)
    opened = load(replace(SMALL, preparations=preparations))
    assert "a, b and 1 more: 1 → 2" in again(opened).first.inner_text()


@pytest.mark.thorough
def test_the_search_filters_everything(load: Any) -> None:
    opened = load(made(5000, 300))
    assert again(opened).count() == 15 and opened.inner_text("#window") == "301 lanes"
    opened.keyboard.press("/")
    opened.keyboard.type("is:again step_29 loop.py:7")
    assert re.fullmatch(r"\d+ of 5,000 programs", opened.inner_text("#found"))
    assert 0 < again(opened).count() <= 11
    assert all("step_29" in row for row in again(opened).all_inner_texts())
    assert opened.inner_text("#tables .section >> nth=0").startswith("Operations outside of jit\n0 of 39 lines")
    opened.wait_for_function("() => parseInt(document.getElementById('window').textContent) <= 11")
    opened.keyboard.type(" nothing has this")
    assert opened.is_visible("#nothing") and again(opened).count() == 0
    opened.keyboard.press("Escape")
    assert opened.input_value("#search") == "" and again(opened).count() == 15
    opened.click("button.card.operation")
    opened.wait_for_function("() => document.getElementById('window').textContent === '1 lane'")
    assert opened.get_attribute("button.card.operation", "aria-pressed") == "true"


@pytest.mark.thorough
def test_lists_can_be_used_by_keyboard(load: Any) -> None:
    opened = load(made(500, 40))
    opened.keyboard.press("/")
    opened.keyboard.press("ArrowDown")
    focused = "document.activeElement.innerText"
    rows = again(opened).all_inner_texts()
    assert opened.evaluate(focused) == rows[0]
    opened.keyboard.press("ArrowDown")
    assert opened.evaluate(focused) == rows[1]
    opened.keyboard.press("ArrowRight")
    opened.locator("#ranked .stack").first.wait_for()
    opened.keyboard.press("ArrowLeft")
    opened.locator("#ranked .stack").first.wait_for(state="hidden")
    opened.keyboard.press("End")
    assert opened.evaluate(focused) == "Show 25 more"
    opened.keyboard.press("Enter")
    assert again(opened).count() == 40 and opened.evaluate(focused) == again(opened).nth(15).inner_text()


@pytest.mark.thorough
def test_the_timeline_can_be_used_by_keyboard(load: Any) -> None:
    opened = load(SMALL)
    opened.focus("#search")
    for _ in range(8):
        opened.keyboard.press("Tab")
        if opened.evaluate("document.activeElement.id") == "events":
            break
    assert opened.inner_text("#tip").startswith("add")
    opened.keyboard.press("ArrowDown")
    opened.keyboard.press("End")
    assert "n: 1 → 2" in opened.inner_text("#tip")
    assert opened.text_content("#says").startswith("step, compiled again, 1.3 s")
    opened.keyboard.press("+")
    opened.wait_for_function("() => document.getElementById('window').textContent.endsWith('of 10.0 s')")
    opened.keyboard.press("Enter")
    assert opened.inner_text("#chosen h3").startswith("step")
    opened.click("#chosen >> text=program 0")
    assert "compiled for the first time" in opened.inner_text("#chosen")
    opened.keyboard.press("0")
    opened.wait_for_function("() => document.getElementById('window').textContent === '3 lanes'")
    opened.keyboard.press("Escape")
    opened.keyboard.press("Escape")
    assert not opened.is_visible("#chosen")


@pytest.mark.thorough
def test_the_timeline_can_be_used_by_mouse(load: Any) -> None:
    opened = load(SMALL)
    box = opened.locator("#events").bounding_box()
    left, wide = 260, box["width"] - 260 - 12
    opened.mouse.move(box["x"] + left + wide * 0.25, box["y"] + 36)
    assert "n: 1 → 2" in opened.inner_text("#tip")
    opened.mouse.down()
    opened.mouse.up()
    assert opened.inner_text("#chosen h3").startswith("step")
    opened.keyboard.down("Control")
    opened.mouse.wheel(0, -300)
    opened.keyboard.up("Control")
    opened.wait_for_function("() => document.getElementById('window').textContent.endsWith('of 10.0 s')")
    before = opened.inner_text("#window")
    opened.mouse.down()
    opened.mouse.move(box["x"] + left + 60, box["y"] + 36, steps=4)
    opened.mouse.up()
    opened.wait_for_function("before => document.getElementById('window').textContent !== before", arg=before)
    opened.click("#fit")
    opened.wait_for_function("() => document.getElementById('window').textContent === '3 lanes'")


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_many_events_are_drawn_with_few_elements(load: Any, scheme: str) -> None:
    opened = load(made(5000, 300), scheme)
    for canvas in ("events", "overview"):
        opened.wait_for_function(f"(id) => ({COLOURS})(id) >= 4", arg=canvas)
    assert opened.evaluate("document.querySelectorAll('*').length") < 2500
    opened.focus("#events")
    for _ in range(31):
        opened.keyboard.press("PageDown")
    assert opened.evaluate("document.getElementById('lanes').scrollTop") > 5000


# How many colours the upper part of a canvas has.
COLOURS = """(id) => {
  const { data } = document.getElementById(id).getContext("2d").getImageData(300, 0, 800, 34);
  return new Set(new Uint32Array(data.buffer)).size;
}"""


@pytest.mark.thorough
def test_hostile_names_are_shown_as_they_are(load: Any) -> None:
    opened = load(hostile())
    assert opened.inner_text("#program") == HOSTILE
    for summary in opened.locator("summary").all():
        summary.click()
    opened.focus("#events")
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("Enter")
    assert HOSTILE in opened.inner_text("#chosen") and HOSTILE in opened.inner_text("#tip")
    assert HOSTILE in opened.inner_text(".source")
    assert opened.locator("img").count() == 0 and opened.locator("script").count() == 2


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_in_both_themes(load: Any, scheme: str) -> None:
    contrasts = load(SMALL, scheme).evaluate(CONTRASTS)
    assert len(contrasts) == 16
    assert {name: contrast for name, contrast in contrasts.items() if contrast < 4.5} == {}


# The contrast of each colour of text with each colour that is below texts, by the formula of WCAG.
CONTRASTS = """() => {
  const linear = (part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = (colour) => {
    const [red, green, blue] = [1, 3, 5].map((at) => linear(parseInt(colour.slice(at, at + 2), 16) / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (...colours) => {
    const [low, high] = colours.map(light).sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const found = {};
  const compare = (texts, grounds) => texts.forEach((text) => grounds.forEach((ground) => {
    found[`${text} on ${ground}`] = contrast(colour(text), colour(ground));
  }));
  compare(["text", "faint"], ["page", "panel", "strip", "strip-table"]);
  compare(["focus", "bad"], ["page", "panel"]);
  compare(["on-bar"], ["again", "first", "operation", "traced"]);
  return found;
}"""
