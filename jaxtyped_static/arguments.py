"""The values that the fields of an object will have, told from the arguments it is about to be made with."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

Values: TypeAlias = tuple[Any, ...]


def values_from_arguments(cls: Any, names: tuple[str, ...]) -> Callable[[Values, dict[str, Any]], Values | None] | None:
    """A function that gives the values of the fields, or None where only `__init__` can tell.

    There is one only for a class whose fields are what they are given: the `__init__` takes them in their order, and
    nothing runs after it.
    """
    code = cls.__init__.__code__
    if code.co_varnames[1 : code.co_argcount] != names or hasattr(cls, "__post_init__"):
        return None
    left_out = _defaults_left_out([field.default for field in dataclasses.fields(cls)])
    count = len(names)

    def values(args: Values, kwargs: dict[str, Any]) -> Values | None:
        if not kwargs:
            defaults = left_out.get(len(args))
            return None if defaults is None else args + defaults
        if len(args) + len(kwargs) != count:
            return None
        try:
            return (*args, *map(kwargs.__getitem__, names[len(args) :]))
        except KeyError:
            return None

    return values


def _defaults_left_out(defaults: Sequence[Any]) -> dict[int, Values]:
    """By the number of positional arguments, the defaults of the fields that they leave out."""
    required = next((n for n in range(len(defaults), 0, -1) if defaults[n - 1] is dataclasses.MISSING), 0)
    return {count: tuple(defaults[count:]) for count in range(required, len(defaults) + 1)}
