"""What is known of a type, a function or a library stands in one place; the rest of the checker asks for it there."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import jaxtyped_static_mypy
from jaxtyped_static_mypy import libraries
from jaxtyped_static_mypy.knowledge import jax_functions, jax_types, python_functions, python_types
from jaxtyped_static_mypy.knowledge.function_rows import NO_ROW
from jaxtyped_static_mypy.knowledge.type_rows import InTrace, Trait
from tests.rules.parsing import parse

PLUGIN: Final = Path(jaxtyped_static_mypy.__file__).parent
PLACES: Final = ("knowledge", "libraries")
# A full name, or the beginning of some: sentences name functions, too, as users write them.
PACKAGES: Final = (
    *("jax", "jaxlib", "numpy", "attr", "attrs", "beartype", "chex", "equinox", "flax", "frozendict", "immutabledict"),
    *("jax_dataclasses", "jax_md", "jax_tqdm", "jaxtyped_static", "jaxtyping", "ml_collections", "optax", "penzai"),
    *("pydantic", "simple_pytree", "tree_math", "typeguard"),
)
NAME: Final = re.compile(rf"({'|'.join(PACKAGES)})\.[\w.]*")


def names(source: str) -> Iterator[str]:
    """The full names of packages in the strings of a module, tables in a string included; not in sentences."""
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.split()
            if all(re.fullmatch(r"\w+(\.\w*)+", word) for word in words):
                yield from (word for word in words if NAME.fullmatch(word))


def test_names_of_packages_stand_in_the_tables_only() -> None:
    files = (file for file in PLUGIN.rglob("*.py") if file.relative_to(PLUGIN).parts[0] not in PLACES)
    found = {str(file.relative_to(PLUGIN)): list(names(file.read_text())) for file in files}
    assert not {file: listed for file, listed in found.items() if listed}


def test_a_name_in_a_table_is_found() -> None:
    assert list(names('TABLE = """\n    jax._src.api.jit builtins.int\n    optax.sgd\n"""')) == [
        "jax._src.api.jit",
        "optax.sgd",
    ]
    assert list(names('PREFIX = "flax.nnx."')) == ["flax.nnx."]
    assert not list(names('ADVICE = "use jax.lax.cond"'))


def test_every_library_is_a_file_and_a_line() -> None:
    files = {file.stem for file in (PLUGIN / "libraries").glob("[!_]*.py")}
    source = (PLUGIN / "libraries" / "__init__.py").read_text()
    assert Counter(re.findall(r'^    "(\w+)",$', source, re.MULTILINE)) == Counter(files)
    assert len(libraries.LIBRARIES) == len(files)


def test_every_type_and_function_has_one_row() -> None:
    types = [python_types.PYTHON_TYPES, jax_types.JAX_TYPES, *(library.types for library in libraries.LIBRARIES)]
    assert len(libraries.TYPES) == sum(map(len, types))
    functions = [python_functions.PYTHON_FUNCTIONS, *(library.functions for library in libraries.LIBRARIES)]
    assert len(libraries.FUNCTIONS) == sum(map(len, functions))


def test_the_row_of_a_container_says_that_it_holds_objects() -> None:
    rows = libraries.TYPES
    containers = {name for name, row in rows.items() if row.trace is InTrace.TREE}
    looked_up = {name for name, row in rows.items() if Trait.LOOKED_UP in row.traits}
    holding = {name for name, row in rows.items() if Trait.HOLDS in row.traits}
    assert containers
    assert containers | looked_up <= holding


def test_jax_functions_are_found_by_any_of_their_names() -> None:
    for fullname in ("jax.lax.scan", "jax._src.lax.control_flow.loops.scan"):
        assert libraries.known_function(fullname) is jax_functions.JAX_FUNCTIONS["lax.scan"]
    assert libraries.known_function("numpy._core.multiarray.frompyfunc").new is not None
    assert libraries.known_function("program.scan") == NO_ROW
