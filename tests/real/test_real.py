"""Programs from PyPI, unchanged: the plugin does not crash on them, and finds exactly what was reviewed."""

from __future__ import annotations

import pytest

from tests.real import golden
from tests.real.findings import find
from tests.real.packages import PACKAGES, Package

EVERY_PACKAGE = [pytest.param(package, id=package.name) for package in PACKAGES]
IN_SUITE = [pytest.param(package, id=package.name) for package in PACKAGES if package.in_suite]


@pytest.mark.thorough
@pytest.mark.parametrize("package", IN_SUITE)
def test_the_plugin_finds_what_was_reviewed(package: Package) -> None:
    findings = find(package)
    update = f"python -m tests.real.check {package.name} --update"
    if differences := golden.differences(package, findings):
        pytest.fail("\n".join([*differences, f"To review them, run: {update}"]), pytrace=False)
    if reworded := golden.reworded(package, findings):
        pytest.fail(
            "\n".join([f"Only the words have changed; take them over with: {update}", *reworded]), pytrace=False
        )


@pytest.mark.parametrize("package", EVERY_PACKAGE)
def test_every_finding_has_a_reason(package: Package) -> None:
    assert golden.golden_file(package).exists()
    assert golden.unexplained(package) == []
