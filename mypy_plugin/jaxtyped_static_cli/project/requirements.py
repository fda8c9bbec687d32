"""Which release of JAX a project asks for, read from its files without running anything.

Only what rules a release out from above matters here: an environment with a later JAX is not the one that the project
is for.
"""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from ..files.ordinary import read_ordinary

_FILES: Final = (
    *("*requirements*.txt", "requirements/*.txt", "setup.py", "setup.cfg", "pyproject.toml", "Pipfile"),
    *("environment*.y*ml", "conda*.y*ml", "poetry.lock", "uv.lock", "Dockerfile*"),
)
_COMMENT: Final = re.compile(r"(?:^|\s)#.*")
_BOUND: Final = r"(?:===|==|~=|<=|>=|!=|<|>|\^|~|=)\s*v?\d[\w.*+]*"
# `jax[cuda]==0.4.13`, `"jax>=0.2, <0.5"`, `jax=0.4.13` (conda), `jax = "^0.4"`, `jax = {version = "^0.4"}` (Poetry).
_ASKED: Final = re.compile(
    r"(?<![\w./-])(?P<name>jax(?:lib)?)(?![\w-])(?:\[[^\]]*\])?[\"']?\s*"
    r"(?:=\s*(?:\{[^}]*?\bversion\s*=\s*)?[\"'])?\s*\(?\s*"
    rf"(?P<bounds>{_BOUND}(?:\s*,\s*{_BOUND})*)"
)
_EXACTLY: Final = re.compile(r"^\s*(?P<name>jax(?:lib)?)\s*=\s*[\"'](?P<version>\d[\w.]*)[\"']", re.MULTILINE)
_LOCKED: Final = re.compile(r"^name = \"(?P<name>jax(?:lib)?)\"\s*^version = \"(?P<version>[\w.]+)\"", re.MULTILINE)
_PARTS: Final = re.compile(r"([=~<>!^]+)\s*v?(\d+(?:\.\d+)*)")

_Version = tuple[int, ...]


def asked_before(installed: str, folders: Iterable[Path], root: Path) -> str | None:
    """What a file in one of the folders says, if it asks for an earlier JAX: `setup.py asks for jax<0.5`."""
    version = _version(installed)
    for file in (file for folder in folders for pattern in _FILES for file in sorted(folder.glob(pattern))):
        try:
            text = read_ordinary(file).decode(errors="replace")
        except OSError:
            continue
        asked = next((asked for asked, bounds in _asked(text) if _is_after(version, bounds)), None)
        if asked is not None:
            return f"{os.path.relpath(file, root)} asks for {asked}"
    return None


def _asked(text: str) -> Iterator[tuple[str, str]]:
    """What is asked for, as it is shown, and its bounds."""
    lines = "\n".join(_COMMENT.sub("", line) for line in text.splitlines())
    for pattern in (_EXACTLY, _LOCKED):
        for match in pattern.finditer(lines):
            yield f"{match['name']}=={match['version']}", f"=={match['version']}"
    for match in _ASKED.finditer(lines):
        yield f"{match['name']}{match['bounds']}", match["bounds"]


def _is_after(version: _Version, bounds: str) -> bool:
    """Whether a version is later than all that the bounds allow."""
    return any(_exceeds(version, sign, _version(bound)) for sign, bound in _PARTS.findall(bounds))


def _exceeds(version: _Version, sign: str, bound: _Version) -> bool:
    if sign in ("<", "<="):
        return version >= bound if sign == "<" else version > bound
    if sign in ("==", "===", "="):
        return version[: len(bound)] > bound
    if sign == "~=":
        return version[: max(len(bound) - 1, 1)] > bound[: max(len(bound) - 1, 1)]
    if sign == "~":
        return version[:2] > bound[:2]
    if sign == "^":  # up to the first number that is not 0
        kept = next((place for place, number in enumerate(bound, 1) if number), len(bound))
        return version[:kept] > bound[:kept]
    return False


def _version(text: str) -> _Version:
    return tuple(map(int, re.findall(r"\d+", re.split(r"[^\d.]", text, maxsplit=1)[0])))
