"""What a Python accepts that the project asks for is potential."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

PROGRAM = """\
from dataclasses import dataclass

import jax
import numpy as np


@dataclass(frozen=True, eq=False)
class Group:
    potentials: np.ndarray = np.empty(0)


print(jax.numpy.sum(Group().potentials))
"""


@pytest.mark.parametrize(
    ("asked", "harm", "notes"),
    [
        ('requires-python = ">=3.7,<3.11"', "potential", ["pyproject.toml asks for python>=3.7,<3.11"]),
        ('requires-python = ">=3.7"', "raises", []),
        ('requires-python = ">=3.7,<3.12"', "raises", []),
    ],
)
def test_a_default_that_an_older_python_accepts(
    tmp_path: Path, cache_with_jax: str, asked: str, harm: str, notes: list[str]
) -> None:
    project = write(tmp_path, {"pyproject.toml": f'[project]\nname = "groups"\n{asked}\n', "main.py": PROGRAM})
    found: list[dict[str, Any]] = findings_of(project, cache_with_jax, "--potential")
    assert [(one["code"], one["harm"], one["notes"]) for one in found] == [("static-hash", harm, notes)]


def test_the_environment_of_those_who_develop_a_package_is_not_that_of_its_users(
    tmp_path: Path, cache_with_jax: str
) -> None:
    files = {
        "pyproject.toml": '[project]\nname = "groups"\nrequires-python = ">=3.8"\n',
        "environment.yml": "dependencies:\n  - python=3.8\n",
        "main.py": PROGRAM,
    }
    found = findings_of(write(tmp_path, files), cache_with_jax, "--potential")
    assert [(one["code"], one["harm"]) for one in found] == [("static-hash", "raises")]
