"""Code behind an option that is off by default, and that nothing in the project turns on: does it run?"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.repeated import shown
from tests.cli.running import write

pytestmark = pytest.mark.xdist_group("light")

APP = """\
import os
from dataclasses import dataclass

import jax

{variable}


@dataclass
class Config:
    size: int = 3
    use_scan: bool = False


class Model:
    def __init__(self, config: Config) -> None:
        self.config = config

    def __call__(self, x: jax.Array) -> jax.Array:
        if {test}:
            return self._scanned(x)
        return x

    def _scanned(self, x: jax.Array) -> jax.Array:
        return jax.jit(lambda y: y * self.config.size)(x)


def run(config: Config, xs: list[jax.Array]) -> None:
    model = Model(config)
    for x in xs:
        print(model(x))
"""
FOUND = "app.py:25"
RUN = "from app import Config, run\n\nrun(Config({given}), [])\n"


def _is_shown(project: Path, cache: str, files: dict[str, str], variable: str = "", test: str = "config") -> bool:
    test = "self.config.use_scan" if test == "config" else test
    write(project, {"app.py": APP.replace("{variable}", variable).replace("{test}", test), **files})
    return FOUND in shown(project, cache)


@pytest.mark.parametrize(
    ("given", "others", "is_shown"),
    [
        ("", {}, False),
        ("size=4, use_scan=False", {}, False),
        ("use_scan=True", {}, True),
        ("use_scan=bool(input())", {}, True),
        ("", {"other.py": "def turn_on(config):\n    config.use_scan = True\n"}, True),
        ("", {"other.py": "OPTIONS = ['--use-scan', '--size']\n"}, True),
        ("", {"configs/fast.yaml": "model:\n  use_scan: true\n"}, True),
        ("", {"tests/test_app.py": "from app import Config\n\nconfig = Config(use_scan=True)\n"}, False),
    ],
)
def test_a_field_that_is_off(given: str, others: dict[str, str], is_shown: bool, tmp_path: Path, cache: str) -> None:
    assert _is_shown(tmp_path, cache, {"main.py": RUN.replace("{given}", given), **others}) is is_shown


@pytest.mark.parametrize(
    ("variable", "is_shown"),
    [
        ('STRICT = os.environ.get("STRICT", "").strip().lower() in {"1", "true"}', False),
        ('STRICT = os.getenv("STRICT", "0") == "1"', False),
        ('STRICT = bool(int(os.environ.get("STRICT", "0")))', False),
        ('STRICT = not os.environ.get("STRICT")', True),
        ('STRICT = os.environ.get("STRICT", "1") != "0"', True),
        ("STRICT = bool(input())", True),
    ],
)
def test_a_variable_of_the_environment(variable: str, is_shown: bool, tmp_path: Path, cache: str) -> None:
    main = RUN.replace("{given}", "")
    assert _is_shown(tmp_path, cache, {"main.py": main}, variable, "STRICT and x.size") is is_shown
