"""Which release of JAX, or of another package, a project asks for, read from its files without running anything.

What rules a release out matters here: an environment with another one is not the one that the project is for.
"""

import functools
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from .asking_files import CONDA, NIX, NOTEBOOKS, READMES, RUNNERS, asking_files, installing, matches
from .bounds import BOUNDS, is_after, is_before, version_of
from .nix import state_asked
from .published import FOR_USERS, is_published

_JAX: Final = "jax"
_RELEASE: Final = r"v?0(?:\.\d+){1,3}"


class _Patterns(NamedTuple):
    """How files name a package and its release."""

    # `jax[cuda]==0.4.13`, `"jax>=0.2, <0.5"`, `jax=0.4.13` (conda), `jax = "^0.4"`,
    # `jax = {version = "^0.4"}` (Poetry).
    asked: re.Pattern[str]
    exactly: re.Pattern[str]
    locked: re.Pattern[str]
    # In prose: `JAX 0.4.13`, `jax version 0.4.13`, `jaxlib (v0.4.13)`, `JAX 0.4.13 and 0.4.20`; not `JAX 0.4.13+`.
    named: re.Pattern[str]
    # Of another place than PyPI, where it may have all names: `optax @ git+https://...`, `optax = {git = "..."}`,
    # `git+https://github.com/someone/optax.git@branch`, `#egg=optax`.
    placed: re.Pattern[str]
    badge: re.Pattern[str]  # `https://img.shields.io/badge/JAX-v0.4.13-blue`
    # Of whatever release is the newest: `pip install "jax[cpu]"`, `the latest version of the JAX package`.
    newest: re.Pattern[str]


@functools.cache
def _patterns(distribution: str) -> _Patterns:
    name = r"(?P<name>jax(?:lib)?)" if distribution == _JAX else f"(?P<name>{re.escape(distribution)})"
    return _Patterns(
        re.compile(
            rf"(?<![\w./-]){name}(?![\w-])(?:\[[^\]]*\])?[\"']?\s*"
            r"(?:=\s*(?:\{[^}]*?\bversion\s*=\s*)?[\"'])?\s*\(?\s*"
            rf"(?P<bounds>{BOUNDS})"
        ),
        re.compile(rf"^\s*{name}\s*=\s*[\"'](?P<version>\d[\w.]*)[\"']", re.MULTILINE),
        re.compile(rf"^name = \"{name}\"\s*^version = \"(?P<version>[\w.]+)\"", re.MULTILINE),
        re.compile(
            rf"(?<![\w./-]){name}[`*]*\s+(?:versions?\s+)?[(`*]*"
            rf"(?P<versions>{_RELEASE}(?:(?:\s*[,/\u2013-]|\s+(?:and|or|to)\b)+\s*{_RELEASE})*)(?![\w+-]|\.\d|`?\+)",
            re.IGNORECASE,
        ),
        re.compile(
            rf"(?<![\w./-]){name}(?:\[[^\]]*\])?[\"']?\s*(?:@\s*[\"']?(?:\w+\+)?(?:\w+):/|=\s*\{{[^}}]*?\b(?:git|url|path)\s*=)"
            rf"|\w+\+\w+:\S*(?:/|egg=){name.replace('<name>', '<last>')}(?:\.git)?(?=[@#&\s\"',]|$)",
            re.MULTILINE,
        ),
        re.compile(rf"badge/{name}-(?:==|%3D%3D)?v?(?P<version>\d[\d.]*)-", re.IGNORECASE),
        re.compile(
            rf"\binstall\b.*(?<![\w./=-]){name}(?:\[[^\]]*\])?[\"']?(?=\s|$)"
            rf"|\b(?:latest|newest|most\s+recent)\s+(?:stable\s+)?(?:versions?|releases?)\s+of\s+(?:the\s+)?"
            rf"{name.replace('<name>', '<latest>')}\b",
            re.IGNORECASE | re.MULTILINE,
        ),
    )


# `; python_version < "3.8"`. What is only for a Python that no present JAX runs on asks nothing of it.
_PYTHON: Final = re.compile(
    r"\s*[\"']?\s*;\s*\(?\s*python(?:_full)?_version\s*(?P<sign>[=~<>!]+)\s*[\"'](?P<version>\d[\d.]*)"
)
_OLDEST_PYTHON: Final = (3, 11)
# What a sentence says in front of a release that a program is for; or nothing, in a list and in a block of code.
_FOR: Final = re.compile(
    r"^[\s>*+`\"'|-]*$|\b(?:pip3?|conda|mamba|uv|install\w*|us(?:e|ed|es|ing)|test\w*|works?|develop\w*|build\w*|built"
    r"|written|runs?|ran|requires?|requirements?|depend\w*)\b",
    re.IGNORECASE,
)
# What makes it another release: a lower bound, a condition, or one that does not work.
_OTHER: Final = re.compile(
    r"\b(?:since|from|start\w*|least|minimum|later|newer|higher|above|upwards?|after|before|older|earlier|if|when"
    r"|not|no|never|fails?|failed|break\w*|broken|crash\w*|bugs?|errors?|issues?|unsupported|incompatible|instead)\b|n't\b|\d\+",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"[.;!?]\s")
_INSTALLING: Final = re.compile(
    r"\b(?:pip3?|conda|mamba|uv|poetry)\s+(?:install|add)(?:\s+(?:-\S+|\w[\w.\[\],=<>~\"'-]*))*\s+[\"']?$"
)


def asks_for_another(
    distribution: str, installed: str, folders: Iterable[Path], root: Path, *, later: bool = False
) -> str | None:
    """What a file for one of the folders says, if it asks for an earlier release: `setup.py asks for jax<0.5`.

    `later`: also if it asks for a later one, or for what is at another place.
    """
    for folder in folders:
        for file, asked in _asking(asking_files([folder]), _Wanted(distribution, installed, later)):
            if later or matches(file.name, FOR_USERS) or not is_published(folder):
                return _said(file, asked, root)
    return None


def installs_another(distribution: str, installed: str, file: Path, root: Path, *, later: bool = False) -> str | None:
    """The same of a file of the program that installs packages itself, as one that was a notebook does."""
    found = next(_asking(installing(file), _Wanted(distribution, installed, later)), None)
    return _said(*found, root) if found is not None else None


class _Wanted(NamedTuple):
    """Which other releases are looked for."""

    distribution: str
    installed: str
    later: bool


def _asking(files: Iterable[tuple[Path, str]], wanted: _Wanted) -> Iterator[tuple[Path, str]]:
    """The files that ask for another release, each with what it asks for."""
    for file, text in files:
        if (asked := _another(file.name, text, wanted)) is not None:
            yield file, asked


def _said(file: Path, asked: str, root: Path) -> str:
    return f"{os.path.relpath(file, root)} asks for {asked}"


def _another(name: str, text: str, wanted: _Wanted) -> str | None:
    """The other release that a file asks for. `name`: of the file."""
    version, patterns = version_of(wanted.installed), _patterns(wanted.distribution)
    if wanted.later and not matches(name, READMES) and patterns.placed.search(text) is not None:
        return f"{wanted.distribution} from another place than PyPI"
    if matches(name, NIX) and (state := state_asked(wanted.distribution, text)) is not None:
        return state
    found = list(_told(text, patterns) if matches(name, READMES) else _asked(text, patterns))
    others = [
        asked for asked, bounds in found if is_after(version, bounds) or (wanted.later and is_before(version, bounds))
    ]
    is_runner = matches(name, (*RUNNERS, *NOTEBOOKS)) and not matches(name, CONDA)
    if not others or (is_runner and (len(others) < len(found) or patterns.newest.search(text) is not None)):
        return None
    return others[0]


def _asked(lines: str, patterns: _Patterns) -> Iterator[tuple[str, str]]:
    """What is asked for, as it is shown, and its bounds."""
    for pattern in (patterns.exactly, patterns.locked):
        for match in pattern.finditer(lines):
            yield f"{match['name']}=={match['version']}", f"=={match['version']}"
    for match in patterns.asked.finditer(lines):
        condition = _PYTHON.match(lines, match.end())
        if condition is None or not is_after(_OLDEST_PYTHON, condition["sign"] + condition["version"]):
            yield f"{match['name']}{match['bounds']}", match["bounds"]


def _told(text: str, patterns: _Patterns) -> Iterator[tuple[str, str]]:
    """The same of a text for readers, where a release may be named for other reasons.

    A release that the authors tested with says nothing against the newest one where they tell readers to install that.
    """
    naming = (patterns.asked,) if patterns.newest.search(text) is not None else (patterns.asked, patterns.named)
    for badge in patterns.badge.finditer(text):
        yield f"{badge['name'].lower()}=={badge['version']}", f"=={badge['version']}"
    for line in text.splitlines():
        for match in (match for pattern in naming for match in pattern.finditer(line)):
            before, after = _SENTENCE_END.split(line[: match.start()])[-1], _SENTENCE_END.split(line[match.end() :])[0]
            if _is_for(before, after):
                bounds = match["bounds"] if match.re is patterns.asked else f"=={_latest(match['versions'])}"
                yield f"{match['name'].lower()}{bounds}", bounds


def _latest(versions: str) -> str:
    found: list[str] = re.findall(r"\d[\d.]*\d", versions)
    return max(found, key=version_of)


def _is_for(before: str, after: str) -> bool:
    if _INSTALLING.search(before):
        return True
    return _FOR.search(before) is not None and _OTHER.search(before) is None and _OTHER.search(after) is None
