"""Whether what an earlier version of a class has pickled still fits, told by the names of the fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable
from typing import Any, Final

from jaxtyped_static._values.refusals import class_name
from jaxtyped_static._values.static_classes import is_static

OTHER_VERSION: Final = "; load it with the version that wrote it, or make the object anew"


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
        problem = ", and ".join((*gone, *new))
        raise TypeError(f"{class_name(cls)} was pickled by another version of the class: {problem}{OTHER_VERSION}")


def check_kind(cls: Any, kind: str) -> None:
    """Refuses a pickle of an object of a class that was static or dynamic, and is not any more.

    Raises:
        TypeError: saying what it was, and is.
    """
    now = kind_of(cls)
    if now != kind:
        raise TypeError(f"{class_name(cls)} was pickled as a {kind} class, and is a {now} one now{OTHER_VERSION}")


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
