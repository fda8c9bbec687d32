"""A new import stands where ruff sorts it, if the others are sorted."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Final

import libcst as cst
import pytest

from jaxtyped_static_cli.editing.added_imports import with_imports
from jaxtyped_static_cli.editing.imports import Import

# `*` is the new import, and `~` a blank line that comes with it.
SORTED: Final = [
    # As isort does by default: `import` before `from`, in sections.
    ("import os\n\nimport jax\nimport numpy\n*\nfrom scipy import x\n\nfrom . import own\n", "jaxtyped_static"),
    ("import jax\n*\n\nfrom app import own\n", "jaxtyped_static"),
    ("# why\n*\nfrom jraph import x\n", "jaxtyped_static"),
    ("from __future__ import annotations\n\nimport os\n*\n\nimport jax\n", "typing"),
    # By module alone.
    ("from absl import app\nimport jax\n*\nfrom torax import x\nimport zarr\n", "jaxtyped_static"),
    # In a section that was not there.
    ("*\n~\nimport jax\n", "functools"),
    ("# Title\n*\n~\nimport jax\n", "functools"),
    ("from __future__ import annotations\n\n*\n~\nimport jax\n", "functools"),
    ("from __future__ import annotations\n~\n*\n\n\ndef f() -> None: ...\n", "functools"),
    ('"""Doc."""\n\n*\n~\n# of JAX\nimport jax\n', "functools"),
    ('"""Doc."""\n\n# All imports.\n\n*\n~\n# of JAX\nimport jax\n', "functools"),
    ("import os\n~\n*\n\nx = 1\n", "jaxtyped_static"),
    ("import os\n~\n*\n\nfrom . import own\n", "jaxtyped_static"),
    # Beside what has to run first, and imports that depend on something.
    ('import os\n\nos.environ["A"] = "1"\n\nimport jax\n*\n', "jaxtyped_static"),
    ("*\n~\nimport jax\n\ntry:\n    import x\nexcept ImportError:\n    x = None\n", "functools"),
    ("from typing import TYPE_CHECKING\n~\n*\n\nif TYPE_CHECKING:\n    import jax\n", "jaxtyped_static"),
    ("*\n~\nif x:\n    import jax\n", "functools"),
    # Without others.
    ('"""Doc."""\n~\n*\n\nx = 1\n', "functools"),
    ("#!/usr/bin/env python\n*\n~\n~\n@f\ndef g() -> None: ...\n", "functools"),
    # Below a function, an import may come too late.
    ("*\n~\n~\ndef f() -> None: ...\n\n\nimport jax\n", "jaxtyped_static"),
    # Not in sections.
    ("import os\nimport jax\n*\n", "functools"),
]


@pytest.mark.parametrize(("source", "module"), SORTED)
def test_a_new_import_is_sorted_among_sorted_ones(source: str, module: str) -> None:
    before = source.replace("*\n", "").replace("~\n", "")
    after = source.replace("*\n", f"from {module} import Name\n").replace("~\n", "\n")
    assert with_imports(cst.parse_module(before), [Import(module, "Name")]).code == after


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from m import wraps\n", "from m import partial, wraps\n"),
        ("from m import lru_cache\n", "from m import lru_cache, partial\n"),
        ("from m import A, b, z\n", "from m import A, b, partial, z\n"),
        ("from m import z, a\n", "from m import z, a, partial\n"),
        ("from m import (\n    a,  # why\n    z,\n)\n", "from m import (\n    a,  # why\n    partial,\n    z,\n)\n"),
        ("from m import (\n    a,\n    b,  # why\n)\n", "from m import (\n    a,\n    b,  # why\n    partial,\n)\n"),
        ("from m import (a, b)\n", "from m import (a, b, partial)\n"),
        ("from m import z as y\n", "from m import partial\nfrom m import z as y\n"),
        ("from m import *\n", "from m import *\nfrom m import partial\n"),
    ],
)
def test_a_name_is_added_to_the_statement_that_imports_from_its_module(source: str, expected: str) -> None:
    assert with_imports(cst.parse_module(source), [Import("m", "partial")]).code == expected


IMPORTS: Final = (
    *("import os", "import sys as s", "from typing import Any", "from dataclasses import dataclass, field"),
    *("import jax", "import jax.numpy as jnp", "import numpy as np", "from jax import Array", "import zarr"),
    *("from a10 import x", "from a2 import y", "from Absl import z", "from jaxtyped_static import Static"),
    *("from functools import lru_cache", "from functools import wraps as w", "from __future__ import annotations"),
    *("from . import own", "from .inner import other", "from jax_dataclasses import replace"),
)
NEW: Final = (
    *(Import("functools", "partial"), Import("jaxtyped_static", "jit"), Import("jaxtyped_static")),
    *(Import("jax.numpy", alias="jnp"), Import("dataclasses", "field"), Import("functools")),
)
ENDS: Final = ("", "x = 1\n", "\n\ndef f() -> None: ...\n", "\nif x:\n    import late\n")
BEGINNINGS: Final = ("", '"""Doc."""\n', "# Title\n", "#!/usr/bin/env python\n# Title\n\n")


def ruff(folder: Path, *options: str) -> str:
    command = (sys.executable, "-m", "ruff", "check", "--isolated", "--quiet", "--select", "I", *options, ".")
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def write_program(path: Path, chance: random.Random) -> None:
    lines = chance.sample(IMPORTS, chance.randint(0, 6))
    path.write_text(chance.choice(BEGINNINGS) + "".join(f"{line}\n" for line in lines) + chance.choice(ENDS))


def test_files_that_ruff_has_sorted_stay_sorted(tmp_path: Path) -> None:
    chance = random.Random(1)
    files = [tmp_path / f"program_{number}.py" for number in range(300)]
    for file in files:
        write_program(file, chance)
    assert ruff(tmp_path, "--fix") == ""
    for file in files:
        new = chance.sample(NEW, chance.randint(1, 2))
        file.write_text(with_imports(cst.parse_module(file.read_text()), new).code)
    assert ruff(tmp_path) == ""
