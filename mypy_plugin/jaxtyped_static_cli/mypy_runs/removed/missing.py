"""Where a file uses names and arguments that a package may not have, by its syntax."""

import ast
import functools
import re
from collections.abc import Iterator
from typing import Final

from jaxtyped_static_mypy.knowledge.ecosystem import PACKAGES
from jaxtyped_static_mypy.knowledge.full_names import PARTIAL
from jaxtyped_static_mypy.knowledge.removed_arguments import FUNCTIONS_WITH, LAST_WITH
from jaxtyped_static_mypy.knowledge.removed_names import removed

from .packages import Packages
from .source_files import Node, SourceFile, Use, source_file
from .uses import ATTRIBUTE_ERROR, IMPORT_ERROR, NO_MODULE

_ANSWERS_KEPT: Final = 4096
TYPE_ERROR: Final = "TypeError"
_IMPORTING: Final = re.compile(rf"^\s*(?:from|import)\s+(?:{'|'.join(PACKAGES)})\b".encode(), re.MULTILINE)
# A function that took an argument by name; `[^=]` as in `x == y`.
_NAMED: Final = "|".join(sorted({function.rpartition(".")[2] for function, _ in LAST_WITH}))
_REMOVED: Final = re.compile(rf"\b(?:{_NAMED})[(,]".encode())  # `clip(x, a_min=0)`, `partial(clip, a_min=0)`


@functools.lru_cache(_ANSWERS_KEPT)
def missing_names(content: bytes, python: tuple[int, int], packages: Packages) -> tuple[Use, ...]:
    """The uses of names that no module of a package has, and that none of JAX's had."""
    file = source_file(content) if _IMPORTING.search(content) is not None else None
    if file is None:
        return ()
    found = ((node, at, name, error) for node, at, name, error in _named(file) if _lacks(packages, name, error))
    gone = [(node, at, name, error) for node, at, name, error in found if removed(name) is None]
    return tuple(file.use(at, name, error) for node, at, name, error in gone if file.raises(node, python))


def _lacks(packages: Packages, name: str, error: str) -> bool:
    """Whether a name is not there, and all that it is in is."""
    return (packages.missing_module(name) if error == NO_MODULE else packages.missing(name)) == name


@functools.lru_cache(_ANSWERS_KEPT)
def removed_arguments(content: bytes, python: tuple[int, int]) -> tuple[Use, ...]:
    """The arguments that some release of JAX took by name."""
    file = source_file(content) if _REMOVED.search(content) is not None else None
    if file is None:
        return ()
    given = [(call, keyword) for call, keyword in keywords(file) if keyword.arg in FUNCTIONS_WITH]
    named = [(keyword, _function_called(file, call)) for call, keyword in given]
    return tuple(
        file.use(keyword, name, TYPE_ERROR, keyword.arg or "")
        for keyword, name in named
        if name in FUNCTIONS_WITH[keyword.arg or ""] and file.raises(keyword, python)
    )


@functools.lru_cache(_ANSWERS_KEPT)
def arguments(content: bytes, python: tuple[int, int], packages: frozenset[str]) -> tuple[Use, ...]:
    """All that calls of functions of some packages give by name."""
    if not any(package.encode() in content for package in packages):
        return ()
    file = source_file(content)
    return tuple(_arguments(file, list(keywords(file)), python, packages)) if file is not None else ()


@functools.lru_cache(_ANSWERS_KEPT)
def arguments_on(content: bytes, line: int, argument: str, python: tuple[int, int]) -> tuple[Use, ...]:
    """What is given by a name in calls that begin on a line."""
    file = source_file(content)
    if file is None:
        return ()
    calls = [(call, keyword) for call, keyword in keywords(file) if (call.lineno, keyword.arg) == (line, argument)]
    return tuple(_arguments(file, calls, python, frozenset(PACKAGES)))


def _named(file: SourceFile) -> Iterator[tuple[Node, Node, str, str]]:
    """What raises, where that is shown, the full name and the error, of all that a file names of packages."""
    for node in file.nodes():
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            name = file.full_name(node)
            if name.partition(".")[0] in PACKAGES:
                yield node, node, name, ATTRIBUTE_ERROR
    for node in file.imports:
        yield from _imported(node)


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[Node, Node, str, str]]:
    modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
    if isinstance(node, ast.ImportFrom) and node.level:
        return
    for module in (module for module in modules if module.partition(".")[0] in PACKAGES):
        parts = module.split(".")
        for end in range(2, len(parts) + 1):
            yield node, node, ".".join(parts[:end]), NO_MODULE
        for alias in node.names if isinstance(node, ast.ImportFrom) else ():
            if alias.name != "*":
                yield node, alias, f"{module}.{alias.name}", IMPORT_ERROR


def keywords(file: SourceFile) -> Iterator[tuple[ast.Call, ast.keyword]]:
    calls = (node for node in file.nodes() if isinstance(node, ast.Call))
    return ((call, keyword) for call in calls for keyword in call.keywords if keyword.arg is not None)


def _function_called(file: SourceFile, call: ast.Call) -> str:
    """The full name of a function that gets the arguments, which `partial(f, x=1)` passes on."""
    name = file.full_name(call.func)
    return file.full_name(call.args[0]) if name == PARTIAL and call.args else name


def _arguments(
    file: SourceFile, calls: list[tuple[ast.Call, ast.keyword]], python: tuple[int, int], packages: frozenset[str]
) -> Iterator[Use]:
    for call, keyword in calls:
        name = _function_called(file, call)
        if name.partition(".")[0] in packages and file.raises(keyword, python):
            yield file.use(keyword, name, TYPE_ERROR, keyword.arg or "")
