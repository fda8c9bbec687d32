"""Finds the variables that a nested function captures, which a move to module level has to pass in."""

from collections.abc import Iterator

from mypy.nodes import (
    LDEF,
    ClassDef,
    Context,
    Decorator,
    FuncItem,
    Import,
    ImportFrom,
    MypyFile,
    NameExpr,
    Node,
    Var,
)

from ...source.checked_file import CheckedFile
from ...source.nested_functions import read_functions
from ...syntax.trees import nodes_below


def captured_names(node: Context, file: CheckedFile) -> list[str]:
    """The captured variables' names in order of use; empty if the node is not a function."""
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
    return list(dict.fromkeys(name.name for name in outer if name.node not in own and name.name not in imported))


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


def passing_captures(node: Context, file: CheckedFile) -> str:
    """The end of the advice to move the function: pass what it captures."""
    names = captured_names(node, file)
    shown = ", ".join(f'"{name}"' for name in names)
    return (
        f", and pass what it captures ({shown}) as {'an argument' if len(names) == 1 else 'arguments'}" if names else ""
    )
