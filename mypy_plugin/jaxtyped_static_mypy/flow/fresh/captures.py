"""Finds the variables that a nested function captures, which a move to module level has to pass in."""

from mypy.nodes import LDEF, Context, Decorator, FuncItem, NameExpr, Node, Var

from ...syntax.trees import nodes_below
from ..changes.functions import read_functions
from ..checked_file import CheckedFile


def captured_names(node: Context, file: CheckedFile) -> list[str]:
    """The captured variables' names in order of use; empty if the node is not a function."""
    function = node.func if isinstance(node, Decorator) else node
    if not isinstance(function, FuncItem):
        return []
    functions = read_functions(function, None, file)
    used = (part for parts in functions.nodes.values() for part in parts if isinstance(part, NameExpr))
    outer = (name for name in used if name.kind == LDEF and name.node is not None and name.node is not node)
    return list(dict.fromkeys(name.name for name in outer if name.node not in functions.owners))


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
