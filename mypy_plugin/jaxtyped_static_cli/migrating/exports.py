"""Which of the names that a file imports other code may read from it."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from ..files.python_names import bound_by
from ..fixes.proofs.code import Code, Parsed, dotted, read_code

_READING_ALL: Final = ("eval", "exec", "globals", "locals", "vars")
_PATH: Final = re.compile(r"[\w.:]*?(\w+)")  # `partial`, and `m1.partial` as `mock.patch` takes it
_WORD: Final = re.compile(r"\w+")


class Exports:
    """What each file of a program says that may be about the names of another one."""

    def __init__(self, contents: Mapping[Path, bytes]) -> None:
        self._code = read_code(contents, contents.__getitem__, Path(), {})
        self._mentions = _by_name(self._code)

    def of(self, path: Path) -> frozenset[str] | None:
        """The imported names that other code may read from a file; None if it may read all of them."""
        source = self._code.source(path)
        if path.name == "__init__.py" or source is None or source.parsed is None or self._code.unreadable:
            return None
        if any(name in source.parsed.names for name in _READING_ALL):
            return None
        if any(_imports_all(path.stem, parsed) for other, parsed in self._code.readable if other is not source):
            return None
        own = set(_texts(source.parsed))
        return frozenset(name for name in _imported(source.parsed) if name in own or self._is_read(name, path))

    def _is_read(self, name: str, path: Path) -> bool:
        return any(other != path and module in ("", path.stem) for other, module in self._mentions.get(name, ()))


def _by_name(code: Code) -> Mapping[str, set[tuple[Path, str]]]:
    """Where each name is mentioned: the file, and the last part of the module, which is empty if it may be any."""
    stems = {source.path.stem for source in code.sources}
    found: dict[str, set[tuple[Path, str]]] = {}
    for source, parsed in code.readable:
        for name, module in _mentioned(parsed, stems):
            found.setdefault(name, set()).add((source.path, module))
    return found


def _mentioned(parsed: Parsed, stems: set[str]) -> Iterator[tuple[str, str]]:
    for line in parsed.all(ast.ImportFrom):
        yield from ((alias.name, (line.module or "").rpartition(".")[2]) for alias in line.names)
    libraries = {name for line in parsed.all(ast.Import) if not _is_of(line, stems) for name in bound_by(line)}
    for name, nodes in parsed.attributes.items():
        if any(dotted(node).partition(".")[0] not in libraries for node in nodes):
            yield name, ""
    yield from ((name, "") for name in _texts(parsed))
    if any(name in parsed.names for name in _READING_ALL):
        texts = (constant.value for constant in parsed.all(ast.Constant) if isinstance(constant.value, str))
        yield from ((word, "") for text in texts for word in _WORD.findall(text))


def _is_of(line: ast.Import, stems: set[str]) -> bool:
    """Whether an import may be of a module of the program."""
    return any(part in stems for alias in line.names for part in alias.name.split("."))


def _imports_all(stem: str, parsed: Parsed) -> bool:
    return any(
        (line.module or "").rpartition(".")[2] in ("", stem) and any(alias.name == "*" for alias in line.names)
        for line in parsed.all(ast.ImportFrom)
    )


def _imported(parsed: Parsed) -> Iterator[str]:
    for kind in (ast.Import, ast.ImportFrom):
        for line in parsed.all(kind):
            yield from bound_by(line)


def _texts(parsed: Parsed) -> Iterator[str]:
    """The names that are text, as `__all__` and `getattr` take them."""
    for constant in parsed.all(ast.Constant):
        if isinstance(constant.value, str) and (found := _PATH.fullmatch(constant.value)) is not None:
            yield found[1]
