"""Which files of the repository are pages of the site, and where they stand there."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath
from typing import Final

from website.blocks import as_listings
from website.links import Links

ROOT: Final = Path(__file__).resolve().parents[1]

# Pages outside `docs`, by their path in the repository.
_OTHERS: Final = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/README.md": "benchmarks.md",
    "examples/README.md": "examples.md",
    "stubs/README.md": "stubs.md",
    "tests/real/README.md": "real-programs.md",
    "tests/rules/README.md": "cases.md",
    "website/api.md": "api.md",
}


def page_places() -> dict[PurePosixPath, PurePosixPath]:
    """Returns, for each file that is a page, its path on the site."""
    docs = ROOT / "docs"
    places = {path.relative_to(ROOT): path.relative_to(docs) for path in sorted(docs.rglob("*.md"))}
    others = {Path(source): Path(place) for source, place in _OTHERS.items()}
    return {PurePosixPath(source): PurePosixPath(place) for source, place in (places | others).items()}


def _pictures() -> dict[PurePosixPath, PurePosixPath]:
    docs = ROOT / "docs"
    found = sorted(docs.rglob("*.svg"))
    return {PurePosixPath(path.relative_to(ROOT)): PurePosixPath(path.relative_to(docs)) for path in found}


def write_pages(folder: Path) -> None:
    """Writes every page, as Zensical shall read it. Raises `LinkError` for a link to a file that does not exist."""
    links = Links(ROOT, page_places() | _pictures())
    for source, place in _pictures().items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source, folder / place)
    for source, place in page_places().items():
        text = (ROOT / source).read_text(encoding="utf-8")
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(as_listings(links.on_the_site(text, source)), encoding="utf-8")
    shutil.copy(ROOT / "website" / "site.css", folder)
