"""The functions, classes and calls of a text, with the scopes that they are in."""

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

Json = Any
Function = ast.FunctionDef | ast.AsyncFunctionDef
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Scoped(NamedTuple):
    """A node, and the names of the functions and classes around it."""

    scope: str
    node: ast.AST


def scoped_nodes(tree: ast.Module) -> Iterator[Scoped]:
    """All nodes, those of one scope in the order of the text."""
    to_do: list[Scoped] = [Scoped("", tree)]
    while to_do:
        scope, node = to_do.pop()
        yield Scoped(scope, node)
        inner = ".".join(filter(None, (scope, node.name))) if isinstance(node, _SCOPES) else scope
        to_do += (Scoped(inner, child) for child in reversed(list(ast.iter_child_nodes(node))))


def functions_in(tree: ast.Module) -> list[Function]:
    """All functions, in the order of the text within each scope."""
    return [node for _, node in scoped_nodes(tree) if isinstance(node, Function)]


def definition_of(function: Json, functions: list[Function]) -> Function | None:
    """Where a function of a census is now: the nearest one of its name, as lines may have moved since."""
    name = function["name"].rpartition(".")[2]
    named = (node for node in functions if node.name == name)
    return min(named, key=lambda node: abs(node.lineno - function["line"]), default=None)


def parameters(node: Function) -> list[ast.arg]:
    """All parameters, in the order of the text."""
    arguments = node.args
    starred = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    return sorted(
        [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *starred],
        key=lambda argument: (argument.lineno, argument.col_offset),
    )
