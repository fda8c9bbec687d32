"""`migrate --static-classes` makes static classes of whole hierarchies, and of their classes only together."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jaxtyped_static_cli.migrating.classes import requested
from jaxtyped_static_cli.migrating.migration import propose
from jaxtyped_static_cli.migrating.planning import Wanted
from tests.cli.running import run, write

pytestmark = pytest.mark.xdist_group("light")

BASE = """\
import dataclasses


@dataclasses.dataclass(frozen=True, eq=False)
class Base:
    def _parts(self) -> tuple[object, ...]:
        return tuple(getattr(self, each.name) for each in dataclasses.fields(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Base) and type(self) is type(other) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __post_init__(self) -> None:
        if hash(self) != hash(self._parts()):
            raise TypeError(f"{type(self)} has another hash")
        for part in self._parts():
            if dataclasses.is_dataclass(part) and not isinstance(part, Base):
                raise TypeError(f"{part} is no Base")
"""
MODELS = """\
import abc
import dataclasses

from . import base as lib
from .base import Base


@dataclasses.dataclass(frozen=True, eq=False)
class Solver(lib.Base, abc.ABC):
    order: int

    @abc.abstractmethod
    def step(self) -> int: ...


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Fast(
    Solver,
    Base,
):
    scale: float = 1.0

    def step(self) -> int:
        return self.order


class Faster(Fast):
    def step(self) -> int:
        return 2 * self.order


@dataclasses.dataclass(frozen=True, eq=False)
class Model(Base):
    solver: Solver
"""
STATIC = """\
import abc

from jaxtyped_static import static_dataclass


@static_dataclass
class Solver(abc.ABC):
    order: int

    @abc.abstractmethod
    def step(self) -> int: ...


@static_dataclass(kw_only=True)
class Fast(
    Solver,
):
    scale: float = 1.0

    def step(self) -> int:
        return self.order


class Faster(Fast):
    def step(self) -> int:
        return 2 * self.order


@static_dataclass
class Model:
    solver: Solver
"""
USES = """
from app.models import Fast, Faster, Model

model = Model(Faster(2))
assert model == Model(Faster(order=2, scale=1.0)) and hash(model) == hash(Model(Faster(2)))
assert model != Model(Fast(2)) and model != Model(Faster(3))
assert model.solver.step() == 4
"""


def left_of(project: Path, files: dict[str, str], *names: str) -> dict[str, str]:
    """What is left of a program below `app.base.Base`, with the reasons."""
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    paths = sorted(project.rglob("*.py"))
    wanted = requested(paths, fields=False, static=names or ["Base"], static_bases=["app.base.Base"])
    migration = propose(paths, Wanted(wanted))
    for file in migration.changed:
        file.path.write_bytes(file.content)
    return {one.name: f"{one.reason} {one.about}".strip() for file in migration.files for one in file.left}


def test_the_classes_below_a_static_base_become_static(tmp_path: Path) -> None:
    files = {"app/__init__.py": "", "app/base.py": BASE, "app/models.py": MODELS, "uses.py": USES}
    assert left_of(tmp_path, files) == {}
    assert (tmp_path / "app" / "base.py").read_text() == BASE
    assert (tmp_path / "app" / "models.py").read_text() == STATIC
    subprocess.run([sys.executable, "uses.py"], cwd=tmp_path, check=True)


@pytest.mark.thorough
def test_the_command_reads_the_bases_in_the_settings(tmp_path: Path, cache: str) -> None:
    config = '[tool.jaxtyped_static]\nstatic_bases = ["app.base.Base"]\n'
    write(tmp_path, {"app/__init__.py": "", "app/base.py": BASE, "app/models.py": MODELS})
    (tmp_path / "pyproject.toml").write_text((tmp_path / "pyproject.toml").read_text() + config)
    report = json.loads(run(tmp_path, "migrate", cache, "--static-classes=Base", "--write", "--format=json").out)
    assert [one["class"] for one in report["changed"]] == ["Solver", "Fast", "Model"]
    assert report["left"] == []
    assert (tmp_path / "app" / "models.py").read_text() == STATIC


HEAD = "import dataclasses\nfrom app.base import Base\ndeclared = dataclasses.dataclass(frozen=True, eq=False)\n"
ONE = "\n@dataclasses.dataclass(frozen=True, eq=False)\nclass One(Base):\n    n: int\n"
TWO = "\n@dataclasses.dataclass(frozen=True, eq=False)\nclass Two(One):\n"
OTHER = "\n@dataclasses.dataclass(frozen=True, eq=False)\nclass Other(Base):\n"


@pytest.mark.parametrize(
    ("code", "left"),
    [
        # A class stays with its bases and subclasses.
        (TWO + "    def __hash__(self): return 1\n", {"One": "together Two", "Two": "own __hash__"}),
        (
            "\nclass Two(One):\n    m: int\n",
            {"One": "together Two", "Two": "own the field m without being a dataclass"},
        ),
        ("\nclass Two(One):\n    def __init__(self): ...\n", {"One": "together Two", "Two": "own __init__"}),
        ("\n@declared\nclass Two(One):\n    m: int\n", {"One": "together Two", "Two": "class-decorated declared"}),
        (
            "\nclass Mixin: ...\n" + TWO.replace("One", "One, Mixin") + "    m: int\n",
            {"One": "together Two", "Two": "base Mixin"},
        ),
        # The base is needed.
        ("\nis_base = isinstance(0, Base)\n", {"One": "needed Base is used as Base in code.py:9"}),
        ("\ndef f(x: 'Base | None'): ...\n", {"One": "needed Base is used as Base in code.py:9"}),
        ("\ndef f(x): return x._parts()\n", {"One": "needed Base is used as _parts in code.py:9"}),
        (
            "    def __post_init__(self): super().__post_init__()\n",
            {"One": "needed it calls super().__post_init__ of Base"},
        ),
        # What stays below a base that tells its classes apart may hold the others.
        (
            OTHER + "    one: One | None\n    def __eq__(self, other): return False\n",
            {"One": "needed Other stays below Base, and may hold only what is", "Other": "own __eq__"},
        ),
        (OTHER + "    text: str\n    def __eq__(self, other): return False\n", {"Other": "own __eq__"}),
    ],
)
def test_what_cannot_become_static_is_left_with_its_hierarchy(code: str, left: dict[str, str], tmp_path: Path) -> None:
    assert left_of(tmp_path, {"app/__init__.py": "", "app/base.py": BASE, "code.py": HEAD + ONE + code}) == left


@pytest.mark.parametrize(
    ("base", "about"),
    [
        (
            "class Base:\n    registry = []\n    def __post_init__(self): self.registry.append(self)\n",
            "does more in __post_init__ than to check",
        ),
        ("class Base:\n    name: str = ''\n    def __new__(cls, *args): ...\n", "has the field name"),
        (
            "class Base:\n    def __init_subclass__(cls): ...\n    def __getattr__(self, name): ...\n",
            "defines __init_subclass__",
        ),
        ("class Base(dict):\n    ...\n", "has bases of its own"),
    ],
)
def test_a_base_that_does_more_is_needed(base: str, about: str, tmp_path: Path) -> None:
    files = {"app/__init__.py": "", "app/base.py": base, "code.py": HEAD + ONE}
    assert left_of(tmp_path, files) == {"One": f"needed Base {about}"}


KEPT = """\
import dataclasses


@dataclasses.dataclass(frozen=True, eq=False)
class Base:
    name: str

    def label(self) -> str:
        return f"{self.name} {self}"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).values()))
"""


def test_a_base_that_is_needed_stays_if_a_static_class_can_derive_from_it(tmp_path: Path) -> None:
    files = {"app/__init__.py": "", "app/base.py": KEPT, "code.py": HEAD + ONE}
    assert left_of(tmp_path, files) == {}
    text = (tmp_path / "code.py").read_text()
    assert text.endswith("@static_dataclass\nclass One(Base):\n    n: int\n")
    uses = (
        "from code_ import *\nassert One('a', 2) is One('a', 2) and One('a', 2).label() == \"a One(name='a', n=2)\"\n"
    )
    (tmp_path / "code_.py").write_text(text)
    (tmp_path / "uses.py").write_text(uses)
    subprocess.run([sys.executable, "uses.py"], cwd=tmp_path, check=True)


def test_hierarchies_without_a_static_base_are_named_as_a_whole(tmp_path: Path) -> None:
    head = "from dataclasses import dataclass\n"
    code = head + "@dataclass(frozen=True)\nclass A: ...\n@dataclass(frozen=True)\nclass B(A):\n    n: int = 0\n"
    assert left_of(tmp_path, {"code.py": code}, "A") == {"A": "subclassed"}
    assert left_of(tmp_path, {"code.py": code}, "B") == {"B": "base A"}
    assert left_of(tmp_path, {"code.py": code}, "A", "B") == {}
    changed = re.sub(r"@dataclass\(frozen=True\)", "@static_dataclass", code)
    assert (tmp_path / "code.py").read_text().endswith(changed.removeprefix(head))
