"""The extension in a real VS Code: what is wrong is underlined while it is typed, and a quick fix mends it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.cli.running import write
from tests.editors.vscode import code_server

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("vscode")]

PROGRAM = """\
from functools import partial

import jax


@partial(jax.jit, static_argnames="sizes")
def step(y: jax.Array, sizes: tuple[int, ...]) -> jax.Array:
    return y * len(sizes)


step(jax.numpy.ones(3), (1, 2))
"""
SETTINGS = {
    "workbench.startupEditor": "none",
    "editor.autoClosingBrackets": "never",
    "editor.minimap.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": True,
}
SERVER_COMMAND = [sys.executable, "-P", "-m", "jaxtyped_static_mypy", "server"]
SERVER = {
    "jaxtypedStatic.server": SERVER_COMMAND,
    "jaxtypedStatic.python": sys.executable,
}
SLOW = 90_000  # milliseconds that something may take on a machine with much else to do
EDITOR = ".monaco-editor .view-lines"
SQUIGGLE = ".squiggly-error"


@pytest.fixture(scope="module")
def vsix() -> Path:
    built = code_server.EXTENSION / "jaxtyped-static.vsix"
    if not built.exists():
        pytest.skip("needs the extension: make vscode")
    return built


@pytest.fixture
def starting(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found = code_server.command()
    if found is None:
        pytest.skip("needs code-server: set CODE_SERVER to the command that starts it")
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    return found


@pytest.fixture(params=["light", "dark"])
def window(
    request: pytest.FixtureRequest, browser: Any, vsix: Path, tmp_path: Path, starting: list[str]
) -> Iterator[Any]:
    """A page with the program in the editor."""
    workspace = write(tmp_path / "project", {"train.py": PROGRAM, "pyproject.toml": ""})
    theme = "Default Light Modern" if request.param == "light" else "Default Dark Modern"
    settings = {**SETTINGS, "security.workspace.trust.enabled": False, "workbench.colorTheme": theme, **SERVER}
    with code_server.running(starting, tmp_path, workspace, settings, vsix) as address:
        yield from page_with_program(browser, address, request.param)


@pytest.fixture
def restricted(browser: Any, vsix: Path, tmp_path: Path, starting: list[str]) -> Iterator[Any]:
    """A page with the program, in a workspace that nobody has trusted. Its interpreter notes that it was run."""
    workspace = write(tmp_path / "project", {"train.py": PROGRAM, "pyproject.toml": ""})
    python = workspace / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\ntouch {tmp_path / "ran"}\nexec {sys.executable} "$@"\n')
    python.chmod(0o755)
    settings = {**SETTINGS, "security.workspace.trust.startupPrompt": "never"}
    with code_server.running(starting, tmp_path, workspace, settings, vsix) as address:
        yield from page_with_program(browser, address, "light")


def page_with_program(browser: Any, address: str, scheme: str) -> Iterator[Any]:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme=scheme)
    page.set_default_timeout(SLOW)
    page.goto(address)
    page.wait_for_selector(".monaco-workbench")
    page.keyboard.press("Control+p")
    page.keyboard.type("train.py")
    page.wait_for_selector(".quick-input-list .monaco-list-row")
    page.keyboard.press("Enter")
    page.wait_for_selector(EDITOR)
    yield page
    picture(page)
    page.close()


def test_typing_a_mistake_underlines_it_and_a_quick_fix_mends_it(window: Any) -> None:
    window.get_by_text("1 caller").first.wait_for()  # the server has answered
    replace(window, "(1, 2)", "[1, 2]")
    window.wait_for_selector(SQUIGGLE)
    window.keyboard.press("ArrowLeft")
    window.keyboard.press("Control+k")
    window.keyboard.press("Control+i")
    window.get_by_text("View Problem").first.wait_for()
    picture(window)
    window.keyboard.press("Escape")
    assert "list[int] is mutable; use tuple[int, ...] instead" in problems(window)
    replace(window, "tuple[int, ...]", "list[int]")
    window.keyboard.press("Control+.")
    window.get_by_text("static-mutable: use tuple[int, ...] instead").first.wait_for()
    window.keyboard.press("Enter")
    window.get_by_text("sizes: tuple[int, ...]").first.wait_for()
    replace(window, "(1, 2)", "(1, 2)")
    window.wait_for_selector(SQUIGGLE, state="detached")


def test_hover_hints_and_lenses_say_what_is_static(window: Any) -> None:
    window.get_by_text("1 caller").first.wait_for()
    assert window.get_by_text("static", exact=True).count() >= 2
    window.locator(EDITOR).get_by_text("step", exact=False).first.wait_for()
    go_to(window, 7, 6)
    window.keyboard.press("Control+k")
    window.keyboard.press("Control+i")
    window.get_by_text("compiled by").first.wait_for()


def test_the_list_moves_into_the_signature(window: Any) -> None:
    window.get_by_text("1 caller").first.wait_for()
    go_to(window, 7, 6)
    window.keyboard.press("Control+.")
    window.get_by_text("mark sizes as Static[...] in the signature").first.wait_for()
    picture(window)
    window.keyboard.press("Enter")
    window.get_by_text("sizes: Static[tuple[int, ...]]").first.wait_for()


def test_nothing_of_a_workspace_is_run_before_it_is_trusted(restricted: Any, tmp_path: Path) -> None:
    window = restricted
    window.locator("#jaxtyped-static\\.jaxtyped-static\\.jaxtypedStatic").get_by_text("JAX static").wait_for()
    run(window, "jaxtyped-static: Run with the recorder and show the report")
    window.get_by_text("in a workspace that you trust").first.wait_for()
    assert not (tmp_path / "ran").exists()
    window.get_by_role("button", name="Restricted Mode").first.click()
    window.get_by_role("button", name="Trust", exact=True).first.click()
    while not (tmp_path / "ran").exists():
        window.wait_for_timeout(200)


def test_a_lens_says_what_the_last_recorded_run_cost(window: Any, tmp_path: Path) -> None:
    window.get_by_text("1 caller").first.wait_for()
    program = [sys.executable, "-P", "-m", "jaxtyped_static_mypy", "run", "train.py"]
    subprocess.run(program, cwd=tmp_path / "project", check=True, capture_output=True)
    replace(window, "(1, 2)", "(1, 2)")
    window.get_by_text("compiled 1 time, ").first.click()
    window.get_by_text("It was compiled once.").first.wait_for()


def test_a_server_that_is_killed_is_started_again(window: Any) -> None:
    window.get_by_text("1 caller").first.wait_for()
    servers = [one for one in psutil.process_iter(["cmdline"]) if one.info["cmdline"] == SERVER_COMMAND]
    assert servers
    for server in servers:
        server.kill()
    replace(window, "(1, 2)", "[1, 2]")
    window.wait_for_selector(SQUIGGLE)


def test_the_census_is_shown_beside_the_text(window: Any) -> None:
    window.get_by_text("1 caller").first.wait_for()
    run(window, "jaxtyped-static: Show census")
    page = window.frame_locator("iframe.webview.ready").frame_locator("iframe")
    page.get_by_text("step()").first.wait_for()
    assert "1 compiled function" in page.locator("body").inner_text()


def picture(window: Any) -> None:
    """Keeps a picture, for people to look at."""
    if (folder := os.environ.get("SCREENSHOTS")) is not None:
        name = "".join(letter if letter.isalnum() else "-" for letter in os.environ["PYTEST_CURRENT_TEST"])
        window.screenshot(path=f"{folder}/{name}.png")


def replace(window: Any, old: str, new: str) -> None:
    """By the editor's own dialog."""
    line = next(number for number, text in enumerate(PROGRAM.splitlines(), 1) if old in text)
    column = PROGRAM.splitlines()[line - 1].index(old) + 1
    go_to(window, line, column)
    for _ in old:
        window.keyboard.press("Delete")
    window.keyboard.type(new)


def go_to(window: Any, line: int, column: int) -> None:
    window.keyboard.press("Control+g")
    window.wait_for_selector(".quick-input-widget:visible")
    window.locator(".quick-input-widget input").fill(f":{line}:{column}")
    window.keyboard.press("Enter")
    window.wait_for_selector(".quick-input-widget", state="hidden")
    window.get_by_role("button", name=f"Ln {line}, Col {column}").wait_for()


def run(window: Any, command: str) -> None:
    window.keyboard.press("F1")
    window.wait_for_selector(".quick-input-widget:visible")
    window.locator(".quick-input-widget input").fill(f">{command}")
    window.wait_for_selector(f'.quick-input-list .monaco-list-row.focused[aria-label*="{command}"]')
    window.keyboard.press("Enter")


def problems(window: Any) -> str:
    """What the panel says."""
    window.keyboard.press("Control+Shift+m")
    window.wait_for_selector(".markers-panel .monaco-list-row")
    text: str = window.locator(".markers-panel").inner_text()
    window.keyboard.press("Control+1")
    return text.replace("\xa0", " ")
