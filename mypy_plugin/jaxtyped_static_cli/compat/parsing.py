"""Parses a file as mypy does, without checking it."""

from pathlib import Path
from typing import Final

from mypy.errors import CompileError, Errors
from mypy.fastparse import parse
from mypy.nodes import MypyFile, SymbolTable
from mypy.options import Options

from ..files.older_syntax import in_older_syntax

# What mypy 2.4.1 raises for a file that nests too deeply for it, beside a syntax error: it goes on without a tree, and
# Python's own parser runs out of its stack.
_TOO_DEEP: Final = (RecursionError, UnboundLocalError, MemoryError)


def parsed(text: str, path: Path, module: str) -> MypyFile | None:
    """The tree of a module; None if it has a syntax error, or nests too deeply.

    mypy parses it with the Python that runs it; what that is too old for is left out.
    """
    found = _parsed(text, path, module)
    older = in_older_syntax(text) if found is None else None
    return _parsed(older, path, module) if older is not None else found


def _parsed(text: str, path: Path, module: str) -> MypyFile | None:
    options = Options()
    errors = Errors(options)
    try:
        tree = parse(text, str(path), module, errors, options)
    except (CompileError, *_TOO_DEEP):
        return None
    if errors.is_errors():
        return None
    tree._fullname, tree.names = module, SymbolTable()  # which mypy itself sets after parsing
    return tree
