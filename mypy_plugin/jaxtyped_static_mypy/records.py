"""`dataclass` as the checker uses it: quicker to define, which every run of mypy pays for, and to make.

Python's own compiles up to six methods of a class from text, one by one. Here it compiles `__init__`: comparing,
hashing and showing are the same code for all classes. Only mypy, which takes this for Python's own, keeps code from
changing a frozen object.
"""

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, eq: bool = True) -> Any:
        if cls is None:
            return lambda cls: dataclass(cls, frozen=frozen, eq=eq)
        dataclasses.dataclass(cls, repr=False, eq=False)
        cls.__repr__ = _shown
        if eq:
            _compare(cls, is_hashed=frozen)
        return cls


def _compare(cls: Any, *, is_hashed: bool) -> None:
    """Makes objects of the class equal if their fields are."""
    fields = _getter([field.name for field in dataclasses.fields(cls) if field.compare])

    def __eq__(self: object, other: object) -> bool:
        return fields(self) == fields(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: object) -> int:
        return hash(fields(self))

    cls.__eq__, cls.__hash__ = __eq__, __hash__ if is_hashed else None


def _getter(names: list[str]) -> Callable[[Any], object]:
    return attrgetter(*names) if names else lambda _: ()


def _shown(self: Any) -> str:
    shown = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({shown})"
