"""Text made from values: a format that is more than `{}` or `%s` needs a concrete value."""

import re
from collections.abc import Iterator
from string import Formatter
from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr, OpExpr, StrExpr, TupleExpr

from ...syntax.arguments import unpacks

_INTERPOLATED: Final = "{:{}}"  # how mypy writes `f"{x:.2f}"`: the format is the second argument
_PERCENT: Final = re.compile(r"%(?:%|[-#0 +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?(?P<kind>[a-zA-Z]))")
_TEXT: Final = "sra"  # `%s`, `%r` and `%a` take the text of any object


def formatted(call: CallExpr) -> Iterator[Expression]:
    """The arguments that `"...".format(...)`, or an f-string, formats as more than plain text."""
    callee = call.callee
    if not isinstance(callee, MemberExpr) or callee.name != "format" or not isinstance(callee.expr, StrExpr):
        return
    if callee.expr.value == _INTERPOLATED and len(call.args) == 2:
        if not isinstance(call.args[1], StrExpr) or call.args[1].value:
            yield call.args[0]
    elif not unpacks(call):
        for name in _names_with_format(callee.expr.value):
            yield from _argument(call, name)


def formatted_by_percent(node: OpExpr) -> Iterator[Expression]:
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
    positional = [value for value, given in zip(call.args, call.arg_names, strict=True) if given is None]
    if name.isdecimal() and int(name) < len(positional):
        yield positional[int(name)]
    yield from (value for value, given in zip(call.args, call.arg_names, strict=True) if given == name)
