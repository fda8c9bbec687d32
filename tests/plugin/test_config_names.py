"""A setting that names something that does not exist is reported, with a suggestion; uncertain cases are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyped_static_mypy.config.unknown_names import NamesInSettings

MESH = "class Mesh: ...\nif True:\n    def jit(f): ...\n    LIMIT = 3\n"


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """Returns a package with a module and a re-export."""
    (tmp_path / "mesh.py").write_text(MESH)
    (tmp_path / "__init__.py").write_text("from . import mesh\nfrom .mesh import Mesh as Grid\n")
    return tmp_path


def said(name: str, module: str, path: Path, key: str = "static_types") -> list[str]:
    return list(NamesInSettings({key: [name], "strict": True}).wrong_in(module, str(path)))


def test_a_missing_name_is_reported_with_a_similar_one(app: Path) -> None:
    (line,) = said("app.mesh.Mehs", "app.mesh", app / "mesh.py", "pytree_types")
    assert line == 'pytree_types names "app.mesh.Mehs", but "app.mesh" has no "Mehs"; did you mean "app.mesh.Mesh"?'


def test_a_name_without_a_similar_one_is_reported_too(app: Path) -> None:
    assert said("app.mesh.Q", "app.mesh", app / "mesh.py") == [
        'static_types names "app.mesh.Q", but "app.mesh" has no "Q"'
    ]


def test_a_name_that_is_only_imported_is_reported_with_the_one_that_works(app: Path) -> None:
    (line,) = said("app.Grid", "app", app / "__init__.py")
    assert line == 'static_types names "app.Grid", which is only imported there; write "app.mesh.Mesh"'


def test_a_module_is_not_a_type(app: Path) -> None:
    (line,) = said("app.mesh", "app", app / "__init__.py")
    assert line == 'static_types names "app.mesh", a module; name the class or function in it'


def test_a_missing_module_of_a_package_is_reported(app: Path) -> None:
    (line,) = said("app.mehs.Mesh", "app", app / "__init__.py")
    assert line.endswith('but "app" has no "mehs"; did you mean "app.mesh"?')


@pytest.mark.parametrize("name", ["Mesh", "Mesh.Inner", "jit", "LIMIT"])
def test_an_existing_name_is_not_reported(app: Path, name: str) -> None:
    assert not said(f"app.mesh.{name}", "app.mesh", app / "mesh.py")
    assert not said(f"app.mesh.{name}", "app", app / "__init__.py")


@pytest.mark.parametrize(
    "source",
    [
        "from app.mesh import *",
        "def __getattr__(name): ...",
        "globals()['Mehs'] = 1",
        "def f():\n    global Mehs\n    Mehs = 1",
        "try:\n    from fast import Mehs\nexcept ImportError:\n    Mehs = None",
        "with open('x') as Mehs: ...",
        "this is no Python",
    ],
)
def test_a_module_that_may_define_the_name_is_not_reported(tmp_path: Path, source: str) -> None:
    (tmp_path / "unsure.py").write_text(source)
    assert not said("unsure.Mehs", "unsure", tmp_path / "unsure.py")


def test_partial_stubs_do_not_affect_the_rest_of_a_package(tmp_path: Path) -> None:
    (tmp_path / "__init__.pyi").write_text("")
    assert not said("chex._src.Thing", "chex", tmp_path / "__init__.pyi")


def test_each_is_reported_once_and_only_for_its_own_module(app: Path) -> None:
    names = NamesInSettings({"static_types": ["app.mesh.Mehs"]})
    assert not list(names.wrong_in("other", str(app / "mesh.py")))
    assert len(list(names.wrong_in("app.mesh", str(app / "mesh.py")))) == 1
    assert not list(names.wrong_in("app.mesh", str(app / "mesh.py")))


def test_a_plain_string_marker_names_no_module() -> None:
    assert not said("_pydantic_static", "_pydantic_static", Path("x.py"), "static_markers")
