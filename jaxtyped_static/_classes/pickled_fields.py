"""Whether what an earlier version of a class has pickled still fits, told by the names of the fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from jaxtyped_static._values.refusals import class_name
from jaxtyped_static._values.static_classes import is_static

_ADVICE: Final = "; load it with the version that wrote it, or make the object anew"


def check_names(cls: Any, pickled: Collection[str], names: Iterable[str], required: Iterable[str]) -> None:
    """Refuses a pickle with other fields than the class has now; one that the class has gained must have a default.

    Args:
        cls: the class as it is now.
        pickled: the fields that the pickle has.
        names: those that it may have.
        required: those that it must have.

    Raises:
        TypeError: naming the fields.
    """
    known = set(names)
    gone = [f"the pickle has {name!r}, which is no field of the class" for name in pickled if name not in known]
    new = [f"the class has the field {name!r}, which the pickle lacks" for name in required if name not in pickled]
    if gone or new:
        raise other_version(cls, ", and ".join((*gone, *new)))


def other_version(cls: Any, problem: str) -> TypeError:
    """The error that says in what a pickle and the class differ."""
    return TypeError(f"{class_name(cls)} was pickled by another version of the class: {problem}{_ADVICE}")


def attributes_in(state: Any, cls: Any, names: Sequence[str]) -> dict[str, Any]:
    """The attributes in a state that `object` or a dataclass with slots has pickled.

    It holds those of `__dict__`, and of slots, which come second; or the values of the fields only.

    Raises:
        TypeError: there are more values than fields, or less.
    """
    if isinstance(state, list):
        if len(state) != len(names):
            raise other_version(cls, f"with {len(state)} fields, and it has {len(names)} now")
        return dict(zip(names, state, strict=True))
    parts = state if isinstance(state, tuple) else (state,)
    return {name: value for part in parts if part for name, value in part.items()}


def check_kind(cls: Any, kind: str) -> None:
    """Refuses a pickle of an object of a class that was static or dynamic, and is not any more.

    Raises:
        TypeError: saying what it was, and is.
    """
    now = kind_of(cls)
    if now != kind:
        raise TypeError(f"{class_name(cls)} was pickled as a {kind} class, and is a {now} one now{_ADVICE}")


def kind_of(cls: Any) -> str:
    """`static`, `dynamic` or `plain`."""
    if is_static(cls):
        return "static"
    return "dynamic" if "__dynamic_tree__" in cls.__dict__ else "plain"


def defaults(cls: Any) -> dict[str, Any]:
    """The defaults of the fields that have one."""
    found = {}
    for field in dataclasses.fields(cls):
        if field.default is not dataclasses.MISSING:
            found[field.name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            found[field.name] = field.default_factory()
    return found


def restore_sentinels(cls: Any) -> None:
    """Has the fields say with the very objects of `dataclasses`, of which copies may have been sent, what they are."""
    kinds = {str(kind): kind for kind in vars(dataclasses).values() if type(kind).__name__ == "_FIELD_BASE"}
    for field in cls.__dataclass_fields__.values():
        field._field_type = kinds[str(field._field_type)]
        for name in ("default", "default_factory", "kw_only"):
            if isinstance(getattr(field, name), type(dataclasses.MISSING)):
                setattr(field, name, dataclasses.MISSING)
