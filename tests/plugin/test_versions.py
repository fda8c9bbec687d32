"""A mypy that is too old is refused, because it would check nothing; an untested one is named, never refused."""

from __future__ import annotations

import pytest
from mypy.errors import CompileError

from jaxtyped_static_mypy.compat.versions import check_version, version_notice


@pytest.mark.parametrize("version", ["2.0.0", "2.3.1", "2.4.0+dev.0123abc"])
def test_a_tested_release_is_silent(version: str) -> None:
    check_version(version)
    assert version_notice(version) is None


@pytest.mark.parametrize("version", ["2.5.0", "3.0.0+dev"])
def test_an_untested_release_is_named(version: str) -> None:
    check_version(version)
    notice = version_notice(version)
    assert notice is not None and f"mypy {version} is newer" in notice


@pytest.mark.parametrize("version", ["1.19.1", "0.991"])
def test_too_old_a_release_is_refused(version: str) -> None:
    with pytest.raises(CompileError) as caught:
        check_version(version)
    assert "install mypy>=2.0" in caught.value.messages[0]
