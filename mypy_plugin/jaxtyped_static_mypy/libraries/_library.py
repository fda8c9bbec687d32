"""The columns of a library: how its classes are declared, what its objects do, and its rows of the other tables."""

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
    """How a class was declared, as far as the static contract is concerned."""

    frozen: bool
    eq: bool  # an `__eq__` by value is generated, unless the class has its own
    unsafe_hash: bool = False  # a `__hash__` by value is generated although the class is not frozen
    eq_takes_all: bool = False  # the generated `__eq__` compares every field, whatever the field's options are
    hashes: bool = True  # a frozen class with a generated `__eq__` also gets a `__hash__`
    hides_private: bool = False  # names with a leading underscore are not fields, and can be assigned
    freeze: str = "declare {} @dataclass(frozen=True)"  # the advice that makes it, or a base that is named, frozen
    takes_frozen: bool = True  # its decorator has the argument `frozen=True`, which is that advice
    is_frozen_at_once: bool = False  # its constructor cannot assign either: others freeze the object after that
    freezes_with_bases: bool = True  # a frozen class cannot inherit from one that is not
    # Leaves are all that it holds, and make its hash. Its library wraps them, and lets methods change them in a copy.
    is_its_leaves: bool = False


Declare = Callable[[TypeInfo, Facts], Declaration | None]  # how a class was declared, if the library declares it


class CollectedFields(NamedTuple):
    """Where a mypy plugin keeps the fields of a class, in the class's metadata."""

    key: str
    entries: str  # the key of the fields below that
    place: tuple[str, str] | None = None  # the keys of an entry's line and column
    copied_by: str = ""  # the function that copies an object with some fields changed
    strips_underscore: bool = False  # parameters of `__init__` are named without the leading underscore of a field


class Library(NamedTuple):
    """All that is known of one library; every column may be left out. Names are full names, as mypy resolves them."""

    packages: tuple[str, ...] = ()  # the start of the full names of its classes and functions

    # Classes: how they are declared and registered
    declare: Declare | None = None
    pytree_decorators: frozenset[str] = frozenset()  # functions that register a class as a pytree
    pytree_bases: frozenset[str] = frozenset()
    static_decorators: frozenset[str] = frozenset()  # functions that register a class as static
    # Of the decorators and bases, those whose objects JAX rebuilds by the constructor, with `__post_init__`.
    rebuilds_by_constructor: frozenset[str] = frozenset()
    only_declares: bool = False  # its decorators never register a class
    makes_dataclasses: bool = False  # by the standard library, which refuses defaults without a hash (Python 3.11)

    # Fields
    collected: CollectedFields | None = None
    # Keyword argument of the call that is a field's default -> the value that makes the field static.
    static_field_options: tuple[tuple[str, bool], ...] = ()
    static_specifiers: frozenset[str] = frozenset()  # functions that declare a static field
    abstract_fields: frozenset[str] = frozenset()  # aliases for the type of a field that a subclass has to define

    # Objects
    value_methods: frozenset[str] = frozenset()  # bases of frozen objects, whose bound methods compare by value
    tree_methods: frozenset[str] = frozenset()  # bases of frozen objects, whose bound methods are pytrees
    callable_trees: tuple[str, ...] = ()  # names that it is imported by, if its objects are callable pytrees
    # Functions that replace leaves by None: an object of a class then lacks values that its fields declare.
    splitting_functions: frozenset[str] = frozenset()
    copying_bases: frozenset[str] = frozenset()  # bases with a method that copies an object with some fields changed
    tree_editor: str = ""  # the function that copies an object of `pytree_bases`, however it is made
    makers: frozenset[str] = frozenset()  # class methods that hand their keyword arguments to the constructor
    has_layers: bool = False  # a pytree without leaves is meant: it stands beside others with leaves
    tracks_mutation: bool = False  # its base classes handle assignments in a trace
    # The name that it is imported by, if its own transformations update the caller's objects, and trace only arrays.
    lifts_objects: str = ""

    # Types and functions
    types: TypeTable = _NO_ROWS
    aliases: TypeTable = _NO_ROWS  # of unions, which are known by name and never expanded
    functions: FunctionTable = _NO_ROWS
    # Packages in which every function that returns a callable makes a new one with each call, and what it makes.
    factories: tuple[tuple[str, New], ...] = ()
    is_advised: bool = False  # messages name it, with the command that installs it: `pip install` and its file's name


def decorator_arguments(facts: Facts, names: frozenset[str]) -> Arguments | None:
    """The literal keyword arguments of the first decorator with one of these full names; None without one."""
    for name, arguments in facts.get("decorators", ()):
        if name in names:
            return dict(arguments)
    return None


def declared_by(decorators: frozenset[str], declaration: Declaration) -> Declare:
    """Declares the classes with one of these decorators, whose only option is `eq`."""

    def declare(info: TypeInfo, facts: Facts) -> Declaration | None:
        arguments = decorator_arguments(facts, decorators)
        return declaration._replace(eq=arguments.get("eq") is not False) if arguments is not None else None

    return declare


def declared_below(bases: frozenset[str], declaration: Declaration) -> Declare:
    """Declares the classes below one of these."""
    return lambda info, facts: declaration if any(base.fullname in bases for base in info.mro) else None
