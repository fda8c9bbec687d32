"""Any name of this module; see numpy.pyi."""

from typing import Any

def __getattr__(name: str) -> Any: ...
