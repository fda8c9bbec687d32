"""Whether objects hold arrays, themselves or in what their attributes hold, of whatever classes these are."""

from collections.abc import Iterator

from mypy.nodes import TypeInfo
from mypy.typevars import fill_typevars_with_any

from ..classes.array_holders import holds_any_arrays
from ..classes.class_fields import attributes
from ..classes.roles import user_bases
from ..compat.dependencies import record_dependency
from ..compat.mypy_api import lookup_class
from ..facts.class_facts import facts_of
from ..source.checked_file import CheckedFile, once_per_file
from .objects import class_held

_ITEM = "[]"


@once_per_file
def holds_arrays_below(file: CheckedFile, info: TypeInfo) -> bool:
    """Whether an attribute holds an object that has arrays, or a list of such. Not the arrays of the class itself."""
    pending, seen = list(_held(info, file)), {info}
    found = False
    while pending and not found:
        held = pending.pop()
        if held not in seen:
            seen.add(held)
            found = _has_arrays(held)
            pending += _held(held, file)
    record_dependency(file.api, seen)
    return found


def _has_arrays(info: TypeInfo) -> bool:
    makes = any(facts_of(base).get("makes_arrays") for base in info.mro)
    return makes or holds_any_arrays(fill_typevars_with_any(info))


def _held(info: TypeInfo, file: CheckedFile) -> Iterator[TypeInfo]:
    """The classes of what the attributes hold, by their annotations and by the values that methods set."""
    for name in dict.fromkeys(name for base in user_bases(info) for name, _ in attributes(base)):
        for part in (name, f"{name}{_ITEM}"):
            full_name = class_held(info, part, file)
            found = lookup_class(file.api, full_name) if full_name is not None else None
            if found is not None:
                yield found
