"""Recognises markers in mypy's types: `Static[int]` is a `TypeAliasType`, whose alias is the marker."""

from enum import Enum, auto
from typing import Final

from mypy.types import Type, TypeAliasType

from ..compat.mypy_api import expand_alias_once
from ..knowledge.full_names import DYNAMIC_MARKERS, PACKAGE, STATIC_MARKERS


class Marker(Enum):
    """What an annotation declares a parameter or field to be."""

    STATIC = auto()
    DYNAMIC = auto()


MARKERS: Final[dict[str, Marker]] = {
    **dict.fromkeys(STATIC_MARKERS, Marker.STATIC),
    **dict.fromkeys(DYNAMIC_MARKERS, Marker.DYNAMIC),
}


_OF_OTHERS: Final = frozenset(name for name in STATIC_MARKERS if not name.startswith(f"{PACKAGE}."))


def is_signed(typ: Type | None, extra: frozenset[str] = frozenset()) -> bool:
    """Whether a type has this package's static marker, or one of the settings, and so declares the static contract."""
    while isinstance(typ, TypeAliasType) and typ.alias is not None:
        name = typ.alias.fullname
        if name in _OF_OTHERS or typ.is_recursive:
            return False
        if MARKERS.get(name) is Marker.STATIC or name in extra:
            return True
        typ = expand_alias_once(typ)
    return False


def marker_of(typ: Type | None, extra: frozenset[str] = frozenset()) -> Marker | None:
    """The outermost marker of a type, also behind aliases. `extra`: aliases that the settings make static markers."""
    while isinstance(typ, TypeAliasType) and typ.alias is not None:
        name = typ.alias.fullname
        if name in MARKERS:
            return MARKERS[name]
        if name in extra:
            return Marker.STATIC
        if typ.is_recursive:
            return None
        typ = expand_alias_once(typ)
    return None


def without_marker(typ: Type) -> Type:
    """The type inside the marker; the type itself if there is no marker."""
    while marker_of(typ) is not None and isinstance(typ, TypeAliasType):
        typ = (
            typ.args[0]
            if typ.args and typ.alias is not None and typ.alias.fullname in MARKERS
            else expand_alias_once(typ)
        )
    return typ
