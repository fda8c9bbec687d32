"""What PyPI would show of the wheel."""

from pathlib import Path

import pytest

from tests.release import WANTED, Unready, check_readme, left_to_do, metadata_of

pytestmark = pytest.mark.thorough


def test_the_readme_in_the_wheel_has_no_link_that_leads_nowhere(wheel: Path) -> None:
    pytest.importorskip("readme_renderer", reason="`make release-check` installs it")
    text = str(metadata_of(wheel).get_payload())
    check_readme(text)
    assert "](" not in text.replace("](https://", "") and "\n!" not in text
    with pytest.raises(Unready, match=r"docs/guard\.md"):
        check_readme(f"{text}\n\n[guard](docs/guard.md)\n")


def test_the_metadata_lack_nothing_but_addresses(wheel: Path) -> None:
    metadata = metadata_of(wheel)
    assert [key for key in WANTED if key not in metadata] == []
    assert [todo.partition(" ")[0] for todo in left_to_do(metadata)] == ["[project.urls]", "CHANGELOG.md:"]
