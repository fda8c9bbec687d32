"""The distribution that the tests of this folder install."""

from pathlib import Path

import pytest

from tests.e2e.environments import ROOT, build


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the checkout."""
    return build(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")
