"""Finds our section in mypy's configuration file, and misspelt sections that were meant to be ours."""

import configparser
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

_NAME: Final = "jaxtyped_static"
_TOML_HEADER: Final = f"[tool.{_NAME}]"
_INI_HEADER: Final = f"[{_NAME}]"
# Where mypy looks for its configuration.
_FILES: Final = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg")
# Section headers that can only mean ours: with a hyphen, or with the name of the plugin.
_OURS: Final = re.compile(r"(?:tool\s*[.:]\s*)?[\"']?jaxtyped[-_]?static(?:[-_]mypy)?[\"']?", re.IGNORECASE)


class Section(NamedTuple):
    """Our section of a configuration file."""

    header: str  # in the syntax of this kind of file
    values: Mapping[str, Any]
    is_text: bool  # in an INI file, every value is text
    problems: tuple[str, ...] = ()  # errors: settings that would be ignored


def read_section(config_file: str) -> Section:
    if _is_toml(config_file):
        return _read_toml(config_file)
    return _read_ini(config_file)


def settings_elsewhere(config_file: str | None) -> Iterator[str]:
    """Warns of our sections in configuration files next to the one that mypy reads."""
    if config_file is None:
        return
    header = _TOML_HEADER if _is_toml(config_file) else _INI_HEADER
    for name in _FILES:
        path = Path(config_file).with_name(name)
        if path.name != Path(config_file).name and path.is_file() and (found := _first_header(path)) is not None:
            reads = f"mypy reads {config_file} and no other file"
            yield f"{path}: {_NAME}: warning: {found} has no effect: {reads}; move it there, as {header}"


def _is_toml(config_file: str) -> bool:
    return config_file.lower().endswith(".toml")


def _read_toml(config_file: str) -> Section:
    with Path(config_file).open("rb") as file:
        data = tomllib.load(file)
    tool = data.get("tool", {})
    names = [*(f"tool.{name}" for name in tool if name != _NAME), *data]
    problems = _misnamed(config_file, names, _TOML_HEADER)
    values = tool.get(_NAME, {})
    if isinstance(values, dict):
        return Section(_TOML_HEADER, values, is_text=False, problems=problems)
    shape = "an array of tables" if _is_array_of_tables(values) else f"{values!r}"
    problem = f"{config_file}: error: tool.{_NAME} is {shape}, not a table; write {_TOML_HEADER} above the settings"
    return Section(_TOML_HEADER, {}, is_text=False, problems=(*problems, problem))


def _is_array_of_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _read_ini(config_file: str) -> Section:
    # With an impossible name for the default section, [DEFAULT] is an ordinary one.
    parser = configparser.RawConfigParser(default_section="")
    parser.read(config_file, encoding="utf-8")
    values = dict(parser.items(_NAME)) if parser.has_section(_NAME) else {}
    others = [name for name in parser.sections() if name != _NAME]
    return Section(_INI_HEADER, values, is_text=True, problems=_misnamed(config_file, others, _INI_HEADER))


def _misnamed(config_file: str, names: Iterable[str], header: str) -> tuple[str, ...]:
    return tuple(
        f"{config_file}: error: [{name}] is not read; call the section {header}"
        for name in names
        if _OURS.fullmatch(name)
    )


def _first_header(path: Path) -> str | None:
    """The first header of ours in a file of any kind, read without parsing, as it may be broken."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        name = line.partition("#")[0].strip()
        if name.startswith("[") and name.endswith("]") and _OURS.fullmatch(name.strip("[] ")):
            return name
    return None
