"""The contents of enum members: each member exists once, but its contents may change like anything else."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator
from typing import Final

from jaxtyped_static._values.class_contract import attributes_of
from jaxtyped_static._values.handling import Part

# Such names are the enum's own.
_RESERVED: Final = re.compile(r"_.*_")


def member_parts(value: enum.Enum) -> Iterator[Part]:
    """Returns a member's value, and what else its class has set."""
    yield ".value", value._value_
    for name, item in attributes_of(value):
        if not _RESERVED.fullmatch(name):
            yield f".{name}", item
