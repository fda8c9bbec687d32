"""The links of a page: relative to the repository in the source, to other pages on the site."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

_FENCE: Final = re.compile(r"^ *(`{3,})", re.MULTILINE)
_LINK: Final = re.compile(r"\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?P<target>[^()\s]+)\)")
_DEFINITION: Final = re.compile(r"^\[(?P<text>[^\]]+)\]: (?P<target>\S+)$", re.MULTILINE)
_ELSEWHERE: Final = re.compile(r"^(?:[a-z]+:|#)")


class LinkError(ValueError):
    """A link leads to a file that does not exist."""


@dataclass(frozen=True)
class Links:
    """The pages of the site: where each file of the repository stands there."""

    root: Path
    places: Mapping[PurePosixPath, PurePosixPath]

    def on_the_site(self, text: str, source: PurePosixPath) -> str:
        """Points every link of a page at a page of the site; one to any other file becomes plain text."""
        return "".join(part if is_code else self._prose(part, source) for is_code, part in split_at_blocks(text))

    def _prose(self, text: str, source: PurePosixPath) -> str:
        def replaced(link: re.Match[str]) -> str:
            place = self._place(link["target"], source)
            return link["text"] if place is None else f"[{link['text']}]({place})"

        def redefined(link: re.Match[str]) -> str:
            return f"[{link['text']}]: {self._place(link['target'], source) or link['target']}"

        return _DEFINITION.sub(redefined, _LINK.sub(replaced, text))

    def _place(self, target: str, source: PurePosixPath) -> str | None:
        """Returns what the link is on the site, or None if the file is no page. Raises `LinkError`."""
        if _ELSEWHERE.match(target):
            return target
        path, _, fragment = target.partition("#")
        file = PurePosixPath(posixpath.normpath(source.parent / path))
        if not (self.root / file).exists():
            raise LinkError(f"{source}: {target} does not exist")
        page = self.places.get(file) or self.places.get(file / "README.md")
        if page is None:
            return None
        place = posixpath.relpath(page, self.places[source].parent)
        return f"{place}#{fragment}" if fragment else place


def link_targets(text: str) -> Iterator[str]:
    """Yields the target of each link of a page."""
    for is_code, part in split_at_blocks(text):
        if not is_code:
            yield from (link["target"] for pattern in (_LINK, _DEFINITION) for link in pattern.finditer(part))


def split_at_blocks(text: str) -> Iterator[tuple[bool, str]]:
    """Yields the parts of a Markdown text in order, each with whether it is a fenced block."""
    at = 0
    while opening := _FENCE.search(text, at):
        yield False, text[at : opening.start()]
        closing = re.compile(rf"^ *{opening[1]} *$\n?", re.MULTILINE).search(text, opening.end())
        end = closing.end() if closing else len(text)
        yield True, text[opening.start() : end]
        at = end
    yield False, text[at:]
