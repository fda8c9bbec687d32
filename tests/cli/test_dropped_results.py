"""`check` and calls of methods that only return something: a class of another module may have one that does more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

MODEL = """\
import jax.numpy as jnp


class Model:
    def _updated(self, x):
        return jnp.sum(x)

    def update(self, x):
        self._updated(x)
"""

BELOW = "from model import Model\n\n\nclass Counting(Model):\n    def _updated(self, x):\n        print(x)\n"


@pytest.mark.parametrize(("files", "harm"), [({}, "wrong"), ({"counting.py": BELOW}, "potential")])
def test_a_subclass_may_do_more(files: dict[str, str], harm: str, tmp_path: Path, cache: str) -> None:
    write(tmp_path, {"model.py": MODEL, **files})
    found = findings_of(tmp_path, cache, "--potential")
    assert [(one["code"], one["line"], one["harm"]) for one in found] == [("jit-mutation", 9, harm)]
