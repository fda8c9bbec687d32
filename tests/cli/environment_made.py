"""A virtual environment with a JAX of a few lines, whose interpreter must not be needed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

JAX = {
    "jax/__init__.py": "from jax._src.api import Array as Array, jit as jit\n",
    "jax/_src/__init__.py": "",
    "jax/_src/api.py": "class Array: ...\ndef jit(fun: object = ..., **options: object): ...\n",
    "jax/stages.py": "import jax\nclass Lowered:\n    out_info: jax.Array\nclass Traced: ...\n",
    "jax/py.typed": "",
}
PYTHON = "python3.12"
SETTINGS = "home = /nowhere/bin\nversion_info = 3.12.4.final.0\ninclude-system-site-packages = false\n"
# Has one finding, if JAX is seen.
PROGRAM = """\
from functools import partial

import jax


@partial(jax.jit, static_argnames="sizes")
def step(y: float, sizes: list[int]) -> float:
    return y
"""


def write_files(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def make_environment(
    folder: Path, packages: Mapping[str, str] = JAX, *, settings: str = SETTINGS, lib: str = f"lib/{PYTHON}"
) -> Path:
    """Returns its site-packages. `packages`: files in these."""
    write_files(folder, {"pyvenv.cfg": settings, "bin/python": ""})
    site_packages = folder / lib / "site-packages"
    site_packages.mkdir(parents=True, exist_ok=True)
    return write_files(site_packages, packages)
