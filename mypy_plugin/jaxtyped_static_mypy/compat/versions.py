"""Which releases of mypy the plugin supports: warns of newer ones, and refuses older ones."""

from typing import Final

from mypy.errors import CompileError

OLDEST: Final = (2, 0)  # older ones call hooks differently, so that nothing would be checked
NEWEST_TESTED: Final = (2, 4)


def check_version(version: str) -> None:
    """Raises `CompileError` for a release of mypy that is too old."""
    if _release(version) < OLDEST:
        raise CompileError([f"jaxtyped_static: error: mypy {version} is too old; install mypy>={_shown(OLDEST)}"])


def version_notice(version: str) -> str | None:
    """A line to print for a release that the tests do not cover."""
    if _release(version) <= NEWEST_TESTED:
        return None
    return (
        f"jaxtyped_static: note: mypy {version} is newer than the releases that this jaxtyped-static was tested with "
        f"({_shown(OLDEST)} to {_shown(NEWEST_TESTED)}); if an error looks wrong, upgrade jaxtyped-static, or report it"
    )


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("+")[0].split(".")[:2] if part.isdecimal())


def _shown(release: tuple[int, ...]) -> str:
    return ".".join(map(str, release))
