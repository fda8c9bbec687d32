"""Whether users install a project by its name: then they get the newest releases that its metadata allows.

A lock, a `requirements.txt` or a workflow of such a project is for those who work on it.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ..files.ordinary import text_of
from ..files.parsing import parsed_by_python
from .asking_files import READMES, readmes_in
from .packaging import below, name_in, options_in, toml_in

FOR_USERS: Final = ("setup.py", "setup.cfg", "pyproject.toml", *READMES)
_JAX: Final = "jax"
_NAME: Final = re.compile(r"[\w.-]+")  # at the beginning of a requirement
_NAMED: Final = re.compile(r"\bname\s*=\s*[\"']([\w.-]+)[\"']")  # in a call of `setup`
_INSTALLED: Final = r"\b(?:pip3?|uv|poetry|pdm)\s+(?:pip\s+)?(?:install|add)\s+(?:-\S+\s+)*[\"']?{}(?![\w.-])"


def is_published(folder: Path) -> bool:
    """Whether the README of a project tells users to install it by name, and its metadata requires jax.

    The metadata has to name it there: a `setup.py` may read its requirements from another file.
    """
    return _JAX in _required(folder) and _is_installed_by_name(folder)


def _required(folder: Path) -> set[str]:
    """The names of the distributions that a project requires."""
    tables = toml_in(folder)
    listed = [*_texts(below(tables, ("project", "dependencies"))), *_of_setup(folder)]
    listed += options_in(folder).get("install_requires", "").splitlines()
    of_poetry = below(tables, ("tool", "poetry", "dependencies"))
    found = (match[0] for match in map(_NAME.search, listed) if match is not None)
    return {_normal(name) for name in (*found, *(of_poetry if isinstance(of_poetry, dict) else ()))}


def _of_setup(folder: Path) -> Iterator[str]:
    """What the call of `setup` lists."""
    tree = parsed_by_python(text_of(folder / "setup.py"))
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.keyword) and node.arg == "install_requires" and isinstance(node.value, ast.List):
            yield from _texts([item.value for item in node.value.elts if isinstance(item, ast.Constant)])


def _texts(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _is_installed_by_name(folder: Path) -> bool:
    name = _name(folder)
    words = re.escape(_normal(name)).replace(r"\-", "[-_.]")
    pattern = re.compile(_INSTALLED.format(words), re.IGNORECASE)
    return bool(name) and any(pattern.search(text_of(file)) for file in readmes_in(folder))


def _name(folder: Path) -> str:
    found = name_in(toml_in(folder)) or options_in(folder).get("name", "")
    written = _NAMED.search(text_of(folder / "setup.py"))
    return found or (written[1] if written is not None else "")


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
