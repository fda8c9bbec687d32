"""Decorating a function needs no annotation that cannot be a marker: it may name what is not imported yet."""

from __future__ import annotations

import importlib
import itertools
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import jax
import pytest

from jaxtyped_static import MarkerError, static_params

_numbers = itertools.count()

DATA = """
    import jax
    from dataclasses import dataclass
    from jaxtyped_static import Static

    @jax.tree_util.register_dataclass
    @dataclass
    class Data:
        y: jax.Array

        class Inner: ...
        Count = Static[int]

    Size = Static[int]
"""

Package = Callable[..., ModuleType]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Package:
    """Imports a package made of the given modules; PK in their text stands for its name."""

    def make(model: str, init: str = "from . import model\nfrom . import data", data: str = DATA) -> ModuleType:
        name = f"circular{next(_numbers)}"
        folder = tmp_path / name
        folder.mkdir()
        for module, text in {"__init__": init, "model": HEAD + textwrap.dedent(model), "data": data}.items():
            (folder / f"{module}.py").write_text(textwrap.dedent(text).replace("PK", name))
        monkeypatch.syspath_prepend(tmp_path)
        return importlib.import_module(name)

    return make


HEAD = """
from __future__ import annotations
from typing import TYPE_CHECKING
import jax
from jaxtyped_static import Static, dynamic_dataclass, jit
import PK as js
"""
STEP = """
@jit
def step(x: jax.Array, data: {data}, *, mode: Static[str | None] = None) -> jax.Array:
    return x
"""


@pytest.mark.parametrize(
    "init",
    [
        "from . import model\nfrom . import data",
        "from PK import model\nfrom PK import data",
        "from . import model, data",
        "import PK.model\nimport PK.data",
        "from . import model",
        "import importlib\nfrom . import model\ndata = importlib.import_module('PK.data')",
    ],
)
def test_a_module_of_the_package_that_is_imported_later(package: Package, init: str) -> None:
    program = package(STEP.format(data="js.data.Data"), init)
    assert static_params(program.model.step.__wrapped__).argnames == ("mode",)
    assert static_params(program.model.step.__wrapped__).argnums == ()


@pytest.mark.parametrize(
    ("imports", "annotation"),
    [
        ("", "list[js.data.Data] | None"),
        ("", "js.data.Data.Inner"),
        ("", "js.Data"),
        ("import PK", "PK.data.Data"),
        ("if TYPE_CHECKING: from PK.data import Data", "Data"),
        ("if TYPE_CHECKING: from PK import data as other", "other.Data"),
        ("if TYPE_CHECKING: from PK import Data", "Data"),
        ("if TYPE_CHECKING: from PK import *", "Data"),
        ("if TYPE_CHECKING: Alias = js.data.Data", "Alias | None"),
        ("if TYPE_CHECKING: other = js.data", "other.Data"),
    ],
)
def test_a_class_that_is_not_there_yet(package: Package, imports: str, annotation: str) -> None:
    program = package(f"{imports}\n{STEP.format(data=annotation)}", "from .model import *\nfrom .data import *")
    assert static_params(program.model.step.__wrapped__).argnums == ()


@pytest.mark.parametrize("annotation", ["js.data.Size", "js.Size", "js.data.Data.Count", "Later"])
def test_a_marker_in_a_module_that_is_imported_later_is_found(package: Package, annotation: str) -> None:
    text = f"{STEP.format(data=annotation)}\nLater = Static[int]"
    program = package(text, "from .model import *\nfrom .data import *")
    assert static_params(program.model.step.__wrapped__).argnums == (1,)


def test_a_name_that_is_deleted_or_defined_below(package: Package) -> None:
    program = package(
        """
    from PK.data import Data
    del Data

    @jit
    def step(x: jax.Array, data: Data, later: Later, n: Static[int]) -> Later:
        return x

    class Later: ...
    """
    )
    assert static_params(program.model.step.__wrapped__).argnames == ("n",)


def test_fields_of_a_dynamic_class(package: Package) -> None:
    program = package(
        """
    @dynamic_dataclass
    class State:
        data: js.data.Data
        n: js.data.Size
    """
    )
    state = program.model.State(program.data.Data(1.0), 3)
    assert jax.tree.leaves(state) == [1.0]


@pytest.mark.parametrize(
    ("annotation", "problem"),
    [
        ("js.data.Missing", "`Missing` of `circular"),
        ("js.missing.Data", "`missing` of `circular"),
        ("Unknown", "`Unknown`, undefined here"),
    ],
)
def test_what_may_be_a_marker_and_cannot_be_found_still_raises(package: Package, annotation: str, problem: str) -> None:
    with pytest.raises(MarkerError, match=problem):
        package(STEP.format(data=annotation))


def test_a_module_that_makes_its_names_on_demand_is_not_asked_for_those_in_its_source(package: Package) -> None:
    program = package(
        STEP.format(data="js.Data"),
        """
        from typing import TYPE_CHECKING

        asked = []

        def __getattr__(name):
            asked.append(name)
            raise AttributeError(name)

        if TYPE_CHECKING:
            from .data import Data
        from . import model
        """,
    )
    assert "Data" not in program.asked


def test_sizes_in_an_annotation_are_not_computed(package: Package) -> None:
    program = package(
        """
    class Float:
        def __class_getitem__(cls, item): raise AssertionError

    def rows(): raise AssertionError

    @jit
    def step(
        x: Float[jax.Array, f"{rows()} 3"],
        y: Float[jax.Array, rows() + 1],
        z: Float[jax.Array, 0:rows()],
        n: Static[int],
    ) -> jax.Array:
        return x
    """
    )
    assert static_params(program.model.step.__wrapped__).argnames == ("n",)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type statements came with Python 3.12")
def test_a_type_statement_that_cannot_be_evaluated_yet(package: Package) -> None:
    program = package(
        """
    type Data = js.data.Data | None
    type Size = js.data.Size

    @jit
    def step(x: Data, n: Size) -> Data:
        return x
    """
    )
    assert static_params(program.model.step.__wrapped__).argnames == ("n",)


def test_names_that_the_standard_library_has_for_checkers_only(package: Package) -> None:
    program = package(
        """
    import logging
    if TYPE_CHECKING:
        from logging import _ExcInfoType

    @jit
    def step(x: logging._SysExcInfoType, y: _ExcInfoType, n: Static[int]) -> jax.Array:
        return x
    """
    )
    assert static_params(program.model.step.__wrapped__).argnames == ("n",)
