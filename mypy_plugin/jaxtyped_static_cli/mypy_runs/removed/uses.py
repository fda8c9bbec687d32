"""Where a file uses a name that JAX no longer has, by its syntax: mypy's errors name only the end of it."""

import ast
import functools
import re
from typing import Final

from jaxtyped_static_mypy.knowledge.removed_names import MODULES, REFUSED, REMOVED, STILL_NAMES, removed

from .source_files import Node, SourceFile, Use, source_file

_ANSWERS_KEPT: Final = 4096
LAST_NAMES: Final = frozenset(name.rpartition(".")[2] for name in REMOVED)
_MODULE_NAMES: Final = "|".join(sorted({name.rpartition(".")[2] for name in MODULES}))
_REFUSED_NAMES: Final = frozenset(name.rpartition(".")[2] for name in REFUSED)
_IMPORTING: Final = re.compile(
    rf"^\s*(?:from|import)\s+jax[\w.]*\.(?:{_MODULE_NAMES})\b"
    rf"|^\s*from\s+jax[\w.]*\s+import\s*(?:\([^)]*|.*)\b(?:{_MODULE_NAMES})\b",
    re.MULTILINE,
)
# What gives JAX a name again: `jax.tree_map = ...`, `setattr(jax, "tree_map", ...)`, `sys.modules["jax.config"] = ...`.
_ASSIGNED: Final = re.compile(r"^\s*(\w+(?:\.\w+)+)\s*=(?!=)", re.MULTILINE)
_SET: Final = re.compile(r"\bsetattr\(\s*([\w.]+)\s*,\s*[\"'](\w+)[\"']")
_MADE: Final = re.compile(r"\bsys\.modules\[\s*[\"'](\w+\.[\w.]+)[\"']\s*\]\s*=(?!=)")

ATTRIBUTE_ERROR, IMPORT_ERROR, NO_MODULE = "AttributeError", "ImportError", "ModuleNotFoundError"


@functools.lru_cache(_ANSWERS_KEPT)
def attributes(content: bytes, line: int, last: str, python: tuple[int, int]) -> tuple[Use, ...]:
    """The uses of a name that ends so, in an expression that begins on a line, where they raise."""
    file = source_file(content)
    return tuple(_attributes(file, line, last, python)) if file is not None else ()


@functools.lru_cache(_ANSWERS_KEPT)
def from_import(content: bytes, line: int, module: str, last: str) -> tuple[Use, ...]:
    """The import of a name from a module, in a statement that begins on a line."""
    file = source_file(content)
    return tuple(_from_import(file, line, module, last)) if file is not None else ()


@functools.lru_cache(_ANSWERS_KEPT)
def module_imports(content: bytes) -> tuple[Use, ...]:
    """The imports in a file of modules that some release of JAX does not have."""
    if _IMPORTING.search(content.decode(errors="replace")) is None:
        return ()
    file = source_file(content)
    return tuple(_module_imports(file)) if file is not None else ()


@functools.lru_cache(_ANSWERS_KEPT)
def refused(content: bytes, python: tuple[int, int]) -> tuple[Use, ...]:
    """The uses of names that JAX shows to mypy, and refuses when a program runs."""
    if not any(name.encode() in content for name in _REFUSED_NAMES):
        return ()
    file = source_file(content)
    return tuple(_refused(file, python)) if file is not None else ()


@functools.lru_cache(_ANSWERS_KEPT)
def provided(content: bytes, last_names: frozenset[str]) -> frozenset[str]:
    """The names that a file gives to JAX itself, by their full names."""
    text = content.decode(errors="replace")
    assigned = (name for name in _ASSIGNED.findall(text) if name.rpartition(".")[2] in last_names)
    written = [*assigned, *(".".join(pair) for pair in _SET.findall(text))]
    file = source_file(content) if written else None
    named = (file.named(name) for name in written) if file is not None else ()
    return frozenset((*_MADE.findall(text), *named))


def _attributes(file: SourceFile, line: int, last: str, python: tuple[int, int]) -> list[Use]:
    """The uses of a name that ends so, in an expression that begins on a line, where they raise."""
    found = (node for node in file.nodes() if isinstance(node, ast.Attribute) and node.attr == last)
    here = [node for node in found if node.lineno == line and isinstance(node.ctx, ast.Load)]
    outermost = file.outermost(here)  # of `jax.config.config`
    named = [(node, name) for node in outermost if (name := removed(file.full_name(node)))]
    return [file.use(node, name, ATTRIBUTE_ERROR) for node, name in named if file.raises(node, python)]


def _from_import(file: SourceFile, line: int, module: str, last: str) -> list[Use]:
    """The import of a name from a module, in a statement that begins on a line."""
    name = removed(f"{module}.{last}")
    if name is None:
        return []
    statements = (node for node in file.imports if isinstance(node, ast.ImportFrom) and node.lineno == line)
    parts = [(node, alias) for node in statements for alias in node.names if alias.name == last]
    return [file.use(alias, name, IMPORT_ERROR) for node, alias in parts if file.raises(node)]


def _module_imports(file: SourceFile) -> list[Use]:
    """The imports of modules that are gone; mypy is silent about modules that it does not find.

    If one file imports such a module, it is silent about its name in all others.
    """
    whole = [(node, node, name, NO_MODULE) for node in file.imports for name in _modules_of(node)]
    parts = [(node, alias, name, IMPORT_ERROR) for node in file.imports for alias, name in _parts_of(node)]
    named = ((node, at, removed(name), error) for node, at, name, error in (*whole, *parts))
    gone = [(node, at, name, error) for node, at, name, error in named if name is not None and name in MODULES]
    return [file.use(at, name, error) for node, at, name, error in gone if file.raises(node)]


def _refused(file: SourceFile, python: tuple[int, int]) -> list[Use]:
    """The uses of names that JAX shows to mypy, and refuses when a program runs."""
    found = (node for node in file.nodes() if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load))
    named: list[tuple[Node, Node, str, str]] = [
        (node, node, file.full_name(node), ATTRIBUTE_ERROR) for node in found if node.attr in _REFUSED_NAMES
    ]
    parts = [(node, alias, name, IMPORT_ERROR) for node in file.imports for alias, name in _parts_of(node)]
    refused = [(node, at, name, error) for node, at, name, error in (*named, *parts) if name in REFUSED]
    return [file.use(at, name, error) for node, at, name, error in refused if file.raises(node, python)]


def _parts_of(node: ast.Import | ast.ImportFrom) -> list[tuple[ast.alias, str]]:
    """What a statement imports from a module that is still there."""
    if isinstance(node, ast.Import) or node.level or removed(node.module or ""):
        return []
    named = ((alias, f"{node.module}.{alias.name}") for alias in node.names)
    return [(alias, name) for alias, name in named if name not in STILL_NAMES]


def _modules_of(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module] if node.module and not node.level else []
