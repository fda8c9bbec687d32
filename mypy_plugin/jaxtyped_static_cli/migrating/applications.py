"""Finds where a module compiles functions: decorators, calls, and partials of jit under any name."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import libcst as cst

from ..editing.documents import Document
from ..editing.jit_lists import OPTIONS, Lists, read_lists
from ..editing.names import Names
from .reasons import Left, Refused
from .static_parameters import marked_lists

# jax.jit by the names that programs use for it, and our own.
_JIT: Final = frozenset({"jax.jit", "jax.api.jit", "jax._src.api.jit", "jaxtyped_static.jit"})
# Reads markers of its own, and takes no lists.
_MARKED_JIT: Final = "jax_dataclasses.jit"
_PARTIAL: Final = "functools.partial"


class Compiling(NamedTuple):
    """An expression that compiles what it is called with: jit, or a partial of it, with the options that it passes."""

    options: tuple[cst.Arg, ...] = ()
    reads_markers: bool = False  # of another library


class Application(NamedTuple):
    """A place where jit is applied to a function of the module."""

    node: cst.Decorator | cst.Call
    function: cst.FunctionDef
    lists: Lists
    options: tuple[cst.Arg, ...]  # what is passed to jit besides the function and the two lists
    line: int
    below: str = ""  # the decorator between jit and the function, which may change the parameters


def find_applications(document: Document, names: Names) -> tuple[list[Application], list[Left]]:
    """Returns the applications of jit, also those without lists, and those with lists that cannot be read."""
    found: list[Application] = []
    left: list[Left] = []
    nodes: list[cst.Decorator | cst.Call] = [*document.all(cst.Decorator), *document.all(cst.Call)]
    for node in sorted(nodes, key=document.start):
        try:
            found += _decorator(node, names) if isinstance(node, cst.Decorator) else _call(node, names)
        except Refused as refused:
            left.append(Left(names.line(node), _shown(node, names), refused.reason, refused.about))
    return found, left


def compiling(node: cst.BaseExpression, names: Names) -> Compiling | None:
    """Reads an expression as jit, `jit(option=...)`, `partial(jit, option=...)`, or a name that is bound to one."""
    full_name = names.full_name(node)
    if full_name in _JIT or full_name == _MARKED_JIT:
        return Compiling(reads_markers=full_name == _MARKED_JIT)
    if isinstance(node, cst.Name):
        followed = names.followed(node)
        return None if followed is node else compiling(followed, names)
    if not isinstance(node, cst.Call):
        return None
    arguments = tuple(node.args)
    if names.full_name(node.func) == _PARTIAL and arguments and not arguments[0].star:
        inner, arguments = compiling(arguments[0].value, names), arguments[1:]
    else:
        inner = compiling(node.func, names)
    if inner is None or any(_is_function(argument) for argument in arguments):
        return None
    return Compiling((*inner.options, *arguments), inner.reads_markers)


def _decorator(node: cst.Decorator, names: Names) -> Iterator[Application]:
    compiled = compiling(node.decorator, names)
    if compiled is None:
        _check_other(node.decorator, names)
        return
    function = names.parent(node)
    lists, options = _options(compiled.options, names)
    if not isinstance(function, cst.FunctionDef):
        if lists.given:
            raise Refused("class")
        return
    if compiled.reads_markers:
        lists = marked_lists(function, names)
    below = function.decorators[list(function.decorators).index(node) + 1 :]
    yield Application(node, function, lists, options, names.line(function), _code(below[0].decorator) if below else "")


def _call(node: cst.Call, names: Names) -> Iterator[Application]:
    if isinstance(names.parent(node), cst.Decorator):
        return
    compiled = compiling(node.func, names)
    target = next((argument for argument in node.args if _is_function(argument)), None)
    if compiled is None or target is None:
        if compiled is None:
            _check_other(node, names)
        return
    others = tuple(argument for argument in node.args if argument is not target)
    lists, options = _options((*compiled.options, *others), names)
    function = names.definition(target.value, node)
    if function is not None and compiled.reads_markers:
        lists = marked_lists(function, names)
    if function is None or function.decorators:
        if lists.given:
            raise _refusal(target.value, function, names)
        return
    yield Application(node, function, lists, options, names.line(node))


def _refusal(target: cst.BaseExpression, function: cst.FunctionDef | None, names: Names) -> Refused:
    if function is not None:
        return Refused("decorated", _code(function.decorators[0].decorator))
    if isinstance(target, cst.Lambda) or isinstance(names.followed(target), cst.Lambda):
        return Refused("lambda")
    if names.full_name(target) is not None:
        return Refused("elsewhere", _code(target))
    if isinstance(target, cst.Attribute):
        return Refused("attribute", _code(target))
    if isinstance(target, cst.Name) and names.value(target) is None:
        return Refused("attribute", _code(target))
    return Refused("expression")


def _options(arguments: Sequence[cst.Arg], names: Names) -> tuple[Lists, tuple[cst.Arg, ...]]:
    by_name = {argument.keyword.value: argument.value for argument in arguments if argument.keyword is not None}
    is_plain = len(by_name) == len(arguments)
    if not is_plain and (by_name.keys() & set(OPTIONS) or any(argument.star for argument in arguments)):
        raise Refused("options")
    others = tuple(
        argument for argument in arguments if argument.keyword is None or argument.keyword.value not in OPTIONS
    )
    lists = read_lists(by_name, names.followed)
    if lists is None:
        raise Refused("computed")
    return lists, others


def _check_other(node: cst.BaseExpression, names: Names) -> None:
    """Names calls of other functions that take such lists."""
    if not isinstance(node, cst.Call) or not any(arg.keyword and arg.keyword.value in OPTIONS for arg in node.args):
        return
    called = node.func
    if names.full_name(called) == _PARTIAL and node.args and not node.args[0].star:
        called = node.args[0].value
    if compiling(called, names) is None:
        raise Refused("not-jit", _code(called))


def _is_function(argument: cst.Arg) -> bool:
    return not argument.star and (argument.keyword is None or argument.keyword.value in ("fun", "f"))


def _shown(node: cst.CSTNode, names: Names) -> str:
    """What is compiled, as far as it has a name."""
    if isinstance(node, cst.Decorator):
        parent = names.parent(node)
        return names.qualified(parent) if isinstance(parent, (cst.FunctionDef, cst.ClassDef)) else ""
    target = next((arg.value for arg in node.args if _is_function(arg)), None) if isinstance(node, cst.Call) else None
    return _code(target) if isinstance(target, (cst.Name, cst.Attribute)) else "(an expression)"


def _code(node: cst.CSTNode) -> str:
    """The source of an expression, in one short line."""
    text = " ".join(cst.Module([]).code_for_node(node).split())
    return text if len(text) <= 40 else f"{text[:37]}..."
