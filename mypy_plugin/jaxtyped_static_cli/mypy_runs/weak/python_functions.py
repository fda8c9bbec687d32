"""What functions of Python return, as far as weak types go."""

import ast
from collections.abc import Callable, Mapping
from typing import Final

from .scopes import Given, Running
from .values import NONE, UNKNOWN, Dict, Kind, Object, Text, Tuple, Value, number, promoted

Handler = Callable[[Given, ast.AST, Running], Value]


def _argument(given: Given, position: int) -> Value:
    return given.args[position] if len(given.args) > position else UNKNOWN


def _length(given: Given, node: ast.AST, running: Running) -> Value:
    return number(Kind.INTEGER)


def _float(given: Given, node: ast.AST, running: Running) -> Value:
    return number(Kind.FLOAT)


def _bool(given: Given, node: ast.AST, running: Running) -> Value:
    return number(Kind.BOOL)


def _promoted(given: Given, node: ast.AST, running: Running) -> Value:
    return promoted(given.args)


def _round(given: Given, node: ast.AST, running: Running) -> Value:
    return number(Kind.INTEGER) if len(given.args) == 1 else _promoted(given, node, running)


def _tuple(given: Given, node: ast.AST, running: Running) -> Value:
    return given.args[0] if given.args and isinstance(given.args[0], Tuple) else UNKNOWN


def _dict(given: Given, node: ast.AST, running: Running) -> Value:
    first = given.args[0] if given.args else Dict({})
    return Dict({**first.items, **given.keywords}) if isinstance(first, Dict) and not given.is_open else UNKNOWN


def _no_value(given: Given, node: ast.AST, running: Running) -> Value:
    return NONE


def _set(given: Given, node: ast.AST, running: Running) -> Value:
    """`setattr(self, name, value)`"""
    owner, name = _argument(given, 0), _argument(given, 1)
    if isinstance(owner, Object):
        known = isinstance(name, Text) and not running.is_uncertain
        changed = {name.text: _argument(given, 2)} if isinstance(name, Text) and known else None
        owner.fields.update(changed if changed is not None else dict.fromkeys(owner.fields, UNKNOWN))
    return NONE


def _all_set(given: Given, node: ast.AST, running: Running) -> Value:
    """`vars(self)`, through which code may set any attribute."""
    owner = _argument(given, 0)
    if isinstance(owner, Object):
        owner.fields.update(dict.fromkeys(owner.fields, UNKNOWN))
    return UNKNOWN


_INTEGERS: Final = ("ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "perm", "trunc")
_BOOLS: Final = ("isclose", "isfinite", "isinf", "isnan")
_OF_ARGUMENTS: Final = ("frexp", "modf", "prod", "sumprod")  # several numbers, or one as the items are
# What functions of `math` return that is no float; None if nobody sees it.
OF_MATH: Final[Mapping[str, Kind | None]] = {
    **dict.fromkeys(_INTEGERS, Kind.INTEGER),
    **dict.fromkeys(_BOOLS, Kind.BOOL),
    **dict.fromkeys(_OF_ARGUMENTS),
}
PYTHON: Final[Mapping[str, Handler]] = {
    "builtins.len": _length,
    "builtins.int": _length,
    "builtins.float": _float,
    "builtins.bool": _bool,
    "builtins.abs": _promoted,
    "builtins.max": _promoted,
    "builtins.min": _promoted,
    "builtins.round": _round,
    "builtins.tuple": _tuple,
    "builtins.list": _tuple,
    "builtins.dict": _dict,
    "builtins.print": _no_value,
    "builtins.setattr": _set,
    "builtins.object.__setattr__": _set,
    "builtins.vars": _all_set,
}
