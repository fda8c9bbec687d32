"""How evidence is worded: lines, and what they do."""

from collections.abc import Iterable
from typing import Final

from ...facts.objects.uses import ANY_ATTRIBUTE, Change
from ...source.checked_file import CheckedFile

# Labels of the evidence.
CHANGED: Final = "changed"
REFUSED: Final = "refused by a frozen class"
ASSIGNED_IN_MAKING: Final = "assigned while it is made"
MADE: Final = "made in a loop"
MADE_WITH: Final = "made with each pytree"
CROSSES: Final = "handed to JAX"
GIVEN: Final = "given by a call"
CONTRADICTED: Final = "contradicted by the calls"
# What raises once the class is frozen.
AGAINST_FREEZING: Final = frozenset({REFUSED, ASSIGNED_IN_MAKING})

NEW_EACH_PASS: Final = "a new one on each pass of a loop"
NEW_EACH_CALL: Final = "a new one on each call"
_MAX_LISTED: Final = 6  # lines, in a note


def places(lines: Iterable[int], verb: str, what: str, where: str = "") -> str:
    """`Lines 4 and 7 assign "dt"`, `Line 4 of "main" assigns "dt"`."""
    numbers = list(dict.fromkeys(map(str, lines)))
    is_one = len(numbers) == 1
    return f"{'Line' if is_one else 'Lines'} {listed(numbers)}{where} {verb}{'s' if is_one else ''} {what}"


def listed(items: Iterable[str]) -> str:
    """`a, b and c`."""
    shown = list(items)
    if len(shown) > _MAX_LISTED:
        shown = [*shown[: _MAX_LISTED - 1], f"{len(shown) - _MAX_LISTED + 1} more"]
    *rest, last = shown
    return f"{', '.join(rest)} and {last}" if rest else last


def attributes(changes: Iterable[Change]) -> str:
    """`"dt" and "order"`: what is changed."""
    names = dict.fromkeys(change.attribute for change in changes)
    return listed("attributes by their names" if name == ANY_ATTRIBUTE else f'"{name}"' for name in names)


def elsewhere(module: str, file: CheckedFile) -> str:
    """The module whose lines are meant, unless it is that of the class."""
    return "" if module == file.tree.fullname else f' of "{file.tree.fullname}"'
