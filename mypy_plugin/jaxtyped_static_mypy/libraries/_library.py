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


class CollectedFields(NamedTuple):
    """What a plugin of mypy keeps of the fields of a class, in the metadata of the class."""

    key: str
    entries: str  # the key of the fields in it
    place: tuple[str, str] | None = None  # the keys of the line and column of an entry
    copied_by: str = ""  # the function that copies an object with some fields changed
    strips_underscore: bool = False  # from the names of fields, for those of the parameters of `__init__`


class Library(NamedTuple):
    """All that is known of one library; every part may be left empty. Names are full, wherever they can be found."""

    packages: tuple[str, ...] = ()  # what the full names of its classes and functions begin with

    # How its classes are declared, and registered
    declare: Callable[[TypeInfo, Facts], Declaration | None] | None = None
    pytree_decorators: frozenset[str] = frozenset()  # functions that register a class, also called later
    pytree_bases: frozenset[str] = frozenset()
    static_decorators: frozenset[str] = frozenset()  # which register a class as static
    only_declares: bool = False  # none of its decorators registers a class

    # How their fields are
    collected: CollectedFields | None = None
    # Keyword argument of the call that is a field's default -> the value that makes the field static.
    static_field_options: tuple[tuple[str, bool], ...] = ()
    static_specifiers: frozenset[str] = frozenset()  # functions that make a static field
    abstract_fields: frozenset[str] = frozenset()  # aliases for what a subclass has to define

    # What their objects do
    value_methods: frozenset[str] = frozenset()  # bases whose objects are frozen, and whose methods equal by value
    tree_methods: frozenset[str] = frozenset()  # bases whose objects are frozen, and whose methods are pytrees
    callable_trees: tuple[str, ...] = ()  # names that a file imports it by, if its objects are pytrees and callable
    copying_bases: frozenset[str] = frozenset()  # whose objects have a method that copies them with some fields changed
    has_layers: bool = False  # its pytrees without leaves stand beside others with leaves, and are meant to be pytrees
    tracks_mutation: bool = False  # its base classes decide what an assignment in a trace does
    lifts_objects: bool = False  # its transformations update the caller's object, and trace only the arrays in it

    # Rows of the tables of types and functions
    types: TypeTable = _NO_ROWS
    functions: FunctionTable = _NO_ROWS
    # Packages all of whose functions that return a callable make a new one, and what it is.
    factories: tuple[tuple[str, New], ...] = ()
    is_advised: bool = False  # messages name it, and have to say that it is installed apart, by the name of its module


def decorator_arguments(facts: Facts, names: frozenset[str]) -> Arguments | None:
    """The literal keyword arguments of the first decorator with one of these full names; None without one."""
    for name, arguments in facts.get("decorators", ()):
        if name in names:
            return dict(arguments)
    return None
