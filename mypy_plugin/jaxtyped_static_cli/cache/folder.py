"""The folder of mypy's cache, which also holds stubs of the markers for projects that do not have them installed."""

import contextlib
import os
import stat
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from mypy.options import Options

from jaxtyped_static_mypy.compat.mypy_api import find_module
from jaxtyped_static_mypy.knowledge.full_names import PACKAGE

from ..terminal.problems import Problem
from ..terminal.saying import say
from .sealing import PROJECTS, replace, throw_away

NAME: Final = PROJECTS
_CACHEDIR_TAG: Final = b"Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache of jaxtyped-static.\n"


def cache_folder(folder: Path) -> Path:
    """Makes the folder of the cache, which git and backups leave out.

    Raises:
        Problem: it cannot be made, or something in it leads out of it.
    """
    folder = folder.absolute()
    if folder.name == NAME:
        _require_own(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem(f"the cache cannot be written: {error}; --cache-dir chooses another place") from None
    _require_plain(folder)
    for name, content in ((".gitignore", b"*\n"), ("CACHEDIR.TAG", _CACHEDIR_TAG)):
        with contextlib.suppress(OSError):
            if not (folder / name).exists():
                replace(folder / name, content)
    return folder


def _require_own(folder: Path) -> None:
    """A checkout may contain anything under the name of the cache."""
    if folder.is_symlink():
        raise Problem(_leading_out(folder))
    if folder.is_file():
        say(f"{folder}: is no folder; it is made again")
        throw_away(folder)


def _require_plain(folder: Path) -> None:
    """Raises Problem if something in a folder is neither a folder nor a file: it would be written through."""
    to_do = [folder]
    while to_do:
        with contextlib.suppress(OSError):  # no permission, or another run has just removed it
            for path in to_do.pop().iterdir():
                mode = path.lstat().st_mode if os.path.lexists(path) else stat.S_IFREG
                if stat.S_ISDIR(mode):
                    to_do.append(path)
                elif not stat.S_ISREG(mode):
                    raise Problem(_leading_out(path))


def _leading_out(path: Path) -> str:
    what = "is a symbolic link" if path.is_symlink() else "is no regular file"
    return (
        f"{path} {what}, so the cache would be written elsewhere; remove it, or choose another place with --cache-dir"
    )


def jax_folder(options: Options, root: Path) -> Path | None:
    """The folder in which mypy finds the package jax with types."""
    with contextlib.chdir(root):
        found = find_module("jax", options)
    return Path(found).absolute().parents[1] if isinstance(found, str) else None


def lend_markers(options: Options, root: Path, cache: Path) -> None:
    """Lends mypy the stubs of the markers, if the project's environment does not have them.

    Raises:
        Problem: they cannot be written.
    """
    with contextlib.chdir(root):
        if isinstance(find_module(PACKAGE, options), str):
            return
    lent = cache / "markers" / PACKAGE
    stubs = {stub.name: stub.read_bytes() for stub in _own_markers().glob("*.pyi")}
    if _contents(lent) != stubs:
        try:
            _write_all(lent, stubs)
        except OSError as error:
            raise Problem(f"the cache cannot be written: {error}; --cache-dir chooses another place") from None
    options.mypy_path = [*options.mypy_path, str(lent.parent)]


def _contents(folder: Path) -> dict[str, bytes] | None:
    try:
        return {path.name: path.read_bytes() for path in folder.iterdir()}
    except OSError:
        return None


def _write_all(folder: Path, contents: dict[str, bytes]) -> None:
    """Another run may read the folder meanwhile, so what is right in it stays."""
    for parent in (folder.parent, folder):
        if not parent.is_dir():
            throw_away(parent)
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if path.is_dir() or path.name not in contents:
            throw_away(path)
    for name, content in contents.items():
        replace(folder / name, content)


def _own_markers() -> Path:
    """The folder of the runtime, without importing it: that would load JAX."""
    spec = find_spec(PACKAGE)
    assert spec is not None and spec.origin is not None, "it is in the same wheel"
    return Path(spec.origin).parent
