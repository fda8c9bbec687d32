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
from ...syntax.trees import is_self, nodes_below


def captured_names(node: Context, file: CheckedFile) -> list[str]:
    """The captured variables' names in order of use; empty if the node is not a function."""
    return list(dict.fromkeys(name.name for name in _captured(node, file)))


def _captured(node: Context, file: CheckedFile) -> list[NameExpr]:
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


def passing_captures(node: Context, file: CheckedFile) -> str:
    """The end of the advice to move the function: pass what it captures."""
    captured = {name.name: name for name in _captured(node, file)}
    if not captured:
        return ""
    shown = ", ".join(_as_argument(name) for name in captured.values())
    is_one = len(captured) == 1 and not any(map(is_self, captured.values()))
    return f", and pass what it captures ({shown}) as {'an argument' if is_one else 'arguments'}"


def _as_argument(name: NameExpr) -> str:
    """What can be passed: JAX cannot trace most objects whose methods make functions."""
    return f'what it reads of "{name.name}"' if is_self(name) else f'"{name.name}"'
