"""Shows values in reports: short, and with their classes if those make the difference."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from jaxtyped_static._annotations.functions import place
from jaxtyped_static._refusals.refused import class_name

_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
_LONGEST: Final = 60
_LONGEST_IN_CALL: Final = 24
DEFINED_AGAIN: Final = "another class of the same name: it was defined again; define it once, at module level"


def in_short(value: Any) -> str:
    """Returns a value in one short line; functions by name and place."""
    return shortened(_by_name(value) if _is_named(value) else _repr(value))


def shortened(text: str, longest: int = _LONGEST) -> str:
    """Returns a text that is not longer; an ellipsis stands for the rest."""
    return text if len(text) <= longest else f"{text[: longest - 2]} …"


def in_brief(value: Any) -> str:
    """Returns a value as it stands in a call: in full if it is small."""
    text = _by_name(value).partition(" (")[0] if _is_named(value) else _repr(value)
    return text if len(text) <= _LONGEST_IN_CALL else f"{class_name(type(value))}(...)"


def transition(old: Any, new: Any) -> str:
    """Returns `1 → 1.0`, with what distinguishes the two if they look alike."""
    if in_short(old) == in_short(new) and _repr(old) != _repr(new) and not _is_named(new):
        return _where_they_differ(_repr(old), _repr(new))
    for show in (in_short, _with_class, _with_full_class):
        before, now = show(old), show(new)
        if before != now:
            return f"{before} → {now}"
    is_same_class = type(old) is type(new) or isinstance(new, type)
    return f"{in_short(old)} → {f'another {in_short(new)}' if is_same_class else DEFINED_AGAIN}"


def _where_they_differ(old: str, new: str) -> str:
    start = next(index for index, pair in enumerate(zip(f"{old}.", f"{new}.", strict=False)) if pair[0] != pair[1])
    first = max(0, start - _LONGEST // 4)
    before, now = (f"{'… ' if first else ''}{shortened(text[first:])}" for text in (old, new))
    return f"{before} → {now}"


def _is_named(value: Any) -> bool:
    return callable(value) and hasattr(value, "__qualname__")


def _by_name(value: Callable[..., Any]) -> str:
    return class_name(value) if isinstance(value, type) else place(value).rpartition("<locals>.")[2]


def _repr(value: Any) -> str:
    try:
        text = repr(value)
    except Exception as error:
        text = f"<{class_name(type(value))} whose repr raises {class_name(type(error))}>"
    return " ".join(_ADDRESS.sub("", text).split())


def _with_class(value: Any) -> str:
    return f"{in_short(value)} ({class_name(type(value))})"


def _with_full_class(value: Any) -> str:
    return f"{in_short(value)} ({full_name(value if isinstance(value, type) else type(value))})"


def full_name(cls: type) -> str:
    """Returns the name of a class with its module."""
    return f"{cls.__module__}.{cls.__qualname__}"
