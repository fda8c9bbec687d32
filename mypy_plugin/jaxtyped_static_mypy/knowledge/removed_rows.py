"""Rows for names that JAX no longer has."""

from collections.abc import Mapping
from typing import NamedTuple


class Removed(NamedTuple):
    """A name that is gone: what stands for it today, or else what to do."""

    instead: str = ""  # what to write
    otherwise: str = ""


def moved(old: str, new: str, names: str) -> dict[str, Removed]:
    """Names that another module has now."""
    return {f"{old}.{name}": Removed(f"{new}.{name}") for name in names.split()}


def instead(old: str, names: Mapping[str, str]) -> dict[str, Removed]:
    return {f"{old}.{name}": Removed(text) for name, text in names.items()}


def otherwise(old: str, names: Mapping[str, str]) -> dict[str, Removed]:
    return {f"{old}.{name}": Removed(otherwise=text) for name, text in names.items()}


def gone(old: str, names: str) -> dict[str, Removed]:
    """Names for which nothing public stands today."""
    return {f"{old}.{name}": Removed() for name in names.split()}
