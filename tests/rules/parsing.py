"""Python's parser, for one thread at a time: in CPython 3.11 all threads share its depth counter."""

from __future__ import annotations

import ast
import threading
from functools import cache

_LOCK = threading.Lock()


@cache
def _parse(text: str) -> ast.Module:
    return ast.parse(text)


def parse(text: str) -> ast.Module:
    """Returns the module's tree, which is shared and must not be changed.

    Raises:
        SyntaxError: the text is not Python.
    """
    with _LOCK:
        return _parse(text)
