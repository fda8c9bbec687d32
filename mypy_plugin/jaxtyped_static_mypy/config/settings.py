"""The user's settings: `[tool.jaxtyped_static]` in pyproject.toml, `[jaxtyped_static]` in mypy.ini or setup.cfg."""

import configparser
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, Self

from mypy.errors import CompileError
from mypy.options import Options

from .file import read_section


@dataclass(frozen=True)
class Settings:
    """What changes the checker's answers. Names are fully qualified."""

    strict: bool = False  # also report what nothing proves
    potential: bool = False  # also report what could go wrong where nothing shows that it does; strict includes it
    static_bases: frozenset[str] = frozenset()  # classes whose subclasses are static classes
    static_types: frozenset[str] = frozenset()  # types that the user vouches for
    pytree_types: frozenset[str] = frozenset()  # classes that are registered out of the checker's sight
    pytree_decorators: frozenset[str] = frozenset()  # they make a class a frozen dataclass and a pytree
    static_decorators: frozenset[str] = frozenset()  # they make a class a frozen dataclass and a static class
    static_field_functions: frozenset[str] = frozenset()  # they declare a static field
    static_markers: frozenset[str] = frozenset()  # aliases that mark a parameter or field as static
    jit_functions: frozenset[str] = frozenset()  # functions that forward to jax.jit
    typed_jax_jit: bool = False  # plain jax.jit keeps the whole signature
    # No key: the command, which shows only errors of this package, says so itself.
    shows_mypy_errors: bool = field(default=True, metadata={"is_key": False})

    @classmethod
    def load(cls, config_file: str | None) -> Self:
        """Reads mypy's own configuration file.

        Raises:
            CompileError: a misnamed section, an unknown key or a value of the wrong type, for mypy to print.
        """
        if config_file is None:
            return cls()
        section = read_section(config_file)
        values = {key: _from_text(key, value) if section.is_text else value for key, value in section.values.items()}
        problems = [problem for key, value in values.items() if (problem := _problem(key, value)) is not None]
        if section.problems or problems:
            where = f"{config_file}: {section.header}: error: "
            raise CompileError([*section.problems, *(where + problem for problem in problems)])
        return cls(**{key: _kind(key)(value) for key, value in values.items()})

    @property
    def shows_potential(self) -> bool:
        return self.potential or self.strict

    def shows(self, code: str, options: Options) -> bool:
        """Whether users see mypy's own errors with a code, in a file that is checked with these options."""
        return self.shows_mypy_errors and all(disabled.code != code for disabled in options.disabled_error_codes)

    def names_of_classes(self) -> frozenset[str]:
        """The names that say what classes are, in modules that need not import jax."""
        named = (self.static_bases, self.pytree_types, self.pytree_decorators, self.static_decorators)
        return frozenset().union(*named, self.static_field_functions)

    def report(self) -> dict[str, Any]:
        """The settings in a form that JSON can hold: mypy's cache is valid only for the same settings."""
        return {key: sorted(value) if isinstance(value, frozenset) else value for key, value in asdict(self).items()}


def _from_text(key: str, value: str) -> Any:
    """Converts a value of an INI file to what TOML would have; leaves it as it is if that fails."""
    if key in _KINDS and _kind(key) is bool:
        return configparser.RawConfigParser.BOOLEAN_STATES.get(value.lower(), value)
    return [item.strip() for item in value.replace(",", "\n").splitlines() if item.strip()]


_KINDS: Final = {key.name: key.type for key in fields(Settings) if key.metadata.get("is_key", True)}


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
        # A marker can be a string in `Annotated`, without a module.
        bare = () if key == "static_markers" else (item for item in value if "." not in item)
        return next((f"{key!r} takes fully qualified names, and {item!r} has no module" for item in bare), None)
    return f"{key!r} takes a list of fully qualified names, not {value!r}"
