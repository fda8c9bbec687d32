"""Which rules' findings are shown."""

import difflib
from collections.abc import Iterable

from jaxtyped_static_mypy.rules import CODES

from .problems import Problem


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


def _codes(names: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for name in names:
        matching = {code for code in CODES if code.startswith(f"{name}-")}
        found |= matching or {known_code(name)}
    return frozenset(found)


def _all() -> str:
    return f"the rules are {', '.join(CODES)}"
