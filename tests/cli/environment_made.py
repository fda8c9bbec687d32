"""A virtual environment with a JAX of a few lines, whose interpreter must not be needed."""

from __future__ import annotations

from pathlib import Path

JAX = {
    "jax/__init__.py": "from jax._src.api import Array as Array, jit as jit\n",
    "jax/_src/__init__.py": "",
    "jax/_src/api.py": "from typing import Any\nclass Array: ...\ndef jit(fun: Any = ..., **options: Any) -> Any: ...\n",
    "jax/py.typed": "",
}
SETTINGS = "home = {home}\nversion = 3.{minor}.4\ninclude-system-site-packages = {system}\n"
PYTHON = "python3.12"
# What `check` finds in it depends on JAX being seen.
PROGRAM = """\
from functools import partial

import jax


@partial(jax.jit, static_argnames="sizes")
def step(y: float, sizes: list[int]) -> float:
    return y
"""


def write_files(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def make_environment(
    folder: Path, packages: dict[str, str] = JAX, *, lib: str = f"lib/{PYTHON}", home: Path = Path("/nowhere")
) -> Path:
    """Returns its site-packages. `packages`: files in these."""
    write_files(folder, {"pyvenv.cfg": f"home = {home}\nversion_info = 3.12.4.final.0\n", "bin/python": ""})
    return write_files(folder / lib / "site-packages", packages)
