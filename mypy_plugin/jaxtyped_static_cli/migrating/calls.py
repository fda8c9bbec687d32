"""Applications of jit without their lists of static parameters, in the formatting of the source."""

from collections.abc import Iterator

import libcst as cst

from ..editing.documents import Document
from ..editing.jit_lists import OPTIONS
from ..editing.keywords import without_keyword
from .applications import Application
from .reasons import Refused


def compiling_part(application: Application) -> cst.BaseExpression:
    """The part of an application that will be replaced: what compiles, without the function."""
    node = application.node
    return node.decorator if isinstance(node, cst.Decorator) else node.func


def rewritten(application: Application, jit: str, document: Document) -> cst.Decorator | cst.Call:
    """Returns the decorator or call with `jit` and the options that are no lists.

    Raises:
        Refused: comments would be lost.
    """
    compiles = cst.parse_expression(jit)
    if isinstance(application.node, cst.Decorator):
        decorator = application.node
        new = _decorator(application, compiles)
        lost = [cst.EmptyLine(comment=comment) for comment in _lost_comments(decorator.decorator, new)]
        return decorator.with_changes(decorator=new, leading_lines=[*decorator.leading_lines, *lost])
    call = _call(application, compiles)
    if any(_lost_comments(application.node, call)):
        raise Refused("comments")
    return call


def _decorator(application: Application, compiles: cst.BaseExpression) -> cst.BaseExpression:
    written = compiling_part(application)
    if not isinstance(written, cst.Call) or not _holds_options(written, application):
        return cst.Call(compiles, _copied(application.options)) if application.options else compiles
    call = written
    for name in OPTIONS:
        call = without_keyword(call, name)
    if call.args and call.args[0].keyword is None:  # `partial(jit, ...)`
        call = call.with_changes(args=call.args[1:])
    return call.with_changes(func=compiles) if call.args else compiles


def _call(application: Application, compiles: cst.BaseExpression) -> cst.Call:
    assert isinstance(application.node, cst.Call)
    call = application.node
    for name in OPTIONS:
        call = without_keyword(call, name)
    added = [option for option in application.options if option not in application.node.args]
    return call.with_changes(func=compiles, args=[*call.args, *_copied(added)])


def _holds_options(call: cst.Call, application: Application) -> bool:
    """Whether all options are written in this call, and none in a partial that has a name."""
    return all(option in call.args for option in application.options)


def _copied(options: tuple[cst.Arg, ...] | list[cst.Arg]) -> list[cst.Arg]:
    """The options as they are written elsewhere, on one line."""
    return [
        option.deep_clone().with_changes(comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=cst.SimpleWhitespace(""))
        for option in options
    ]


def _lost_comments(before: cst.CSTNode, after: cst.CSTNode) -> Iterator[cst.Comment]:
    kept = [node.value for node in _comments(after)]
    for comment in _comments(before):
        if comment.value in kept:
            kept.remove(comment.value)
        else:
            yield comment


def _comments(node: cst.CSTNode) -> Iterator[cst.Comment]:
    if isinstance(node, cst.Comment):
        yield node
    for part in node.children:
        yield from _comments(part)
