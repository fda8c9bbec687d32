"""The mypy plugin of jaxtyped-static: `plugins = ["jaxtyped_static_mypy"]`.

Facts (what the code declares) -> judgement (a type's verdict) -> rules (message and advice per code) -> plugin
(dispatch).
"""

import hashlib
from pathlib import Path

from .plugin import plugin as plugin


def _digest() -> str:
    """A digest of every source file: mypy itself notices an edit of a plugin's entry file only."""
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()[:16]


__version__ = _digest()
