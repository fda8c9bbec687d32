"""The versions of this distribution and of others."""

from importlib.metadata import PackageNotFoundError, distributions, version
from pathlib import Path


def own_version() -> str:
    try:
        return version("jaxtyped-static")
    except PackageNotFoundError:
        return "0"


def version_in(folder: Path, name: str) -> str | None:
    """The version of a distribution that is installed in a folder."""
    found = (one.version for one in distributions(path=[str(folder)]) if one.name.lower() == name)
    return next(found, None)
