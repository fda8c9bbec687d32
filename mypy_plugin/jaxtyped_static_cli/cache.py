"""The folder of mypy's cache, which also holds stubs of the markers for projects that do not have them installed."""

import contextlib
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from mypy.options import Options

from jaxtyped_static_mypy.compat.mypy_api import find_module
from jaxtyped_static_mypy.knowledge.full_names import PACKAGE

from .problems import Problem

NAME: Final = ".jaxtyped_static_cache"
_CACHEDIR_TAG: Final = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache of jaxtyped-static.\n"


def cache_folder(folder: Path) -> Path:
    """Makes the folder of the cache, which git and backups leave out."""
    folder = folder.absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in ((".gitignore", "*\n"), ("CACHEDIR.TAG", _CACHEDIR_TAG)):
            if not (folder / name).exists():
                (folder / name).write_text(text)
    except OSError as error:
        raise Problem(f"the cache cannot be written: {error}; --cache-dir chooses another place") from None
    return folder


def jax_folder(options: Options, root: Path) -> Path | None:
    """The folder in which mypy finds the package jax with types."""
    with contextlib.chdir(root):
        found = find_module("jax", options)
    return Path(found).absolute().parents[1] if isinstance(found, str) else None


def lend_markers(options: Options, root: Path, cache: Path) -> None:
    """Lends mypy the stubs of the markers, if the project's environment does not have them."""
    with contextlib.chdir(root):
        if isinstance(find_module(PACKAGE, options), str):
            return
    lent = cache / "markers" / PACKAGE
    stubs = {stub.name: stub.read_bytes() for stub in _own_markers().glob("*.pyi")}
    if not lent.is_dir() or stubs != {path.name: path.read_bytes() for path in lent.iterdir()}:
        shutil.rmtree(lent, ignore_errors=True)
        lent.mkdir(parents=True)
        for name, text in stubs.items():
            (lent / name).write_bytes(text)
    options.mypy_path = [*options.mypy_path, str(lent.parent)]


def _own_markers() -> Path:
    """The folder of the runtime, without importing it: that would load JAX."""
    spec = find_spec(PACKAGE)
    assert spec is not None and spec.origin is not None, "it is in the same wheel"
    return Path(spec.origin).parent
