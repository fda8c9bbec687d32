"""The lists of intended failures fit the suites; those of CPython, which need no download, are verified."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.peers import intended
from tests.peers.__main__ import main
from tests.peers.assignments import set_by_force
from tests.peers.running import rewritten
from tests.peers.sources import Unavailable
from tests.peers.suites import SUITES


def test_every_list_belongs_to_a_suite_and_gives_each_test_one_reason() -> None:
    listed = {file.stem for file in Path(intended.__file__).parent.glob("*.toml")}
    assert listed <= SUITES.keys()
    for name in listed:
        tests = [test for reason in intended.reasons(name) for test in reason.tests]
        assert len(tests) == len(set(tests)), name


def test_tests_that_would_not_use_our_classes_are_refused() -> None:
    with pytest.raises(Unavailable, match="none of our classes would be tested"):
        rewritten(SUITES["flax-struct"], {Path("tests/struct_test.py"): "import flax"})


def test_constructors_of_unfrozen_classes_get_past_frozen_ones() -> None:
    head = "class C:\n    def __post_init__(self, é):\n"
    assert set_by_force(head + "        if é: self.x = (é,\n            2); self.y *= é + 1\n") == (
        head + "        if é: object.__setattr__(self, 'x', (é,\n            2)); "
        "object.__setattr__(self, 'y', self.y * (é + 1))\n"
    )
    elsewhere = "def f(self):\n    self.x = 1\n"
    assert set_by_force(elsewhere) == elsewhere


@pytest.mark.thorough
@pytest.mark.skipif(importlib.util.find_spec("test.test_dataclasses") is None, reason="Python has no tests of its own")
@pytest.mark.parametrize("suite", ["cpython-static", "cpython-dynamic"])
def test_our_dataclasses_behave_like_those_of_the_standard_library(
    suite: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([suite]) == 0, capsys.readouterr().out
