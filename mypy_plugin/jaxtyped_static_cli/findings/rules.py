"""The rules that users name, and their pages, which come with the wheel."""

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from jaxtyped_static_mypy.rules import CODES

from ..terminal.problems import Problem

_PACKAGE: Final = Path(__file__).parents[1]
_INSTALLED: Final = _PACKAGE / "rule_pages"
_CHECKOUT: Final = _PACKAGE.parents[1] / "docs" / "rules"


def selected_codes(select: Iterable[str], ignore: Iterable[str]) -> frozenset[str]:
    """The codes that are selected, or all, without those that are ignored.

    Raises:
        Problem: a name is neither a code nor the first part of one.
    """
    chosen = _codes(select)
    return frozenset(chosen or CODES) - _codes(ignore)


def known_code(name: str) -> str:
    """Returns the name of a rule.

    Raises:
        Problem: there is no such rule.
    """
    if name in CODES:
        return name
    near = difflib.get_close_matches(name, CODES, n=1)
    raise Problem(f"there is no rule {name!r}" + (f"; did you mean {near[0]}?" if near else f"; {_all()}"))


def page_file(code: str) -> Path:
    """The file with the page of a rule, as Markdown."""
    return (_INSTALLED if _INSTALLED.is_dir() else _CHECKOUT) / f"{code}.md"


def page(code: str) -> str:
    """The page of a rule, as Markdown."""
    return page_file(code).read_text(encoding="utf-8")


def _codes(names: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for name in names:
        matching = {code for code in CODES if code.startswith(f"{name}-")}
        found |= matching or {known_code(name)}
    return frozenset(found)


def _all() -> str:
    return f"the rules are {', '.join(CODES)}"
