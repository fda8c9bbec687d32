"""Finds classes whose values JAX cannot trace: plain classes, and dataclasses that are not registered.

A class may be registered where the checker cannot see it, and a value may belong to a registered subclass. If there is
a hint of either, the class does not count as untraceable.
"""

from collections.abc import Iterable
from typing import Final

from mypy.nodes import CallExpr, ClassDef, Decorator, MypyFile, SymbolNode, TypeInfo, Var

from ..facts.class_facts import facts_of
from ..facts.registration_facts import names_maybe_registered
from ..knowledge.full_names import ABSTRACT_BASE, FLATTEN_METHODS, UNFLATTEN_METHOD
from ..libraries import DECLARING_PACKAGES, KEY_TYPES, PYTREE_DECORATORS
from ..memory import once_per_run
from ..syntax.names import dotted_name
from ..syntax.trees import nodes_below, statements
from . import class_model

_ADAPTERS: Final = frozenset({"__jax_array__", "__array__"})
_SUBSCRIPT: Final = "__class_getitem__"
_MAKING: Final = frozenset({"__init__", "__new__"})


def is_untraceable(info: TypeInfo, seen: Iterable[TypeInfo], file: MypyFile) -> bool:
    """Whether values of a class cannot be traced. `seen`: possible subclasses. `file`: the file being checked."""
    return not class_model.may_be_registered_elsewhere(info) and _is_unregistered(info, seen, file)


def lacks_registration(info: TypeInfo, seen: Iterable[TypeInfo], file: MypyFile) -> bool:
    """Whether a class that can be taken apart and rebuilt is registered nowhere that the file shows.

    Not one with subclasses: its methods may be there for those.
    """
    has_both = not info.names.keys().isdisjoint(FLATTEN_METHODS) and UNFLATTEN_METHOD in info.names
    return has_both and not any(info in other.mro[1:] for other in seen) and _is_unregistered(info, seen, file)


def _is_unregistered(info: TypeInfo, seen: Iterable[TypeInfo], file: MypyFile) -> bool:
    if class_model.is_registered(info) or not class_model.is_readable(info):
        return False
    known = (base.fullname for base in info.mro[:-1] if base.fullname != ABSTRACT_BASE)
    if _is_for_others(info, file) or _describes_others(info) or any(name in KEY_TYPES for name in known):
        return False
    if any(_may_register_itself(base) for base in class_model.user_bases(info)):
        return False
    below = [other for other in seen if info in other.mro[1:]]
    if any(class_model.is_registered(other) or not class_model.is_readable(other) for other in below):
        return False
    if any(facts_of(other).get("mentioned") for other in (info, *below)):
        return False
    names = {info.name, *(other.name for other in below)}
    return names.isdisjoint(_names_maybe_registered(file))


def _describes_others(info: TypeInfo) -> bool:
    """Whether programs annotate with the class what is none of its objects."""
    return _holds_constants(info) or _is_only_subscripted(info)


def _is_only_subscripted(info: TypeInfo) -> bool:
    """Whether a class makes annotations of its own: `f32["batch length"]` says that the value is an array.

    Its objects hold nothing, so that nobody needs them. A generic class has this method from `Generic`.
    """
    bases = tuple(class_model.user_bases(info))
    is_made = any(not _MAKING.isdisjoint(base.names) or facts_of(base).get("decorators") for base in bases)
    return not is_made and not info.type_vars and any(_SUBSCRIPT in base.names for base in bases)


def _holds_constants(info: TypeInfo) -> bool:
    """Whether a class is only a place for constants: programs annotate with it what is one of them, `Action.LEFT`."""
    if [base.fullname for base in info.mro[1:]] != ["builtins.object"]:
        return False
    constants = [name for name, symbol in info.names.items() if isinstance(symbol.node, Var)]
    others = (symbol.node for symbol in info.names.values() if not isinstance(symbol.node, Var))
    return bool(constants) and all(map(str.isupper, constants)) and all(map(_is_of_class, others))


def _is_of_class(node: SymbolNode | None) -> bool:
    """Whether a method needs no object."""
    return isinstance(node, Decorator) and (node.func.is_class or node.func.is_static)


@once_per_run
def _names_maybe_registered(file: MypyFile) -> frozenset[str]:
    """Names that the file passes to what might register them."""
    return frozenset(name for node in statements(file.defs) for name in names_maybe_registered(node))


def is_unread(info: TypeInfo) -> bool:
    """Whether it is unknown what bases, a metaclass or decorators do to the class."""
    return not class_model.is_registered(info) and not class_model.is_readable(info)


@once_per_run
def classes_of(file: MypyFile) -> tuple[TypeInfo, ...]:
    """The classes that a file defines, also in functions, or imports."""
    named = (symbol.node for symbol in file.names.values() if isinstance(symbol.node, TypeInfo))
    defined = (node.info for node in statements(file.defs) if isinstance(node, ClassDef) and node.info)
    return (*named, *defined)


def leaves_to_subclasses(info: TypeInfo) -> bool:
    """Whether a class is abstract, or has a method, its own or that of a base, that only raises."""
    raising = ((base, name) for base in info.mro for name in facts_of(base).get("only_raising", ()))
    return class_model.is_abstract(info) or any(info.get_containing_type_info(name) is base for base, name in raising)


def _is_for_others(info: TypeInfo, file: MypyFile) -> bool:
    """Whether the class says that its values belong to other classes.

    What a base only raises for may stay out where the base has abstract methods, and the class has none left; where the
    class defines another such method; and where the program makes objects of the class.
    """
    if class_model.is_abstract(info) or info.is_named_tuple or any(info.get(name) is not None for name in _ADAPTERS):
        return True
    if any(name in info.names for name in facts_of(info).get("only_raising", ())):
        return True
    left = {name for base in info.mro[1:] for name in facts_of(base).get("only_raising", ())}
    if any(base.is_abstract for base in info.mro) or not left.isdisjoint(info.names) or info.name in _called(file):
        return False
    return leaves_to_subclasses(info)


@once_per_run
def _called(file: MypyFile) -> frozenset[str]:
    """The names of what a file calls, read from the syntax: mypy analyses the bodies of functions last."""
    calls = (node.callee for node in nodes_below(file) if isinstance(node, CallExpr))
    return frozenset((dotted_name(callee) or "").rpartition(".")[2] for callee in calls)


def _may_register_itself(info: TypeInfo) -> bool:
    if "__init_subclass__" in info.names or not class_model.has_plain_metaclass(info):
        return True
    names = (name for name, _ in facts_of(info).get("decorators", ()))
    return not all(_leaves_subclasses_alone(name) for name in names)


def _leaves_subclasses_alone(decorator: str) -> bool:
    """Whether a decorator does not affect subclasses: registrations do not."""
    is_known = class_model.is_harmless(decorator) or decorator in PYTREE_DECORATORS
    return is_known or decorator.startswith(DECLARING_PACKAGES)
