"""The files of a project beside its modules: what starts functions and modules by their names, or uses them."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from ...files.ordinary import read_ordinary
from ...files.python_files import find_named

_WORD: Final = re.compile(rb"[A-Za-z_]\w+")
# Of what people read, only what is written as code counts: between backquotes, in blocks.
_AS_CODE: Final = re.compile(rb"(?s:```.*?```)|`[^`\n]+`|^(?: {4}|\t|>>>).*$", re.MULTILINE)
_PROSE: Final = frozenset({".md", ".markdown"})
_READ: Final = _PROSE | frozenset(
    {"", ".bash", ".cfg", ".gin", ".ini", ".ipynb", ".jsonnet", ".rst", ".sbatch", ".sh", ".slurm", ".toml", ".yaml"}
    | {".json", ".yml"}
)
_NOTEBOOK: Final = ".ipynb"
_LARGEST: Final = 300_000  # bytes: larger ones are data
_LARGEST_NOTEBOOK: Final = 20_000_000
_MOST_FILES: Final = 3000


def words_beside(root: Path) -> frozenset[str] | None:
    """The words of a project's notebooks, scripts and settings; None if there are too many to read."""
    found = set[str]()
    for number, path in enumerate(find_named([root], _READ, root)):
        if number > _MOST_FILES:
            return None
        try:
            state = path.stat()
        except OSError:
            continue
        found |= _words(path, state.st_mtime_ns, state.st_size)
    return frozenset(found)


@lru_cache(_MOST_FILES)
def _words(path: Path, changed: int, size: int) -> frozenset[str]:
    if size > (_LARGEST_NOTEBOOK if path.suffix == _NOTEBOOK else _LARGEST):
        return frozenset()
    try:
        content = read_ordinary(path)
    except OSError:
        return frozenset()
    parts = _AS_CODE.findall(content) if path.suffix in _PROSE else (content,)
    return frozenset(word.decode(errors="replace") for part in parts for word in _WORD.findall(part))


def other_modules(root: Path, known: Iterable[Path]) -> Iterator[Path]:
    """The Python files of a project that are not checked."""
    checked = set(known)
    return (path for path in find_named([root], {".py"}, root) if path not in checked)
