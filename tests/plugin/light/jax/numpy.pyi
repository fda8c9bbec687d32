"""Any name. Without this file mypy would find the real module behind this jax, and with it most of the real jax."""

from typing import Any

def __getattr__(name: str) -> Any: ...
