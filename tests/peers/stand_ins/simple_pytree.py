"""In place of `simple_pytree`: the base class decorates, so the decorator does nothing."""

from __future__ import annotations

import dataclasses
from typing import Any

from simple_pytree import field as field  # type: ignore[import-untyped]
from simple_pytree import static_field as static_field

from tests.peers.stand_ins import dynamic


class Pytree:
    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__()
        dynamic(**options)(cls)

    replace = dataclasses.replace


def dataclass(cls: Any = None, /, **_options: Any) -> Any:
    return cls if cls is not None else dataclass
