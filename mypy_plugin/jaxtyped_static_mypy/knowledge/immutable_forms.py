"""What to write in place of a mutable type. The rows of types name the form of each (`KnownType.instead`)."""

from collections.abc import Mapping
from typing import Final

# By form and number of type arguments; a form with any other number of them is written bare.
WITH_ARGUMENTS: Final[Mapping[tuple[str, int], str]] = {
    ("tuple", 1): "tuple[{}, ...]",
    ("frozenset", 1): "frozenset[{}]",
    ("immutabledict", 1): "immutabledict[{}, int]",  # of a `Counter`
    ("immutabledict", 2): "immutabledict[{}, {}]",
}
# Of types that can be static once they are rewritten, by the name that an annotation has for them.
FORMS_BY_NAME: Final[Mapping[str, str]] = {"list": "tuple", "List": "tuple", "set": "frozenset", "Set": "frozenset"}
