"""Which releases of mypy the plugin answers for. Never capped: a new one gets a line, an old one a refusal."""

from typing import Final

from mypy.errors import CompileError

_OLDEST: Final = (2, 0)  # older ones ask the hooks otherwise, and would be silently unchecked
_TESTED: Final = ((2, 4),)


def version_notice(version: str) -> str | None:
    """A line to print for a release that the tests do not cover.

    Raises:
        CompileError: the release is too old; mypy prints it and stops.
    """
    release = tuple(int(part) for part in version.split("+")[0].split(".")[:2] if part.isdecimal())
    if release < _OLDEST:
        oldest = ".".join(map(str, _OLDEST))
        raise CompileError([f"jaxtyped_static: error: mypy {version} is too old; install mypy>={oldest}"])
    if release in _TESTED:
        return None
    tested = ", ".join(".".join(map(str, known)) for known in _TESTED)
    return f"jaxtyped_static: note: tested with mypy {tested}, not with {version}; please report what looks wrong"
