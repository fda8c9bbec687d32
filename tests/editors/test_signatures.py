"""What editors show of a jitted function: under `jax.jit` they lose its parameters, under our `jit` they keep them."""

import sys
from pathlib import Path

import pytest

from tests.editors.language_server import Editor, Json, Place, editor

pytestmark = pytest.mark.thorough

BIN = Path(sys.executable).parent
SERVERS: dict[str, tuple[list[str | Path], dict[str, Json]]] = {
    "pyright": ([BIN / "pyright-langserver", "--stdio"], {"python": {"pythonPath": sys.executable}}),
    "ty": ([BIN / "ty", "server"], {"ty": {"configuration": {"environment": {"python": sys.prefix}}}}),
    "pyrefly": ([BIN / "pyrefly", "lsp"], {"python": {"pythonPath": sys.executable}}),
}
PLAIN = '''
import functools
import jax


@functools.partial(jax.jit, static_argnames="steps")
def advance(y: jax.Array, steps: int) -> jax.Array:
    """Advances `y`."""
    return y * steps


advance()
'''
OURS = '''
import jax
from jaxtyped_static import Static, jit


@jit
def advance(y: jax.Array, steps: Static[int]) -> jax.Array:
    """Advances `y`."""
    return y * steps


advance()
'''


@pytest.mark.parametrize("server", SERVERS)
def test_the_editor_shows_the_parameters_of_what_jit_returns(server: str, tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text(PLAIN)
    (tmp_path / "ours.py").write_text(OURS)
    command, settings = SERVERS[server]
    with editor(command, tmp_path, settings) as opened:
        plain, ours = (_shown(opened, name, text) for name, text in (("plain.py", PLAIN), ("ours.py", OURS)))
    assert {name: "steps" in text for name, text in plain.items()} == dict.fromkeys(plain, False), plain
    assert {name: "steps" in text for name, text in ours.items()} == dict.fromkeys(ours, True), ours


def _shown(opened: Editor, name: str, text: str) -> dict[str, str]:
    """What the editor shows over the function's name in a call, and between the parentheses of the call."""
    opened.open(name)
    over, inside = Place.of(text, "\nadv|ance()"), Place.of(text, "\nadvance(|)")
    completions = opened.request("textDocument/completion", **opened.at(name, inside)) or []
    items = completions["items"] if isinstance(completions, dict) else completions
    return {
        "hover": str(opened.request("textDocument/hover", **opened.at(name, over))),
        "signature": str(opened.request("textDocument/signatureHelp", **opened.at(name, inside))),
        "completion": " ".join(item["label"] for item in items if item["label"].startswith("steps")),
    }
