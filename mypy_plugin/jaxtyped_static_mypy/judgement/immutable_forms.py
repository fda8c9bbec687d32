"""Finds immutable replacements of mutable types: `tuple[frozenset[int], ...]` for `list[set[int]]`."""

from typing import Final

from mypy.types import AnyType, Instance, Type, UninhabitedType, get_proper_type

from ..knowledge.type_rows import WITH_ARGUMENTS, AsKey
from ..libraries import ADVISED_PACKAGES, KEY_TYPES
from ..syntax.describing import describe

_MAX_DEPTH: Final = 5  # of the text: aliases of aliases can double it each time


def immutable_form(typ: Instance) -> str:
    """The replacement of an instance of a known mutable class, with how to install it."""
    return with_package(_form(typ))


def with_package(text: str) -> str:
    package = next((package for package in ADVISED_PACKAGES if package in text), None)
    return f"{text} (pip install {package})" if package is not None else text


def _form(typ: Type, depth: int = 0) -> str:
    proper = get_proper_type(typ)
    known = KEY_TYPES.get(proper.type.fullname) if isinstance(proper, Instance) else None
    if not isinstance(proper, Instance) or known is None or known.key is not AsKey.MUTABLE or depth > _MAX_DEPTH:
        return describe(typ)
    arguments = proper.args
    if any(isinstance(get_proper_type(argument), (AnyType, UninhabitedType)) for argument in arguments):
        return known.instead
    inner = [_form(argument, depth + 1) for argument in arguments]
    return WITH_ARGUMENTS.get((known.instead, len(arguments)), known.instead).format(*inner)
