"""In place of `equinox`: only `Module`."""

from __future__ import annotations

from typing import Any

import equinox

from tests.peers.stand_ins import dynamic


class Module:
    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__()
        dynamic(**options)(cls)


def __getattr__(name: str) -> Any:
    return getattr(equinox, name)
