"""jit-argnames: options that a jit function does not have, and lists of another kind, which make the call raise."""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Final, NamedTuple

from mypy.errorcodes import ARG_TYPE, CALL_ARG, CALL_OVERLOAD
from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    ArgKind,
    CallExpr,
    Expression,
    FloatExpr,
    IntExpr,
    ListExpr,
    NameExpr,
    RefExpr,
    SetExpr,
    StrExpr,
    TupleExpr,
)
from mypy.types import CallableType, FunctionLike, ProperType

from ..compat import mypy_api
from ..knowledge.function_rows import JitFunction
from ..reporting.errors import report
from ..reporting.messages import Message, Statement
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile
from . import CODES

_CODE: Final = CODES["jit-argnames"]
_BY_MYPY: Final = (ARG_TYPE, CALL_ARG, CALL_OVERLOAD)  # of which mypy reports one, too
_SIMILARITY: Final = 0.6

_NO_OPTION: Final = '{function} has no option "{name}", so this call raises'
_MISSPELT_OPTION: Final = Message(_NO_OPTION, 'did you mean "{meant}"?', kind="unknown-option")
_UNKNOWN_OPTION: Final = Message(_NO_OPTION, "remove it", kind="unknown-option")
_BY_POSITION: Final = Message(
    "{function} takes only the function by position, so this call raises",
    "pass this as {option}=...",
    kind="option-by-position",
)
_UNNAMED: Final = _BY_POSITION._replace(advice="pass options by name, and arguments to what it returns")
_NAME_IN_POSITIONS: Final = Message(
    "{option} lists positions, and {item} is a name, so this call raises", "list it in {twin}", kind="name-as-position"
)
_NAME_ALONE: Final = Message(_NAME_IN_POSITIONS.problem, "list its position", kind="name-as-position")
_NO_INTEGER: Final = Message(
    "{option} lists positions, and {item} is no integer, so this call raises", "write an integer", kind="no-integer"
)
_POSITION_IN_NAMES: Final = Message(
    "{option} lists names, and {item} is a position, so this call raises", "list it in {twin}", kind="position-as-name"
)

Given = tuple[str | None, ArgKind, Expression]


class _Options(NamedTuple):
    """What a jit function takes."""

    names: tuple[str, ...]
    is_open: bool  # it takes others, too
    by_name: frozenset[str]  # of these, what it takes by name only
    by_position: int | None  # how many arguments it takes by position, the function first; None if that is unknown


def given_by(call: CallExpr) -> list[Given]:
    return list(zip(call.arg_names, call.arg_kinds, call.args, strict=True))


def check_options(
    function: Expression, row: JitFunction, given: Iterable[Given], file: CheckedFile, *, is_seen_by_mypy: bool
) -> bool:
    """Reports what makes a call of a jit function raise; returns whether anything does.

    The overloads of `eqx.filter_jit`, which has no lists, leave out options of `jax.jit` that it passes on.

    `is_seen_by_mypy`: whether mypy rejects the call as well; then nothing is said where users see that.
    """
    shown = (file.settings.shows(code.code, file.options) for code in _BY_MYPY)
    if (is_seen_by_mypy and any(shown)) or not isinstance(function, RefExpr):
        return False
    options = _options(mypy_api.type_of_expression(file.api, function))
    if options is None:
        return False
    problems = list(_problems(function.fullname.rpartition(".")[2], options, row, list(given), file))
    for place, statement in problems:
        report(file, place, statement, _CODE)
    return bool(problems)


def _options(typ: ProperType | None) -> _Options | None:
    items = typ.items if isinstance(typ, FunctionLike) else []
    signatures = [item for item in items if isinstance(item, CallableType)]
    if not signatures:
        return None
    names = tuple(dict.fromkeys(name for item in signatures for name in item.arg_names if name is not None))
    is_open = any(item.is_kw_arg for item in signatures)
    is_counted = not any(item.is_var_arg for item in signatures)
    counts = [sum(kind.is_positional() for kind in item.arg_kinds) for item in signatures]
    pairs = (pair for item in signatures for pair in zip(item.arg_names, item.arg_kinds, strict=True))
    by_name = frozenset(name for name, kind in pairs if name is not None and kind.is_named())
    return _Options(names, is_open, by_name, max(counts) if is_counted else None)


def _problems(
    function: str, options: _Options, row: JitFunction, given: list[Given], file: CheckedFile
) -> Iterator[tuple[Expression, Statement]]:
    by_position = [value for _, kind, value in given if kind is ARG_POS]
    if options.by_position == 1 and len(by_position) > 1:
        second = by_position[1]
        if (option := _option_for(second, options, row, file)) is not None:
            yield second, _BY_POSITION.fill(function=function, option=option)
        else:
            yield second, _UNNAMED.fill(function=function)
    for name, kind, value in given:
        if kind is not ARG_NAMED or name is None:
            continue
        if name in row.options:
            yield from _problems_of_list(name, row, value, file)
        elif row.options and name not in options.names and not options.is_open:
            yield value, _unknown(function, name, options, row)


def _unknown(function: str, name: str, options: _Options, row: JitFunction) -> Statement:
    alike = [option for option in row.options if option.partition("_")[0] == name.partition("_")[0]]
    meant = get_close_matches(name, alike or options.names, 1, _SIMILARITY)
    words = _MISSPELT_OPTION if meant else _UNKNOWN_OPTION
    return words.fill(function=function, name=name, meant=meant[0] if meant else "")


def _option_for(value: Expression, options: _Options, row: JitFunction, file: CheckedFile) -> str | None:
    """The option that a list of names or of positions belongs to, or a variable that has the name of one."""
    if isinstance(value, NameExpr) and value.name in options.by_name:
        return value.name
    kinds = {type(item) for item in _items(made_by(value, file))}
    return row.names_option if kinds == {StrExpr} else row.nums_option if kinds == {IntExpr} else None


def _problems_of_list(
    option: str, row: JitFunction, value: Expression, file: CheckedFile
) -> Iterator[tuple[Expression, Statement]]:
    written = made_by(value, file)
    is_names, twin = option in row.names_options, _twin(option, row)
    for item in _items(written):
        place = item if written is value else value
        if is_names and isinstance(item, (IntExpr, FloatExpr)):
            yield place, _POSITION_IN_NAMES.fill(option=option, item=str(item.value), twin=twin or "")
        elif not is_names and isinstance(item, StrExpr) and item.value:
            words = _NAME_ALONE if twin is None else _NAME_IN_POSITIONS
            yield place, words.fill(option=option, item=f'"{item.value}"', twin=twin or "")
        elif not is_names and isinstance(item, FloatExpr):
            yield place, _NO_INTEGER.fill(option=option, item=str(item.value))


def _twin(option: str, row: JitFunction) -> str | None:
    """The option that lists by name what this one lists by position, or the other way round."""
    pairs = ((row.names_option, row.nums_option), (row.donated_names_option, row.donated_nums_option))
    return next((other for pair in pairs if option in pair for other in pair if other != option), None)


def _items(value: Expression) -> list[Expression]:
    return value.items if isinstance(value, (TupleExpr, ListExpr, SetExpr)) else [value]
