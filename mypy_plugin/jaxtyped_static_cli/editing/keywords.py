"""The keyword arguments of calls and decorators."""

from typing import Final

import libcst as cst

_TIGHT: Final = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


def argument(call: cst.Call, name: str) -> cst.Arg | None:
    """The argument that a call passes by a name."""
    return next((given for given in call.args if given.keyword is not None and given.keyword.value == name), None)


def with_keyword(call: cst.Call, name: str, value: str) -> cst.Call:
    """The call with a keyword argument: in its place if there is one with this name, and else as the last."""
    new = cst.parse_expression(value)
    if (old := argument(call, name)) is not None:
        return call.with_changes(args=[given.with_changes(value=new) if given is old else given for given in call.args])
    added = cst.Arg(new, keyword=cst.Name(name), equal=_TIGHT)
    if not call.args:
        return call.with_changes(args=[added])
    *before, last = call.args
    separator = _separator(call)
    if isinstance(last.comma, cst.MaybeSentinel):  # `f(a)`
        added = added.with_changes(whitespace_after_arg=last.whitespace_after_arg)
        last = last.with_changes(comma=separator, whitespace_after_arg=cst.SimpleWhitespace(""))
    else:
        added = added.with_changes(comma=without_comment(last.comma))
        last = last.with_changes(comma=with_comment_of(last.comma, separator))
    return call.with_changes(args=[*before, last, added])


def without_keyword(call: cst.Call, name: str) -> cst.Call:
    """The call without what it passes by a name."""
    left = [given for given in call.args if given is not argument(call, name)]
    if left and call.args[-1] is not left[-1]:  # the last one goes: what ended the list now follows another
        left[-1] = left[-1].with_changes(
            comma=call.args[-1].comma, whitespace_after_arg=call.args[-1].whitespace_after_arg
        )
    if left:
        return call.with_changes(args=left)
    return call.with_changes(args=[], whitespace_before_args=cst.SimpleWhitespace(""))


def decorator_with(decorator: cst.BaseExpression, name: str, value: str) -> cst.Call:
    """A decorator with a keyword argument: `dataclass` becomes `dataclass(frozen=True)`."""
    return with_keyword(decorator if isinstance(decorator, cst.Call) else cst.Call(decorator), name, value)


def decorator_without(decorator: cst.Call, name: str) -> cst.BaseExpression:
    """A decorator without a keyword argument: `dataclass(eq=False)` becomes `dataclass`."""
    left = without_keyword(decorator, name)
    return left if left.args else left.func


def _separator(call: cst.Call) -> cst.Comma:
    """What stands between the arguments of a call."""
    before = call.whitespace_before_args
    if isinstance(before, cst.ParenthesizedWhitespace):  # one argument a line
        return without_comment(cst.Comma(whitespace_after=before))
    commas = (argument.comma for argument in call.args[:-1] if isinstance(argument.comma, cst.Comma))
    return without_comment(next(commas, cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))))


def without_comment(comma: cst.Comma) -> cst.Comma:
    after = comma.whitespace_after
    if isinstance(after, cst.ParenthesizedWhitespace):
        return comma.with_changes(
            whitespace_after=cst.ParenthesizedWhitespace(indent=after.indent, last_line=after.last_line)
        )
    return comma


def with_comment_of(comma: cst.Comma, separator: cst.Comma) -> cst.Comma:
    """The separator, with the comments that follow a comma."""
    before, after = comma.whitespace_after, separator.whitespace_after
    if not isinstance(before, cst.ParenthesizedWhitespace):
        return separator
    if not isinstance(after, cst.ParenthesizedWhitespace):
        return comma if before.first_line.comment is not None or before.empty_lines else separator
    return separator.with_changes(whitespace_after=before.with_changes(indent=after.indent, last_line=after.last_line))
