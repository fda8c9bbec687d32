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
    return next((one.version for one in distributions(name=name, path=[str(folder)])), None)
