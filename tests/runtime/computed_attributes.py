"""What the tests of the attributes of static classes share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import InitVar

import pytest

from jaxtyped_static import StaticContractError, field, static_dataclass

NOT_A_FIELD = r"was set, but is not a field: .* declare it as a field, .* or make it a property  \[static-eq\]"


def refused(call: Callable[[], object], name: str) -> StaticContractError:
    with pytest.raises(StaticContractError, match=rf"{name} {NOT_A_FIELD}") as caught:
        call()
    assert caught.value.code == "static-eq"
    return caught.value


@static_dataclass
class Grid:
    cells: int
    length: InitVar[float] = 1.0
    dx: float = field(init=False)

    def __post_init__(self, length: float) -> None:
        object.__setattr__(self, "dx", length / self.cells)
