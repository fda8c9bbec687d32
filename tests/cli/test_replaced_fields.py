"""`check` and copies with fields that a class does not have: an object of a subclass of any module may have them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

CONFIG = """\
import dataclasses

import jax


@dataclasses.dataclass(frozen=True)
class Config:
    rate: float


def faster(config: Config) -> Config:
    return dataclasses.replace(config, speed=2.0)
"""

BELOW = "from config import Config\n\n\nclass Fast(Config):\n    speed: float\n"


@pytest.mark.parametrize(("files", "harm"), [({}, "raises"), ({"fast.py": BELOW}, "potential")])
def test_a_subclass_may_have_the_field(files: dict[str, str], harm: str, tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"config.py": CONFIG, **files})
    found = findings_of(tmp_path, cache, "--potential")
    assert [(one["code"], one["line"], one["harm"]) for one in found] == [("jax-call", 12, harm)]
