"""Parses a file as mypy does, without checking it."""

from pathlib import Path

from mypy.errors import CompileError, Errors
from mypy.fastparse import parse
from mypy.nodes import MypyFile, SymbolTable
from mypy.options import Options


def parsed(text: str, path: Path, module: str) -> MypyFile | None:
    """The tree of a module; None if it has a syntax error."""
    options = Options()
    errors = Errors(options)
    try:
        tree = parse(text, str(path), module, errors, options)
    except (CompileError, RecursionError):
        return None
    if errors.is_errors():
        return None
    tree._fullname, tree.names = module, SymbolTable()  # which mypy itself sets after parsing
    return tree
