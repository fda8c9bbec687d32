"""The pages of the repository: their links, their place in the navigation, and that nothing in them is missing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path, PurePosixPath

import pytest

from jaxtyped_static_mypy.config.settings import Settings
from tests.rules.cases import GUIDE, ROOT, read_blocks
from website.links import LinkError, Links, link_targets, split_at_blocks
from website.pages import page_places

PAGES = sorted(page_places())
KEYS = [setting for setting in fields(Settings) if setting.metadata.get("is_key", True)]
NAVIGATION = (ROOT / "website" / "mkdocs.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_links_lead_to_files_and_headings(page: PurePosixPath) -> None:
    dead = [target for target in link_targets(text_of(page)) if not leads_somewhere(target, page)]
    assert not dead


def test_the_package_and_the_site_are_described_as_the_readme_begins() -> None:
    first = (ROOT / "README.md").read_text(encoding="utf-8").split("\n\n")[1]
    sentence = " ".join(first.replace("`", "").split()).partition(". ")[0]
    package = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'\ndescription = "{sentence}"\n' in package and f'\nsite_description: "{sentence}"\n' in NAVIGATION


def test_every_page_is_in_the_navigation_once() -> None:
    listed = re.findall(r"[\w/.-]+\.md$", NAVIGATION, re.MULTILINE)
    assert Counter(listed) == Counter(map(str, page_places().values()))


@pytest.mark.parametrize("page", sorted(GUIDE.glob("*.md")), ids=lambda page: page.stem)
def test_every_program_of_the_guide_is_checked_or_run(page: Path) -> None:
    assert [block.place for _, block in read_blocks(page) if block.language == "python" and not block.flags] == []


def test_every_setting_has_a_section_and_a_row_with_its_default() -> None:
    sections = re.findall(r"^### (.+)$", (ROOT / "docs" / "configuration.md").read_text(), re.MULTILINE)
    assert Counter(names_in(sections)) == Counter(setting.name for setting in KEYS)
    rows = re.findall(r"^\| (`[a-z_`, ]+) \| .+ \| `(\S+)` \|$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert {name: default for names, default in rows for name in names_in([names])} == {
        setting.name: "false" if setting.default is False else "[]" for setting in KEYS
    }
    assert all(setting.default in (False, frozenset()) and setting.default is not MISSING for setting in KEYS)


def test_the_diffs_of_the_contributors_page_are_in_the_files() -> None:
    blocks = [block.text for _, block in read_blocks(ROOT / "CONTRIBUTING.md") if block.language == "diff"]
    assert len(blocks) == 3
    for file, added in re.findall(r"^\+\+\+ b/(.+)\n((?:\+(?!\+\+).*\n)+)", "".join(blocks), re.MULTILINE):
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
        assert {line[1:] for line in added.splitlines()} <= set(lines), file


def test_the_links_of_a_page_are_those_of_the_site() -> None:
    places = {PurePosixPath("README.md"): PurePosixPath("index.md"), PurePosixPath("docs/a.md"): PurePosixPath("a.md")}
    links = Links(ROOT, places)
    text = "[a](docs/guard.md) [home](README.md#install) [x](https://x.org) [y](#y)\n```\n[b](no.md)\n```\n"
    places[PurePosixPath("docs/guard.md")] = PurePosixPath("guard.md")
    assert links.on_the_site(text, PurePosixPath("README.md")) == text.replace("docs/", "").replace("README", "index")
    assert links.on_the_site("[p](../pyproject.toml)", PurePosixPath("docs/a.md")) == "p"
    with pytest.raises(LinkError, match=r"docs/a\.md: no\.md does not exist"):
        links.on_the_site("[p](no.md)", PurePosixPath("docs/a.md"))


def names_in(texts: list[str]) -> list[str]:
    return [name for text in texts for name in re.findall(r"`([a-z_]+)`", text)]


def text_of(page: PurePosixPath) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def leads_somewhere(target: str, page: PurePosixPath) -> bool:
    if re.match(r"[a-z]+:", target):
        return True
    path, _, heading = target.partition("#")
    file = (ROOT / page.parent / path) if path else ROOT / page
    return file.exists() and (not heading or heading in set(headings(file)))


def headings(file: Path) -> Iterator[str]:
    """Yields the fragments of the headings, as GitHub makes them."""
    for is_code, part in split_at_blocks(file.read_text(encoding="utf-8")):
        for title in [] if is_code else re.findall(r"^#{1,6} (.+)$", part, re.MULTILINE):
            shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
            yield re.sub(r"[^\w\- ]", "", shown.strip().lower()).replace(" ", "-")
