"""A new import stands where it is sorted, if the others are."""

from __future__ import annotations

import libcst as cst
import pytest

from jaxtyped_static_cli.editing.imports import Import, with_imports

SORTED = [
    # As isort does by default: `import` before `from`, in sections.
    ("import os\n\nimport jax\nimport numpy\n*\nfrom scipy import x\n\nfrom . import own\n", "jaxtyped_static"),
    ("import jax\n*\n\nfrom app import own\n", "jaxtyped_static"),
    ("# why\n*\nfrom jraph import x\n", "jaxtyped_static"),
    ("from __future__ import annotations\n\nimport os\n*\n\nimport jax\n", "typing"),
    # By module alone.
    ("from absl import app\nimport jax\n*\nfrom torax import x\nimport zarr\n", "jaxtyped_static"),
]


@pytest.mark.parametrize(("source", "module"), SORTED)
def test_a_new_import_is_sorted_among_sorted_ones(source: str, module: str) -> None:
    new = with_imports(cst.parse_module(source.replace("*\n", "")), [Import(module, "Name")]).code
    assert new == source.replace("*\n", f"from {module} import Name\n")
