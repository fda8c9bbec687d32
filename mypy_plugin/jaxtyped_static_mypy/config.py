"""The user's settings: `[tool.jaxtyped_static]` in pyproject.toml, `[jaxtyped_static]` in mypy.ini or setup.cfg."""

import configparser
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final, Self

from mypy.errors import CompileError

SECTION: Final = "jaxtyped_static"


@dataclass(frozen=True)
class Settings:
    """What changes the checker's answers. Names are fully qualified."""

    strict: bool = False  # report what nothing proves, too
    static_bases: frozenset[str] = frozenset()  # classes whose subclasses are static classes
    static_types: frozenset[str] = frozenset()  # types the user answers for
    pytree_types: frozenset[str] = frozenset()  # classes that are registered where the checker does not see it
    static_markers: frozenset[str] = frozenset()  # aliases that mark a parameter or field as static
    jit_functions: frozenset[str] = frozenset()  # functions that forward to jax.jit
    typed_jax_jit: bool = False  # plain jax.jit keeps the whole signature

    @classmethod
    def load(cls, config_file: str | None) -> Self:
        """Reads mypy's own configuration file.

        Raises:
            CompileError: an unknown key or a value of the wrong type; mypy prints it and stops.
        """
        if config_file is None:
            return cls()
        path = Path(config_file)
        raw = _read_toml(path) if path.suffix == ".toml" else _read_ini(path)
        problems = [problem for key, value in raw.items() if (problem := _problem(key, value)) is not None]
        if problems:
            raise CompileError([f"{config_file}: [{SECTION}]: error: {problem}" for problem in problems])
        return cls(**{key: _kind(key)(value) for key, value in raw.items()})

    def report(self) -> dict[str, Any]:
        """The settings as JSON has them: part of what mypy's cache is valid for."""
        return {key: sorted(value) if isinstance(value, frozenset) else value for key, value in asdict(self).items()}


def _read_toml(path: Path) -> Mapping[str, Any]:
    with path.open("rb") as file:
        section = tomllib.load(file).get("tool", {}).get(SECTION, {})
    return section if isinstance(section, dict) else {SECTION: section}


def _read_ini(path: Path) -> Mapping[str, Any]:
    parser = configparser.RawConfigParser()
    parser.read(path, encoding="utf-8")
    if not parser.has_section(SECTION):
        return {}
    return {key: _from_ini(key, value) for key, value in parser.items(SECTION)}


def _from_ini(key: str, value: str) -> Any:
    """An INI value with the type its key has in TOML; left a string where it cannot be read as one."""
    if key in _KINDS and _kind(key) is bool:
        return configparser.RawConfigParser.BOOLEAN_STATES.get(value.lower(), value)
    return [item.strip() for item in value.replace(",", "\n").splitlines() if item.strip()]


_KINDS: Final = {field.name: field.type for field in fields(Settings)}


def _kind(key: str) -> type:
    return bool if _KINDS[key] in (bool, "bool") else frozenset


def _problem(key: str, value: Any) -> str | None:
    if key not in _KINDS:
        import difflib  # only for this message

        near = difflib.get_close_matches(key, _KINDS, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; known keys: {', '.join(_KINDS)}"
        return f"unknown key {key!r}{hint}"
    if _kind(key) is bool:
        return None if isinstance(value, bool) else f"{key!r} takes true or false, not {value!r}"
    if isinstance(value, list) and all(isinstance(item, str) and item for item in value):
        return None
    return f"{key!r} takes a list of fully qualified names, not {value!r}"
