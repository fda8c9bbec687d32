"""`dataclass` and `NamedTuple` as the checker uses them: quicker to define, which every run of mypy pays for.

Python's own compile up to six methods of a class from text, one by one. Here a dataclass compiles `__init__`, and a
named tuple nothing: all that have as many fields share the code of `__new__`. Comparing, showing and the like are the
same functions for all classes. mypy takes both for Python's own, and only mypy keeps code from changing what is frozen.
"""

import collections
import dataclasses
import sys
from collections.abc import Callable, Iterable
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING or sys.version_info >= (3, 14):  # which evaluates annotations late
    from dataclasses import dataclass as dataclass
    from typing import NamedTuple as NamedTuple
else:

    class _Definition(type):
        """Makes a class statement with `NamedTuple` as a base define a subclass of `tuple`."""

        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            fields = tuple(namespace.get("__annotations__", ()))
            defaults = {field: namespace.pop(field) for field in fields if field in namespace}
            columns = {field: collections._tuplegetter(index, "") for index, field in enumerate(fields)}
            own = {
                "__slots__": (),
                "__new__": _constructor(fields, tuple(defaults.values())),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
            }
            bases = tuple(tuple if base is NamedTuple else base for base in bases)
            return type(name, bases, _OF_NAMED_TUPLES | own | columns | namespace)

    class NamedTuple(metaclass=_Definition):
        """The base of named tuples, of which it makes subclasses of `tuple`."""

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, eq: bool = True) -> Any:
        if cls is None:
            return lambda cls: dataclass(cls, frozen=frozen, eq=eq)
        dataclasses.dataclass(cls, repr=False, eq=False)
        cls.__repr__ = _shown
        if eq:
            _compare(cls, is_hashed=frozen)
        return cls


@cache
def _code_of_new(number: int) -> CodeType:
    """The code of a constructor with as many parameters, whatever their names are."""
    names = "".join(f"_{index}, " for index in range(number))
    code: CodeType = eval(f"lambda _cls, {names}: _make(_cls, ({names}))").__code__
    return code


def _constructor(fields: tuple[str, ...], defaults: tuple[object, ...]) -> FunctionType:
    code = _code_of_new(len(fields)).replace(co_varnames=("_cls", *fields), co_name="__new__")
    return FunctionType(code, {"_make": tuple.__new__}, "__new__", defaults)


def _make(cls: Any, values: Iterable[object]) -> Any:
    return cls(*values)


def _replace(self: Any, /, **changes: object) -> Any:
    return type(self)(**self._asdict() | changes)


def _as_dict(self: Any) -> dict[str, Any]:
    return dict(zip(self._fields, self, strict=True))


def _arguments(self: Any) -> tuple[object, ...]:
    """What a copy of it is made of."""
    return tuple(self)


def _shown_tuple(self: Any) -> str:
    shown = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
    return f"{type(self).__name__}({shown})"


_OF_NAMED_TUPLES: Final[dict[str, Any]] = {
    "_make": classmethod(_make),
    "_replace": _replace,
    "_asdict": _as_dict,
    "__getnewargs__": _arguments,
    "__repr__": _shown_tuple,
}


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
