"""Plugins for mypy that the command loads if a project's configuration names them.

A plugin is code. A checkout may name any, and bring it along; so the command loads only those that it knows, and these
only from its own environment.
"""

import site
import sysconfig
from collections.abc import Iterable, Iterator
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Final

# By name, what each is needed for. The rules need none, but `--all` shows mypy's errors, and a fix must not add any.
_KNOWN: Final = {"pydantic.mypy": "what constructors of models take, which `populate_by_name` and aliases decide"}


def known_plugins(configured: Iterable[str]) -> Iterator[str]:
    """Those of the plugins that are known and installed beside the command."""
    return (name for name in dict.fromkeys(configured) if name in _KNOWN and _is_beside(name.partition(".")[0]))


def _is_beside(package: str) -> bool:
    """Whether Python would import a package from the command's environment. Looks without importing anything."""
    found = PathFinder.find_spec(package)
    if found is None or found.origin is None:
        return False
    return any(Path(found.origin).resolve().is_relative_to(folder) for folder in _site_packages())


def _site_packages() -> set[Path]:
    users = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    folders = [*site.getsitepackages(), *users, sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    return {Path(folder).resolve() for folder in folders}
