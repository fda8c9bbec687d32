"""Reads jit calls: which parameters they make static."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    ARG_STAR,
    Expression,
    ListExpr,
    MypyFile,
    NameExpr,
    OpExpr,
    RefExpr,
    SetExpr,
    StarExpr,
    TupleExpr,
    Var,
)
from mypy.types import CallableType, Instance, LiteralType, Parameters, TupleType, Type, get_proper_type

from ..knowledge.function_rows import JitFunction
from ..source.bindings import value_of_constant
from ..syntax.literals import can_be_written, text_or_number

_MAX_ITEMS: Final = 2_000  # in a list: constants made of constants can double it each time


_LISTS: Final = "static_arg"
DONATING: Final = "donate"  # what the options that list donated parameters begin with
_SEQUENCES: Final = ("builtins.list", "builtins.tuple")


class GivenList(NamedTuple):
    """A list option of a jit call that is given, and not `None`."""

    option: str
    items: tuple[str | int, ...]
    known: bool  # False: computed at run time


@dataclass(frozen=True)
class JitSite:
    """A jit call: the full name of the jit function, and the lists it is given."""

    function: str
    lists: tuple[GivenList, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of static parameters."""
        return tuple(item for given in self.static for item in given.items if isinstance(item, str))

    @cached_property
    def nums(self) -> tuple[int, ...]:
        """The positions of static parameters."""
        return tuple(item for given in self.static for item in given.items if isinstance(item, int))

    @cached_property
    def known(self) -> bool:
        """Whether all static parameters are known: no list is computed at run time."""
        return all(given.known for given in self.static)

    @cached_property
    def static(self) -> tuple[GivenList, ...]:
        return tuple(given for given in self.lists if not given.option.startswith(DONATING))

    @cached_property
    def donated(self) -> tuple[GivenList, ...]:
        return tuple(given for given in self.lists if given.option.startswith(DONATING))

    def given(self, option: str | None) -> GivenList | None:
        return next((given for given in self.lists if given.option == option), None)

    def static_parameters(self, signature: CallableType) -> list[int]:
        """Indices of the parameters that the lists make static; leaves out items that fit no parameter."""
        return parameters_listed(self.static, signature)


def parameters_listed(lists: Iterable[GivenList], signature: CallableType | Parameters) -> list[int]:
    """Indices of the listed parameters. Like JAX, never those of `*args` and `**kwargs`."""
    items = {item for given in lists for item in given.items}
    positional = [index for index, kind in enumerate(signature.arg_kinds) if kind.is_positional()]
    count = len(positional) if not any(kind is ARG_STAR for kind in signature.arg_kinds) else 0
    by_number = {item if item >= 0 else item + count for item in items if isinstance(item, int)}
    single = (index for index, kind in enumerate(signature.arg_kinds) if not kind.is_star())
    by_name = {index for index in single if signature.arg_names[index] in items}
    return sorted((by_number & set(positional)) | by_name)


def read_site(
    function: str, row: JitFunction, arguments: Sequence[tuple[str | None, Expression]], file: MypyFile
) -> JitSite:
    """Reads the lists from the keyword arguments of a call; `**` is one that may contain any of them."""
    values = {name: value for name, value in arguments if name is not None}
    return JitSite(function, tuple(_read_lists(row, values, file)))


def _read_lists(row: JitFunction, values: dict[str, Expression], file: MypyFile) -> Iterator[GivenList]:
    for option in row.options:
        value = values.get(option)
        if value is None and "**" in values:
            yield GivenList(option, (), known=False)
        elif value is not None and not (isinstance(value, NameExpr) and value.fullname == "builtins.None"):
            expected = str if option in row.names_options else int
            items = _read_list(value, file)
            if items is not None and not all(map(can_be_written, items)):
                items = None
            fitting = tuple(item for item in items or () if isinstance(item, expected))
            yield GivenList(option, fitting, known=items is not None and len(fitting) == len(items))
    # A misspelt list, such as `static_argname`: the call raises, and nobody knows what it was to make static.
    misspelt = (name for name in values if row.options and name.startswith(_LISTS) and name not in row.options)
    yield from (GivenList(name, (), known=False) for name in misspelt)


def _read_list(node: Expression | None, file: MypyFile, followed: frozenset[Var] = frozenset()) -> list[Any] | None:
    """The strings or numbers in a literal, list or tuple, or in a constant bound to one; None if unreadable.

    `followed`: the constants that led here, in case one is bound to itself.
    """
    if node is None or (isinstance(node, NameExpr) and node.fullname == "builtins.None"):
        return []
    if isinstance(node, (ListExpr, TupleExpr, SetExpr)):
        return _together(_read_list(item, file, followed) for item in node.items)
    if isinstance(node, OpExpr) and node.op == "+":
        parts = (node.left, node.right)
        return _together(_read_list(part, file, followed) for part in parts) if all(map(_is_sequence, parts)) else None
    if isinstance(node, StarExpr):
        return _read_list(node.expr, file, followed) if _is_sequence(node.expr) else None
    if (value := text_or_number(node)) is not None:
        return [value]
    if isinstance(node, RefExpr) and isinstance(node.node, Var) and node.node not in followed:
        return _read_constant(node.node, file, followed | {node.node})
    return None


def _is_sequence(node: Expression) -> bool:
    """Whether an expression is a list or tuple, not a text or a number, which may be added, too."""
    if isinstance(node, OpExpr) and node.op == "+":
        return _is_sequence(node.left) and _is_sequence(node.right)
    typ = get_proper_type(node.node.type) if isinstance(node, RefExpr) and isinstance(node.node, Var) else None
    is_list = isinstance(typ, Instance) and typ.type.fullname in _SEQUENCES
    return is_list or isinstance(typ, TupleType) or isinstance(node, (ListExpr, TupleExpr))


def _read_constant(var: Var, file: MypyFile, followed: frozenset[Var]) -> list[Any] | None:
    if isinstance(var.final_value, (str, int)):
        return [var.final_value]
    if (value := value_of_constant(var, file)) is not None:
        return _read_list(value, file, followed)
    return _read_type(var.type) if var.is_final else None


def _read_type(typ: Type | None) -> list[Any] | None:
    """The value of a constant of another module, if its type is literal."""
    proper = get_proper_type(typ)
    if isinstance(proper, Instance) and proper.last_known_value is not None:
        proper = proper.last_known_value
    if isinstance(proper, LiteralType):
        return [proper.value]
    if isinstance(proper, TupleType):
        return _together(map(_read_type, proper.items))
    return None


def _together(lists: Iterable[list[Any] | None]) -> list[Any] | None:
    """Joins lists; None if one is unreadable, or there are too many items."""
    items: list[Any] = []
    for part in lists:
        if part is None or len(items) > _MAX_ITEMS:
            return None
        items += part
    return items
