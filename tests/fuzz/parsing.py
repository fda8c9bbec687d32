"""Whether a text is a valid program."""

from __future__ import annotations

import ast
import warnings


def parses(text: str) -> bool:
    return _passes(text, ast.PyCF_ONLY_AST)


def compiles(text: str) -> bool:
    """Also refuses texts that parse but do not compile: `return` at module level, two parameters of one name."""
    return _passes(text, 0)


def _passes(text: str, flags: int) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "program", "exec", flags, dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError):
            return False
    return True
