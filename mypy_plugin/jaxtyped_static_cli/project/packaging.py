"""Which packages and modules a project installs for its users, read from its files without running anything."""

import configparser
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from jaxtyped_static_mypy.knowledge import naming

from ..files.ordinary import text_of

_SOURCES: Final = frozenset({"lib", "python", "src"})  # folders between a project's files and its packages
_LISTED: Final = re.compile(r"\b(?:packages|py_modules)\s*=\s*\[([^\]]*)\]")
_QUOTED: Final = re.compile(r"[\"']([^\"']+)[\"']")
_SETUP: Final = re.compile(r"\bsetup\s*\(")
# Where the tools for packaging list what to install: below `[tool.…]`.
_LISTS: Final = (
    *(("setuptools", "packages"), ("setuptools", "py-modules"), ("poetry", "packages"), ("flit", "module", "name")),
    *(("hatch", "build", "packages"), ("hatch", "build", "targets", "wheel", "packages")),
    *(("hatch", "build", "targets", "wheel", "only-include"), ("uv", "build-backend", "module-name")),
)
_NO_PACKAGE: Final = (("uv", "package"), ("poetry", "package-mode"))


class Packaging(NamedTuple):
    """What the files of one folder say of packaging."""

    listed: frozenset[str]  # the packages and modules that they name; empty if these are found
    project: str  # the name of the project, as that of a module


def packaged(modules: Mapping[str, Path], root: Path) -> frozenset[str]:
    """The modules that a project installs: its users may import them."""
    read = cache(packaging_in)  # each folder once
    return frozenset(name for name, path in modules.items() if _is_packaged(_top(name, path), root, read))


def _is_packaged(top: Path, root: Path, read: Callable[[Path], Packaging | None]) -> bool:
    folders = [top.parent, *([top.parent.parent] if top.parent.name in _SOURCES else [])]
    found = (read(folder) for folder in folders if folder.is_relative_to(root))
    packaging = next((one for one in found if one is not None), None)
    if packaging is None:
        return False
    if packaging.listed:
        return top.name in packaging.listed
    is_found = (top / "__init__.py").exists() and not naming.is_no_package(top.name)
    return is_found or top.name.lower() == packaging.project


def _top(module: str, path: Path) -> Path:
    """The folder of the outermost package around a module, or the module itself, without its ending."""
    inner = path.parent if path.name == "__init__.py" else path.with_suffix("")
    depth = module.count(".")
    return inner.parents[depth - 1] if depth else inner


def packaging_in(folder: Path) -> Packaging | None:
    """None if nothing in a folder says how to install what is in it."""
    tables = toml_in(folder)
    setup, options = text_of(folder / "setup.py"), options_in(folder)
    tool = tables.get("tool", {})
    if any(below(tool, keys) is False for keys in _NO_PACKAGE):
        return None
    is_built = "build-system" in tables or "poetry" in tool or "setuptools" in tool
    if not (is_built or _SETUP.search(setup) or options):
        return None
    listed = [name for keys in _LISTS for name in _names(below(tool, keys))]
    listed += [name for match in _LISTED.finditer(setup) for name in _QUOTED.findall(match[1])]
    listed += [name for key in ("packages", "py_modules") for name in re.split(r"[\s,]+", options.get(key, ""))]
    return Packaging(frozenset(_modules(listed)), re.sub(r"\W", "_", name_in(tables)).lower())


def _modules(listed: Iterable[str]) -> Iterator[str]:
    """The outermost packages, of `src/app`, `app.models` and `app/*.py`; none of `find:`."""
    for name in listed:
        parts = [part for part in name.split("/") if part.isidentifier() or "." in part]
        if parts and ":" not in name:
            yield next((part for part in parts if part not in _SOURCES), parts[-1]).partition(".")[0]


def _names(value: object) -> Iterator[str]:
    """The names in a list, of which Poetry's are tables: `{ include = "app" }`."""
    for item in value if isinstance(value, list) else [value]:
        name = item.get("include") if isinstance(item, dict) and "include" in item else item
        if isinstance(name, str):
            yield name


def name_in(tables: Mapping[str, Any]) -> str:
    """The name of a project, as its `pyproject.toml` gives it; empty if that does not."""
    return str(below(tables, ("project", "name")) or below(tables, ("tool", "poetry", "name")) or "")


def below(table: object, keys: Iterable[str]) -> object:
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def toml_in(folder: Path) -> dict[str, Any]:
    """The tables of a `pyproject.toml`; none if it cannot be read."""
    try:
        return tomllib.loads(text_of(folder / "pyproject.toml"))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def options_in(folder: Path) -> dict[str, str]:
    """What a `setup.cfg` says of packaging: most have only settings of other tools."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text_of(folder / "setup.cfg"))
    except configparser.Error:
        return {}
    found = (section for section in ("metadata", "options") if parser.has_section(section))
    return {key: value for section in found for key, value in parser.items(section)}
