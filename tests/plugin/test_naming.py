"""What names say by convention alone."""

from __future__ import annotations

import pytest

from jaxtyped_static_mypy.knowledge.naming import is_set_up, is_test_module

TESTS = [
    "test_steps",
    "app.steps_test",
    "conftest",
    "app.tests.helpers",
    "tests.steps",
    "bugs.minimal_scan_repro",
    "mwe",
]


@pytest.mark.parametrize("module", TESTS)
def test_a_module_of_tests_says_so(module: str) -> None:
    assert is_test_module(module)


@pytest.mark.parametrize(
    "module", ["app.steps", "latest", "contest", "app.testing", "attest_run", "app.report", "reprocess"]
)
def test_any_other_module_is_none(module: str) -> None:
    assert not is_test_module(module)


@pytest.mark.parametrize("function", ["init", "_initialize", "setup", "from_config", "make_step", "__warm_up"])
def test_set_up_says_so(function: str) -> None:
    assert is_set_up(function)


@pytest.mark.parametrize("function", ["reset", "step", "remake", "unload"])
def test_any_other_function_is_none(function: str) -> None:
    assert not is_set_up(function)
