"""In place of `flax.struct`, whose classes have a method `replace`."""

from __future__ import annotations

import dataclasses
from typing import Any

from flax.struct import field as field

from tests.peers.stand_ins import dynamic


def dataclass(cls: Any = None, /, **options: Any) -> Any:
    if cls is None:
        return lambda cls: dataclass(cls, **options)
    made = dynamic(**options)(cls)
    made.replace = dataclasses.replace
    return made


class PyTreeNode:
    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__()
        dataclass(cls, **options)
