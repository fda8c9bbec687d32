"""Checks by field names whether a pickle of an earlier version of a class still fits."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from jaxtyped_static._kinds import TREE, is_static
from jaxtyped_static._refusals.refused import class_name

_ADVICE: Final = "; load it with the version that wrote it, or create the object again"


def check_names(cls: Any, pickled: Collection[str], names: Iterable[str], required: Iterable[str]) -> None:
    """Refuses a pickle whose fields differ from the class's; a field added to the class must have a default.

    Args:
        cls: the class as it is now.
        pickled: the fields in the pickle.
        names: the fields that it may have.
        required: the fields that it must have.

    Raises:
        TypeError: naming the fields.
    """
    known = set(names)
    gone = [f"the pickle has {name!r}, which is not a field of the class" for name in pickled if name not in known]
    new = [f"the class has the field {name!r}, which the pickle lacks" for name in required if name not in pickled]
    if gone or new:
        raise other_version(cls, ", and ".join((*gone, *new)))


def other_version(cls: Any, problem: str) -> TypeError:
    """Returns the error that names the differences between a pickle and the class."""
    return TypeError(f"{class_name(cls)} was pickled by another version of the class: {problem}{_ADVICE}")


def attributes_in(state: Any, cls: Any, names: Sequence[str]) -> dict[str, Any]:
    """Returns the attributes in a state pickled by `object` or by a dataclass with slots.

    The state holds the attributes of `__dict__`, and then those of slots; or only the values of the fields.

    Raises:
        TypeError: the number of values differs from the number of fields.
    """
    if isinstance(state, list):
        if len(state) != len(names):
            raise other_version(cls, f"the pickle has {len(state)} fields, and the class has {len(names)}")
        return dict(zip(names, state, strict=True))
    parts = state if isinstance(state, tuple) else (state,)
    return {name: value for part in parts if part for name, value in part.items()}


def check_kind(cls: Any, kind: str) -> None:
    """Refuses a pickle of an object whose class was static or dynamic, and no longer is.

    Raises:
        TypeError: saying what it was, and is.
    """
    now = kind_of(cls)
    if now != kind:
        raise TypeError(f"{class_name(cls)} was a {kind} class when it was pickled, and is a {now} class now{_ADVICE}")


def kind_of(cls: Any) -> str:
    """Returns `static`, `dynamic` or `plain`."""
    if is_static(cls):
        return "static"
    return "dynamic" if TREE in cls.__dict__ else "plain"


def defaults(cls: Any) -> dict[str, Any]:
    """Returns the defaults of the fields that have one."""
    found = {}
    for field in dataclasses.fields(cls):
        if field.default is not dataclasses.MISSING:
            found[field.name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            found[field.name] = field.default_factory()
    return found


def restore_sentinels(cls: Any) -> None:
    """Replaces copies of the sentinels of `dataclasses`, which may have been sent along, by the real ones."""
    kinds = {str(kind): kind for kind in vars(dataclasses).values() if type(kind).__name__ == "_FIELD_BASE"}
    for field in cls.__dataclass_fields__.values():
        field._field_type = kinds[str(field._field_type)]
        for name in ("default", "default_factory", "kw_only"):
            if isinstance(getattr(field, name), type(dataclasses.MISSING)):
                setattr(field, name, dataclasses.MISSING)
