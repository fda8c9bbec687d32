"""What mypy knows of installed packages, kept for the user's other projects, so that JAX is analysed once a machine.

Nothing here decides whether a kept entry is valid: mypy does, as for any cache. It compares its own version, the
options, the plugin's source, the content of the module's file, and the interfaces of all that the module imports.
So an entry of another JAX costs a look and is then replaced.
"""

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from mypy.options import Options
from mypy.version import __version__ as mypy_version
from platformdirs import user_cache_path

from jaxtyped_static_mypy.digest import digest

from ..compat.caches import copy_cache
from ..files.python_files import is_of_library
from ..project.versions import version_in
from .sealing import LIST, USERS, alone, require_whole, seal, throw_away

_KEPT: Final = 4  # caches: one for each plugin, mypy, JAX and set of options that was used last


Modules = Iterable[Mapping[str, Path]]  # of each program that was checked


def borrow(options: Options, jax: Path) -> Callable[[Modules], None]:
    """Begins the cache of a project that has none with what is kept of libraries. `jax`: the folder that has JAX.

    Returns a function that keeps what a check then added. That nothing can be read or written is no reason to fail.
    """
    own = Path(options.cache_dir)
    with alone(own):
        require_whole(own)
        if own.exists():
            return lambda modules: None
        version = version_in(jax, "jax")
        kept = _folder(options, version)
        if not kept.is_absolute():  # nobody knows the user's home
            return lambda modules: None
        with contextlib.suppress(OSError):
            if require_whole(kept) and kept.is_dir():
                _copy(kept, own)
                os.utime(kept)
    return lambda modules: _keep(options, kept, modules) if _folder(options, version) == kept else None


def _keep(options: Options, kept: Path, modules: Modules) -> None:
    """What a check adds that had to change its options is of no use to others."""
    libraries = {name: str(path) for found in modules for name, path in found.items() if is_of_library(str(path))}
    known = _listed(kept)
    if libraries.keys() <= known or options.cache_dir == os.devnull:
        return
    new = kept.with_name(f"{kept.name}.{os.getpid()}")
    with contextlib.suppress(OSError, sqlite3.Error):
        kept.parent.mkdir(parents=True, exist_ok=True)
        if known:
            shutil.copytree(kept, new)
        copy_cache(options, new, libraries)
        (new / LIST).write_text("\n".join(sorted(libraries.keys() | known)), encoding="utf-8")
        seal(new)
        throw_away(kept)
        new.rename(kept)
        _drop_old(kept.parent)
    shutil.rmtree(new, ignore_errors=True)


def _listed(kept: Path) -> set[str]:
    """The modules that are kept."""
    try:
        return set((kept / LIST).read_text(encoding="utf-8").split())
    except (OSError, ValueError):
        return set()


def _folder(options: Options, jax_version: str | None) -> Path:
    """Where a cache is kept of which mypy would accept the entries about JAX."""
    platform, values = options.clone_for_module("jax").select_options_affecting_cache()
    parts = [mypy_version, digest(), options.python_version, platform, jax_version, values]
    name = hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:16]
    return user_cache_path(USERS, appauthor=False) / name


def _copy(folder: Path, target: Path) -> None:
    """Copies a folder so that it is there as a whole, or not at all."""
    partial = target.with_name(f"{target.name}.{os.getpid()}")
    try:
        shutil.copytree(folder, partial)
        partial.rename(target)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _drop_old(folder: Path) -> None:
    for unused in sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)[_KEPT:]:
        shutil.rmtree(unused, ignore_errors=True)
