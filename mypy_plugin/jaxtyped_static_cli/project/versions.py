"""The versions of this distribution and of others."""

from pathlib import Path


def own_version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # takes 20 ms, and most runs ask for no version

    try:
        return version("jaxtyped-static")
    except PackageNotFoundError:
        return "0"


def mypy_version() -> str:
    from mypy.version import __version__  # which `main` looks for first

    return __version__


def version_in(folder: Path, name: str) -> str | None:
    """The version of a distribution that is installed in a folder."""
    from importlib.metadata import distributions  # takes 20 ms, as above

    return next((distribution.version for distribution in distributions(name=name, path=[str(folder)])), None)
