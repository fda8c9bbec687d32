"""Python's parser, for one thread at a time: CPython 3.11 counts the depth of a tree in one place for all of them."""

from __future__ import annotations

import ast
import threading
from functools import cache

_LOCK = threading.Lock()


@cache
def _parse(text: str) -> ast.Module:
    return ast.parse(text)


def parse(text: str) -> ast.Module:
    """The module's tree, which is shared: not to be changed.

    Raises:
        SyntaxError: it is no Python.
    """
    with _LOCK:
        return _parse(text)
