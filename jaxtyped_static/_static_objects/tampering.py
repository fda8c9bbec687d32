"""Checks that a static object is unchanged: `object.__setattr__` would change it for everybody who holds it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Final

from jaxtyped_static._attributes.added_attributes import check_only_caches_added
from jaxtyped_static._attributes.attributes import Part
from jaxtyped_static._keys.interning import row_of
from jaxtyped_static._keys.states import are_alike
from jaxtyped_static._keys.value_keys import key_of, parts_in
from jaxtyped_static._kinds import is_static
from jaxtyped_static._parts.walking import places
from jaxtyped_static._refusals.refused import Refused, class_name
from jaxtyped_static._refusals.words import WORDS, Reason
from jaxtyped_static._static_objects.layouts import Layout, layout_of

# Whether a function exists only once depends on the caller and the time. It was accepted before.
_TAKEN_BEFORE: Final = frozenset({"static-callable", "static-hash"})
_TEXT: Final = frozenset({int, bool, float, complex, str, bytes, type(None)})


def check_untampered(value: Any) -> None:
    """Refuses a value that is, or holds, a static object with a field that was set after it was interned.

    Raises:
        Refused: for the outermost such field.
    """
    for place in places(value, _parts):
        if is_static(type(place.value)):
            try:
                _check_fields(place.value)
                check_only_caches_added(place.value, layout_of(type(place.value)).names)
            except Refused as refused:
                raise place.refuses(refused) from None


def _parts(value: Any) -> Iterable[Part]:
    cls = type(value)
    if is_static(cls):
        layout = layout_of(cls)
        return [(f".{name}", getattr(value, name)) for name in layout.names if name not in layout.by_id]
    return parts_in(value)


def _check_fields(value: Any) -> None:
    row = row_of(value)
    if row is None:
        return
    layout: Layout = layout_of(type(value))
    key: Any = row.key
    for name, cls, before in zip(layout.names, *key[1:], strict=True):
        now = getattr(value, name, None)
        if now is before or (type(now) is cls and _is_key_of(before, now, by_id=name in layout.by_id)):
            continue
        raise Refused(Reason.REWRITTEN, _shown(cls, before), _shown(type(now), now)).under(f".{name}")


def _is_key_of(key: Hashable, value: Any, *, by_id: bool) -> bool:
    if by_id:
        return key == id(value)
    try:
        return are_alike(key, key_of(value))
    except Refused as refused:
        return WORDS[refused.reason].code in _TAKEN_BEFORE


def _shown(cls: type, value: object) -> str:
    """Returns a value's text in a message, or what its key tells about it."""
    return repr(value) if cls in _TEXT and type(value) is cls else class_name(cls)
