"""What needs the concrete value of a tracer: conversions to a number, a truth value or a NumPy array, and text."""

import re
from collections.abc import Callable, Iterator, Sequence
from string import Formatter
from typing import Final

from mypy.nodes import CallExpr, Decorator, Expression, MemberExpr, OpExpr, RefExpr, StrExpr, TupleExpr, TypeInfo, Var

from ...classes.caches import hashes_arguments, is_cached
from ...knowledge.function_rows import Conversion
from ...knowledge.members import CONVERTING_METHODS
from ...libraries import known_function
from ...source.checked_file import CheckedFile
from ...syntax.arguments import keyword_argument, positional, unpacks
from ...syntax.imports import full_name
from ...syntax.literals import is_none
from .frame import Frame
from .host_arrays import asked_by_numpy
from .joining import element
from .objects import class_of
from .values import Each, Items, Source, Traced, Value, array_from, origin, present

# mypy parses `f"{x:.2f}"` as `"{:{}}".format(x, ".2f")`, and `f"{x}"` with an empty second argument (2.4.1).
_INTERPOLATED: Final = "{:{}}"
_FORMATS: Final = "builtins.format"
_PERCENT: Final = re.compile(r"%(?:%|[-#0 +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?(?P<kind>[a-zA-Z]))")
_ORDERING_OPTIONS: Final = ("default", "reverse")
_MEDIANS: Final = "statistics.median"
_INSERTS: Final = ".insort"
_TEXT: Final = "sra"  # `%s`, `%r` and `%a` take the text of any object


def converted(call: CallExpr, base: Value, values: Sequence[Value], file: CheckedFile) -> tuple[str, Value] | None:
    """What kind of conversion a call is, and what it converts. `base`: the object whose method is called."""
    callee = call.callee
    if isinstance(callee, MemberExpr) and callee.name in CONVERTING_METHODS and isinstance(base, Traced):
        return callee.name, base
    if (asked := asked_by_numpy(call, values, file)) is not None:
        return asked
    if not isinstance(callee, RefExpr):
        return None
    if (asked := _asked_by_python(call, values, file)) is not None:
        return asked
    if any(name not in _ORDERING_OPTIONS for name in call.arg_names if name is not None):
        return None
    if isinstance(callee.node, TypeInfo) and callee.node.is_enum:
        return "enum", values[0] if len(values) == 1 else None
    given = [value for value, name in zip(values, call.arg_names, strict=True) if name is None]
    return _asked(full_name(callee, file.tree), given)


def _asked_by_python(call: CallExpr, values: Sequence[Value], file: CheckedFile) -> tuple[str, Value] | None:
    """What a function of the standard library asks, also of arguments that it gets by their names."""
    fullname = full_name(call.callee, file.tree)
    match known_function(fullname).converts:
        case Conversion.PYTHON_ONLY if fullname.startswith(_MEDIANS) and values and _is_single(values[0]):
            return None  # the only item is the median
        case Conversion.PYTHON_ONLY:
            return "python-only", _first(values, origin)
        case Conversion.PYTHON_ONLY_AFTER:
            return "python-only", _first(values[1:], origin)
        case Conversion.SEARCH if _INSERTS in fullname and keyword_argument(call, "key") is not None:
            return None  # it compares the key of what it inserts
        case Conversion.SEARCH:
            return "search", values[1] if len(values) > 1 else None
        case Conversion.INTEGERS_AFTER:  # also by their names: `round(x, ndigits=n)`, `enumerate(xs, start=n)`
            return "int", _first(values[1:], _itself)
    is_hashed = is_cached(call.callee) or _is_cached_method(call.callee, file)
    return ("hash-arguments", _first(values, _hashed)) if is_hashed else None


def _is_cached_method(callee: Expression, file: CheckedFile) -> bool:
    owner = class_of(callee.expr, file) if isinstance(callee, MemberExpr) else None
    symbol = owner.info.get(callee.name) if owner is not None and isinstance(callee, MemberExpr) else None
    return symbol is not None and isinstance(symbol.node, Decorator) and hashes_arguments(symbol.node)


def _is_single(value: Value) -> bool:
    return isinstance(value, Items) and len(value.values) == 1


def _asked(fullname: str, values: Sequence[Value]) -> tuple[str, Value] | None:
    """What a function is called, or what it does, with what it converts of these arguments."""
    name = fullname.rpartition(".")[2]
    match known_function(fullname).converts:
        case Conversion.NUMBER:
            return name, values[0] if len(values) == 1 else None
        case Conversion.LENGTH:
            return name, _first(values, _itself)
        case Conversion.INTEGER:
            return "int", _first(values, _itself)
        case Conversion.FLOAT:
            return "float", _first(values, origin)
        case Conversion.TRUTH:
            return name, _compared(values, enough=1)
        case Conversion.ORDER:
            return name, _compared(values, enough=2)
        case Conversion.MODULUS:
            return "power", _first(values, _itself) if len(values) == 3 else None
        case Conversion.HASH:
            return "hash", _with_hash(values[0]) if len(values) == 1 else None
        case Conversion.HASHES:
            return "hash", _first(_items(values[0]), _hashed) if len(values) == 1 else None
    return None


def _items(value: Value) -> Sequence[Value]:
    whole = present(value)
    return whole.values if isinstance(whole, Items) else [element(whole)]


def _with_hash(value: Value) -> Value:
    """The tracer whose hash a value asks for."""
    return _first([value], _hashed) if isinstance(value, Items) else value


def _hashed(value: Value) -> Source | None:
    """The source of a tracer, or of one in a tuple, which has a hash if all its items have one."""
    return origin(value) if isinstance(value, (Items, Traced)) else None


def _first(values: Sequence[Value], source_of: Callable[[Value], Source | None]) -> Value:
    source = next((found for value in values if (found := source_of(value)) is not None), None)
    return array_from(source) if source is not None else None


def _itself(value: Value) -> Source | None:
    return value.source if isinstance(value, Traced) else None


def _compared(values: Sequence[Value], *, enough: int) -> Value:
    """The value whose truth the call needs: an argument or, if there is only one, an element of it.

    `enough`: how many items one of known length must have for the call to test any.
    """
    if len(values) != 1:
        return _first(values, _itself)
    whole = present(values[0])
    if isinstance(whole, Traced):
        return element(whole)
    if isinstance(whole, Each):
        return whole.element
    return _first(whole.values, _itself) if isinstance(whole, Items) and len(whole.values) >= enough else None


def is_never_equal(node: Expression) -> bool:
    """Whether comparing a tracer with this has a known answer: `x == None` and `x == "a"` are False (JAX 0.10.2)."""
    of_enum = isinstance(node, MemberExpr) and isinstance(node.node, Var) and node.node.info and node.node.info.is_enum
    return is_none(node) or isinstance(node, StrExpr) or bool(of_enum)


# Text: a format that is more than `{}` or `%s` needs a concrete value


def formatted(call: CallExpr) -> Iterator[Expression]:
    """The arguments that `"...".format(...)`, an f-string, or `format(x, ".2f")` formats as more than plain text."""
    callee = call.callee
    if isinstance(callee, RefExpr) and callee.fullname == _FORMATS and not unpacks(call):
        yield from (call.args[0] for given in call.args[1:2] if isinstance(given, StrExpr) and given.value)
    if not isinstance(callee, MemberExpr) or callee.name != "format" or not isinstance(callee.expr, StrExpr):
        return
    if callee.expr.value == _INTERPOLATED and len(call.args) == 2:
        if not isinstance(call.args[1], StrExpr) or call.args[1].value:
            yield call.args[0]
    elif not unpacks(call):
        for name in _names_with_format(callee.expr.value):
            yield from _argument(call, name)


def _formatted_by_percent(node: OpExpr) -> Iterator[Expression]:
    """The values that `"%.2f" % x` formats as numbers."""
    if node.op != "%" or not isinstance(node.left, StrExpr):
        return
    kinds = [match["kind"] for match in _PERCENT.finditer(node.left.value) if match["kind"] is not None]
    values = node.right.items if isinstance(node.right, TupleExpr) else [node.right]
    if "*" not in node.left.value and len(kinds) == len(values):
        yield from (value for kind, value in zip(kinds, values, strict=True) if kind not in _TEXT)


def _names_with_format(text: str) -> Iterator[str]:
    """The fields of a template with a format and no conversion to text: by number, also where it counts by itself."""
    try:
        fields = [part for part in Formatter().parse(text) if part[1] is not None]
    except ValueError:  # the call raises
        return
    for index, (_, name, specification, conversion) in enumerate(fields):
        if specification and not conversion:
            yield name or str(index)


def _argument(call: CallExpr, name: str) -> Iterator[Expression]:
    numbered = positional(call)
    if name.isdecimal() and int(name) < len(numbered):
        yield numbered[int(name)]
    if (value := keyword_argument(call, name)) is not None:
        yield value


def record_formatted(node: OpExpr, right: Value, frame: Frame) -> None:
    """`"%.2f" % x`, and the same with a tuple of values."""
    parts = node.right.items if isinstance(node.right, TupleExpr) else [node.right]
    values = right.values if isinstance(right, Items) and len(right.values) == len(parts) else (right,) * len(parts)
    wanted = list(_formatted_by_percent(node))
    for part, value in zip(parts, values, strict=True):
        if part in wanted:
            frame.needs_concrete(part, "format", value)
