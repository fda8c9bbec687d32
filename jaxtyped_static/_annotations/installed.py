"""Which functions were written in installed packages, where their users cannot change them."""

from __future__ import annotations

import functools
import os
from types import FunctionType


def is_in_package(function: FunctionType) -> bool:
    """Whether the source of a function is in an installed package."""
    return function.__code__.co_filename.startswith(folders("purelib", "platlib"))


@functools.cache
def folders(*names: str) -> tuple[str, ...]:
    """The folders that this Python has under these names, with a separator at the end."""
    import sysconfig  # What it reads to tell takes a quarter of the time that importing this package takes.

    return tuple(f"{sysconfig.get_path(name)}{os.sep}" for name in names)
