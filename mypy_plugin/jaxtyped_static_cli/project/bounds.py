"""Bounds of versions, as requirements give them: `>=0.2,<0.5`, `~=0.4.1`, `^0.4`."""

import re
from typing import Final

_BOUND: Final = r"(?:===|==|~=|<=|>=|!=|<|>|\^|~|=)\s*v?\d[\w.*+]*"
BOUNDS: Final = rf"{_BOUND}(?:\s*,\s*{_BOUND})*"
_PARTS: Final = re.compile(r"([=~<>!^]+)\s*v?(\d+(?:\.\d+)*)")

Version = tuple[int, ...]


def version_of(text: str) -> Version:
    return tuple(map(int, re.findall(r"\d+", re.split(r"[^\d.]", text, maxsplit=1)[0])))


def is_after(version: Version, bounds: str) -> bool:
    """Whether a version is later than all that the bounds allow."""
    return any(_exceeds(version, sign, version_of(bound)) for sign, bound in _PARTS.findall(bounds))


def is_before(version: Version, bounds: str) -> bool:
    """Whether a version is earlier than all that the bounds allow."""
    return any(_falls_short(version, sign, version_of(bound)) for sign, bound in _PARTS.findall(bounds))


def _falls_short(version: Version, sign: str, bound: Version) -> bool:
    version = _as_long(version, bound)
    if sign == ">":
        return version <= bound
    if sign in ("==", "===", "="):
        return version[: len(bound)] < bound
    return sign in (">=", "~=", "~", "^") and version < bound


def _exceeds(version: Version, sign: str, bound: Version) -> bool:
    version = _as_long(version, bound)
    if sign in ("<", "<="):
        return version >= bound if sign == "<" else version > bound
    if sign in ("==", "===", "="):
        return version[: len(bound)] > bound
    if sign == "~=":
        return version[: max(len(bound) - 1, 1)] > bound[: max(len(bound) - 1, 1)]
    if sign == "~":
        return version[:2] > bound[:2]
    if sign == "^":  # up to the first number that is not 0
        kept = next((place for place, number in enumerate(bound, 1) if number), len(bound))
        return version[:kept] > bound[:kept]
    return False


def _as_long(version: Version, bound: Version) -> Version:
    """1.19 is 1.19.0."""
    return version + (0,) * (len(bound) - len(version))
