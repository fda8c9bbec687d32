"""A part of a census: the functions and classes that the user names."""

import difflib
from collections.abc import Iterable
from fnmatch import fnmatchcase

from ..terminal.problems import Problem
from .model import Census


def select(census: Census, patterns: Iterable[str]) -> Census:
    """Those whose name or identifier matches a pattern, in which `*` stands for any text; all without patterns.

    Raises:
        Problem: nothing matches.
    """
    patterns = list(patterns)
    if not patterns:
        return census
    functions = tuple(chosen for chosen in census.functions if _matches(chosen.id, chosen.name, patterns))
    classes = tuple(cls for cls in census.classes if _matches(cls.id, cls.name, patterns))
    if not functions and not classes:
        names = census.names.values()
        near = difflib.get_close_matches(patterns[0], names, n=1)
        hint = f"did you mean {near[0]}?" if near else "write * for any text, as in '*Config'"
        raise Problem(f"no compiled function and no class with a role is named {' or '.join(patterns)}; {hint}")
    return census._replace(functions=functions, classes=classes)


def _matches(identifier: str, name: str, patterns: Iterable[str]) -> bool:
    texts = (name, name.rpartition(".")[2], identifier)
    return any(fnmatchcase(text, pattern) for text in texts for pattern in patterns)
