"""Fenced blocks: test cases become listings, Mermaid becomes a drawing, so that a page loads nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Final

from website.links import split_at_blocks

# The words after the language are for the tests; the highlighter would not take the block for one.
_INFO: Final = re.compile(r"^( *`{3,}\w+)[^\n`]*")
_ERROR, _NOTE = re.compile(r"# E(?:@\d+)?: "), re.compile(r"# N(?:@\d+)?: ")
_MERMAID: Final = re.compile(r"^```mermaid\n(.*)^```\n?", re.MULTILINE | re.DOTALL)


def as_listings(text: str) -> str:
    """Returns the page with its blocks as the site shows them."""
    return "".join(_shown(part) if is_code else part for is_code, part in split_at_blocks(text))


def _shown(block: str) -> str:
    if diagram := _MERMAID.fullmatch(block):
        return f'<figure class="diagram">{drawn(diagram[1])}</figure>\n'
    listing = _INFO.sub(r"\1", block)
    if listing.lstrip().startswith("```python"):
        listing = _NOTE.sub("# note: ", _ERROR.sub("# error: ", listing))
    return listing


def drawn(mermaid: str) -> str:
    """Returns a diagram as SVG, on one line, so that Markdown takes it for one block of HTML."""
    command = [sys.executable, "-m", "mmdr", "--format", "svg", "--output", "-"]
    done = subprocess.run(command, input=mermaid, capture_output=True, text=True, check=True)
    return re.sub(r"\s*\n\s*", " ", done.stdout.strip())
