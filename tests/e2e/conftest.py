"""The distribution that the tests of this folder install, and the cache that some of them share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import shared_folder
from tests.e2e.environments import ROOT, build
from tests.rules.store import alone


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Builds the wheel from the checkout."""
    return build(ROOT, tmp_path_factory.mktemp("wheel"), "wheel")


@pytest.fixture
def cache_of_the_demo() -> Iterator[Path]:
    """Returns a mypy cache with JAX in it, for tests that use it one after the other."""
    with alone(shared_folder() / "demo"):
        yield ROOT / ".mypy_cache" / "examples"
