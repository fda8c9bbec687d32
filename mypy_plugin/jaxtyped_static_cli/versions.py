"""The version of this distribution."""

from importlib.metadata import PackageNotFoundError, version


def own_version() -> str:
    try:
        return version("jaxtyped-static")
    except PackageNotFoundError:
        return "0"
