"""What is in the built distributions."""

import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from tests.archives import unpack
from tests.e2e.environments import ROOT, build


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_installs_these_packages_and_nothing_else(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in names(wheel)}
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "jaxtyped_static",
        "jaxtyped_static_cli",
        "jaxtyped_static_mypy",
        "jaxtyped_static_pylsp",
        "jaxtyped_static_pytest",
        "jaxtyped_static_runs",
        "jaxtyped_static_server",
    }
    assert len(tops) == 8


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    plugins = [folder for name in ("mypy", "pylsp", "pytest") for folder in (ROOT / f"{name}_plugin").iterdir()]
    others = [folder for name in ("language_server", "recorded_runs") for folder in (ROOT / name).iterdir()]
    folders = [ROOT / "jaxtyped_static", *plugins, *others]
    files = {
        file.relative_to(folder.parent).as_posix()
        for folder in folders
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert len(files) > 100
    pages = {f"jaxtyped_static_cli/rule_pages/{page.name}" for page in (ROOT / "docs" / "rules").iterdir()}
    assert {name for name in names(wheel) if ".dist-info/" not in name} == files | pages


def test_the_wheel_registers_the_command_and_the_plugins_for_pylsp_and_pytest(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (points,) = (name for name in archive.namelist() if name.endswith(".dist-info/entry_points.txt"))
        assert archive.read(points).decode().split("\n") == [
            "[console_scripts]",
            "jaxtyped-static = jaxtyped_static_cli.main:run",
            "",
            "[pylsp]",
            "jaxtyped_static = jaxtyped_static_pylsp",
            "",
            "[pytest11]",
            "jaxtyped_static = jaxtyped_static_pytest",
            "",
        ]


def test_all_packages_are_marked_as_typed(wheel: Path) -> None:
    assert {
        "jaxtyped_static/py.typed",
        "jaxtyped_static_cli/py.typed",
        "jaxtyped_static_mypy/py.typed",
        "jaxtyped_static_pylsp/py.typed",
        "jaxtyped_static_pytest/py.typed",
        "jaxtyped_static_server/py.typed",
    } <= names(wheel)


def test_the_runtime_requires_only_jax_and_mypy_is_an_extra(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        headers = Parser().parsestr(archive.read(metadata).decode())
    required = [line for line in headers.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert sorted(line.split(">")[0] for line in required) == ["jax", "jaxlib", "typing-extensions"]
    assert set(headers.get_all("Provides-Extra", [])) == {"cli", "dev", "docs", "editor", "mypy", "pylsp", "release"}


@pytest.mark.thorough
def test_the_wheel_of_the_source_distribution_is_the_same(wheel: Path, tmp_path: Path) -> None:
    (tmp_path / "sdist").mkdir()
    (tmp_path / "wheel").mkdir()
    with tarfile.open(build(ROOT, tmp_path / "sdist", "sdist")) as archive:
        unpack(archive, tmp_path)
    (source,) = tmp_path.glob("jaxtyped_static-*")
    assert names(build(source, tmp_path / "wheel", "wheel")) == names(wheel)
