"""What a library's file says: how its classes are declared, and which names make a class a pytree or a static class."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from mypy.nodes import TypeInfo

from ..facts.class_facts import Facts
from ..knowledge.function_rows import FunctionTable, New
from ..knowledge.type_rows import TypeTable
from ..syntax.literals import Arguments

_NO_ROWS: Final[Mapping[str, Any]] = MappingProxyType({})


class Declaration(NamedTuple):
    """How one class statement was declared, as far as the static contract goes."""

    frozen: bool
    eq: bool  # an `__eq__` by value is generated, unless the class has its own
    unsafe_hash: bool = False  # a `__hash__` by value is generated although the class is not frozen
    eq_takes_all: bool = False  # that `__eq__` compares every field, whatever its options say
    hashes: bool = True  # a frozen class with `__eq__` gets a `__hash__`, too
    hides_private: bool = False  # names with a leading underscore are no fields, and can be set
    freeze: str = "declare {} @dataclass(frozen=True)"  # how to make a class frozen: it, or one that is named
    freezes_with_bases: bool = True  # no frozen class inherits from one that is not


class Library(NamedTuple):
    """One row of the table of libraries; every part may be left empty. Names are full, wherever they can be found."""

    declare: Callable[[TypeInfo, Facts], Declaration | None] | None = None
    pytree_decorators: frozenset[str] = frozenset()  # functions that register a class, also called later
    pytree_bases: frozenset[str] = frozenset()
    static_decorators: frozenset[str] = frozenset()  # which register a class as static
    # Keyword argument of the call that is a field's default -> the value that makes the field static.
    static_field_options: tuple[tuple[str, bool], ...] = ()
    static_specifiers: frozenset[str] = frozenset()  # functions that make a static field
    abstract_fields: frozenset[str] = frozenset()  # aliases for what a subclass has to define
    types: TypeTable = _NO_ROWS
    functions: FunctionTable = _NO_ROWS
    # Packages all of whose functions that return a callable make a new one, and what it is.
    factories: tuple[tuple[str, New], ...] = ()


def decorator_arguments(facts: Facts, names: frozenset[str]) -> Arguments | None:
    """The literal keyword arguments of the first decorator with one of these full names; None without one."""
    for name, arguments in facts.get("decorators", ()):
        if name in names:
            return dict(arguments)
    return None
