"""Finds the variables that a nested function captures, which a move to module level has to pass in."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    LDEF,
    CallExpr,
    ClassDef,
    Context,
    Decorator,
    FuncDef,
    FuncItem,
    Import,
    ImportFrom,
    MypyFile,
    NameExpr,
    Node,
    Var,
)

from ...knowledge import naming
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.nested_functions import read_functions
from ...syntax.names import last_name
from ...syntax.trees import covers, nodes_below
from .static_captures import is_of_method, is_static_only


def captured_names(node: Context, file: CheckedFile) -> list[str]:
    """The captured variables' names in order of use; empty if the node is not a function."""
    return list(dict.fromkeys(name.name for name in captured_variables(node, file)))


def captured_variables(node: Context, file: CheckedFile) -> list[NameExpr]:
    """Each use of one."""
    function = node.func if isinstance(node, Decorator) else node
    if not isinstance(function, FuncItem):
        return []
    functions = read_functions(function, None, file)
    parts = [part for nodes in functions.nodes.values() for part in nodes]
    used = (part for part in parts if isinstance(part, NameExpr) and part.kind == LDEF)
    classes = (part.info for part in parts if isinstance(part, ClassDef))
    own = {node, *functions.owners, *functions.parents, *functions.decorators.values(), *classes}
    imported = set(_imported(parts))
    outer = (name for name in used if name.node is not None and not isinstance(name.node, MypyFile))
    return [name for name in outer if name.node not in own and name.name not in imported]


def _imported(parts: list[Node]) -> Iterator[str]:
    """The names that the function imports itself."""
    for part in parts:
        if isinstance(part, (Import, ImportFrom)):
            for imported in part.ids if isinstance(part, Import) else part.names:
                yield imported[1] or imported[0]


def local_names(node: Node) -> list[str]:
    """The names of local variables in an expression."""
    names = (part for part in nodes_below(node) if isinstance(part, NameExpr))
    return list(dict.fromkeys(name.name for name in names if name.kind == LDEF and isinstance(name.node, Var)))


PASS: Final = ", and pass "


def passing_captures(node: Context, file: CheckedFile) -> str:
    """The end of the advice to move the function: pass what it captures.

    Of `self` what it reads, because JAX traces no objects of plain classes. Functions that the same call makes move
    along: passed as a static argument, a new one compiles again.
    """
    uses, moved = _captured_at_last(node, file)
    captured = {use.name: use for use, _ in uses}
    objects = [f'"{name}"' for name, use in captured.items() if is_of_method(use)]
    values = [f'"{name}"' for name, use in captured.items() if not is_of_method(use)]
    parts = [f"what {'they capture' if moved else 'it captures'} ({', '.join(values)})"] if values else []
    parts += [f"what {'they read' if moved else 'it reads'} of {name}" for name in objects]
    along = f", with {' and '.join(moved)}" if moved else ""
    static = {use.name for use, user in uses if is_static_only(use, user, file)}
    functions = [f'"{name}"' for name in captured if name in static]
    if not parts:
        return along
    is_one = len(values) == 1 and not objects
    if functions and len(functions) == len(values) and not objects:
        how = "a static argument" if is_one else "static arguments"
    else:
        how = "an argument" if is_one else "arguments"
    rest = f", {' and '.join(functions)} as static" if functions and "static" not in how else ""
    return f"{along}{PASS}{' and '.join(parts)} as {how}{rest}"


def _captured_at_last(node: Context, file: CheckedFile) -> tuple[list[tuple[NameExpr, Context]], list[str]]:
    """The uses of captured variables, also in captured functions that the same call makes; and those functions."""
    uses: list[tuple[NameExpr, Context]] = []
    pending, moved = [node], dict[Context, str]()
    while pending:
        user = pending.pop()
        for name in captured_variables(user, file):
            inner = name.node
            if not isinstance(inner, (FuncDef, Decorator)):
                uses.append((name, user))
            elif inner is not node and inner not in moved:
                moved[inner] = f'"{name.name}"'
                pending.append(inner)
    return uses, list(moved.values())


def holds_restored(made: Node, function: FuncItem, file: CheckedFile) -> bool:
    """Whether a function reads from a file what a new function in it holds: each call is about another model."""
    names = (node for node in nodes_below(made) if isinstance(node, NameExpr))
    calls = (value for name in names if isinstance(value := made_by(name, file), CallExpr))
    return any(covers(function, call.line) and naming.restores(last_name(call.callee)) for call in calls)
