"""What the constructor of a class takes, and whether the arguments of a call fit it."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from mypy.nodes import ArgKind, FuncDef, TypeInfo

from ...classes import class_model
from ...classes.constructors import parameters_of_fields
from ...facts.class_facts import facts_of
from ...knowledge.full_names import ABSTRACT_BASE
from ...libraries import PYTREE_DECORATORS, STATIC_DECORATORS
from .expressions import Made
from .values import UNKNOWN, Attribute, Entries, Items, Nothing, Value

_INIT: Final = "__init__"
_NEW: Final = "__new__"
_PLAIN_BASES: Final = frozenset({class_model.OBJECT, ABSTRACT_BASE, "typing.Generic", "typing.Protocol"})


class Parameter(NamedTuple):
    """A parameter of a constructor; a name that is None can only be given by position."""

    name: str | None
    kind: ArgKind


class Bound(NamedTuple):
    """What a call gives to the parameters. `problem`: why it raises."""

    given: Mapping[str, Value]
    problem: str = ""
    is_whole: bool = False  # all arguments are known


def parameters_of(info: TypeInfo) -> list[Parameter] | None:
    """The parameters of the constructor, without `self`; None if it is not known what makes objects of the class."""
    if not class_model.is_readable(info) or info.is_enum:
        return None
    name = _NEW if info.is_named_tuple else _INIT
    symbol = info.get(name)
    owner = info.get_containing_type_info(name)
    if symbol is None or owner is None or not isinstance(symbol.node, FuncDef):
        return None
    if not info.is_named_tuple and not _is_made_by_init(info, owner):
        return None
    if owner.fullname == class_model.OBJECT:
        return []
    pairs = zip(symbol.node.arg_names, symbol.node.arg_kinds, strict=True)
    return [Parameter(name, kind) for name, kind in pairs][1:]


def _is_made_by_init(info: TypeInfo, owner: TypeInfo) -> bool:
    """Whether the `__init__` that mypy sees is the one that runs: nothing else makes the objects, or adds one."""
    bases = [base for base in info.mro if base.fullname not in _PLAIN_BASES]
    if any(base.module_name == "builtins" or _NEW in base.names for base in bases):
        return False
    below = info.mro[: info.mro.index(owner)]
    return all(_adds_none(base) for base in below)


def _adds_none(info: TypeInfo) -> bool:
    """Whether nothing that mypy does not see gives a class an `__init__`, as a dataclass of an untyped library has."""
    names = [name for name, _ in facts_of(info).get("decorators", ())]
    registers = (PYTREE_DECORATORS | STATIC_DECORATORS).intersection(names)
    return class_model.declaration_of(info) is None and all(
        class_model.is_harmless(name) or name in registers for name in names
    )


def attributes_of(info: TypeInfo) -> dict[str, str]:
    """The attributes that hold arguments of the constructor as they are, by the name of the parameter."""
    return {name: field.name for name, field in parameters_of_fields(info).items()}


def bind(made: Made, parameters: list[Parameter]) -> Bound:
    """What a call gives to the parameters, as Python binds arguments."""
    positional, knows_positions = _positional(made)
    named, knows_names = _named(made)
    if (problem := _unpacked(made)) or (problem := _unknown_names(named, parameters)):
        return Bound({}, problem)
    places = [parameter for parameter in parameters if parameter.kind.is_positional()]
    takes_all = any(parameter.kind is ArgKind.ARG_STAR for parameter in parameters)
    if len(positional) > len(places) and not takes_all:
        return Bound({}, f"{_counted(len(positional))}, and takes {_most(len(places))}")
    given = {place.name: value for place, value in zip(places, positional, strict=False) if place.name is not None}
    twice = next((name for name in named if name in given), None)
    if twice is not None:
        return Bound({}, f'"{twice}" twice')
    is_whole = knows_positions and knows_names
    required = [one for one in parameters if one.kind.is_required()]
    filled = set(places[: len(positional)])
    missing = [str(one.name) for one in required if one not in filled and one.name not in named]
    if is_whole and missing:
        return Bound({}, "no " + _listed(missing))
    return Bound({**given, **named}, is_whole=is_whole)


def _positional(made: Made) -> tuple[list[Value], bool]:
    """The values by position, as far as they are known, and whether that is all."""
    found: list[Value] = []
    for kind, value in zip(made.call.arg_kinds, made.arguments, strict=True):
        if kind is ArgKind.ARG_POS:
            found.append(value)
        elif kind is ArgKind.ARG_STAR:
            if isinstance(value, Items):
                found += value.values
            elif isinstance(value, Entries):
                found += [UNKNOWN] * len(value.values)
            else:
                return found, False
    return found, True


def _named(made: Made) -> tuple[dict[str, Value], bool]:
    found: dict[str, Value] = {}
    is_known = True
    for kind, name, value in zip(made.call.arg_kinds, made.call.arg_names, made.arguments, strict=True):
        if kind is ArgKind.ARG_STAR2:
            found |= value.values if isinstance(value, Entries) else {}
            is_known = is_known and isinstance(value, Entries)
        elif name is not None:
            found[name] = value
    return found, is_known


def _unpacked(made: Made) -> str:
    """What is wrong with what a call unpacks: `*None`, `**None`, `**("a", "b")`."""
    for kind, value in zip(made.call.arg_kinds, made.arguments, strict=True):
        if kind.is_star() and isinstance(value, Nothing):
            return "None unpacked"
        if kind is ArgKind.ARG_STAR2 and isinstance(value, Items):
            return "a tuple unpacked by **"
    return ""


def _unknown_names(named: Mapping[str, Value], parameters: list[Parameter]) -> str:
    if any(parameter.kind is ArgKind.ARG_STAR2 for parameter in parameters):
        return ""
    taken = {parameter.name for parameter in parameters if parameter.kind is not ArgKind.ARG_STAR}
    unknown = [name for name in named if name not in taken]
    return f"{_listed(unknown)}, which it does not take" if unknown else ""


def problem_of_names(names: list[str], parameters: list[Parameter]) -> str:
    """Why a call raises that gives just these arguments, by their names."""
    missing = [str(one.name) for one in parameters if one.kind.is_required() and one.name not in names]
    return _unknown_names(dict.fromkeys(names, UNKNOWN), parameters) or ("no " + _listed(missing) if missing else "")


def swapped(given: Mapping[str, Value], attributes: Mapping[str, str]) -> tuple[str, str] | None:
    """Two attributes, each of which the other's parameter gets. `attributes`: by parameter."""
    holders = {attribute: parameter for parameter, attribute in attributes.items()}
    for parameter, value in given.items():
        own, got = attributes.get(parameter), value.name if isinstance(value, Attribute) else None
        if own is None or got is None or got == own or got not in holders:
            continue
        if isinstance(other := given.get(holders[got]), Attribute) and other.name not in (got, ""):
            return own, got
    return None


def _listed(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names[:3]) + (", ..." if len(names) > 3 else "")


def _counted(count: int) -> str:
    return f"{count} positional argument{'s' * (count != 1)}"


def _most(count: int) -> str:
    return f"at most {count}" if count else "none"
