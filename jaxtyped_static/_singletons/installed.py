"""Tells which functions belong to installed packages, where their users cannot change them."""

from __future__ import annotations

import functools
import os
from types import FunctionType


def is_in_package(function: FunctionType) -> bool:
    """Returns whether the source of a function is in an installed package."""
    return function.__code__.co_filename.startswith(folders("purelib", "platlib"))


@functools.cache
def folders(*names: str) -> tuple[str, ...]:
    """Returns the folders that this Python has under these names, each with a separator at the end."""
    import sysconfig  # Imported on use: reading its configuration takes a quarter of this package's import time.

    return tuple(f"{sysconfig.get_path(name)}{os.sep}" for name in names)
