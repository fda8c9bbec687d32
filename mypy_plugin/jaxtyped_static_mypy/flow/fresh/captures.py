"""Finds the variables that a nested function captures, which a move to module level has to pass in."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    LDEF,
    CallExpr,
    ClassDef,
    Context,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    Import,
    ImportFrom,
    LambdaExpr,
    MypyFile,
    NameExpr,
    Node,
    Var,
)
from mypy.types import AnyType, CallableType, Instance, get_proper_type

from ...classes import roles
from ...knowledge import naming
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.compiled_in import code_of
from ...source.nested_functions import read_functions
from ...source.surroundings import surroundings
from ...syntax.trees import covers, last_name, nodes_below
from ..declared_types import declared_type
from ..traced.given import given_expressions

_UNHASHABLE: Final = frozenset({"builtins.dict", "builtins.list", "builtins.set"})


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


def passing_captures(node: Context, file: CheckedFile) -> str:
    """The end of the advice to move the function: pass what it captures.

    Of `self` what it reads, because JAX traces no objects of plain classes.
    """
    captured = {name.name: name for name in captured_variables(node, file)}
    objects = [f'"{name}"' for name, use in captured.items() if _is_of_method(use)]
    values = [f'"{name}"' for name, use in captured.items() if not _is_of_method(use)]
    parts = [f"what it captures ({', '.join(values)})"] if values else []
    parts += [f"what it reads of {name}" for name in objects]
    code = _code_captured(node, file)
    functions = [f'"{name}"' for name, use in captured.items() if _is_function(use, file) or _is_static(use, code)]
    if not parts:
        return ""
    is_one = len(values) == 1 and not objects
    if functions and len(functions) == len(values) and not objects:
        how = "a static argument" if is_one else "static arguments"
    else:
        how = "an argument" if is_one else "arguments"
    rest = f", {' and '.join(functions)} as static" if functions and "static" not in how else ""
    return f", and pass {' and '.join(parts)} as {how}{rest}"


def _is_function(name: NameExpr, file: CheckedFile) -> bool:
    """Whether a variable holds a function, which JAX takes as a static argument only.

    It is declared as one; or it is a parameter without annotation, for which the calls of the file pass functions.
    """
    declared = declared_type(name)
    if declared is not None and not isinstance(declared, AnyType):
        return isinstance(declared, CallableType)
    takers = (function for function in surroundings(name, file).around if isinstance(function, FuncDef))
    given = [value for taker in takers for value in _given(taker, name, file)]
    return bool(given) and all(map(_makes_function, given))


def _code_captured(node: Context, file: CheckedFile) -> frozenset[str]:
    """The names on which the code of a new function depends, or a size in it; none that it calls as they are."""
    function = node.func if isinstance(node, Decorator) else node
    if not isinstance(function, FuncItem):
        return frozenset()
    calls = (part for part in nodes_below(function) if isinstance(part, CallExpr))
    called = {call.callee.name for call in calls if isinstance(call.callee, NameExpr)}
    return code_of(file).captured(function) - called


def _is_static(name: NameExpr, code: frozenset[str]) -> bool:
    """Whether a variable holds what JAX takes as a static argument only: a size, a text, an object that is no pytree.

    What cannot be hashed is none. An unknown object whose methods are called is mostly hashed by identity.
    """
    declared = get_proper_type(declared_type(name))
    if name.name not in code or _is_of_method(name):
        return False
    if not isinstance(declared, Instance):
        return declared is None or isinstance(declared, AnyType)
    return declared.type.fullname not in _UNHASHABLE and not roles.is_pytree(declared.type)


def _makes_function(node: Expression) -> bool:
    return isinstance(node, LambdaExpr) or isinstance(declared_type(node), CallableType)


def _given(function: FuncDef, name: NameExpr, file: CheckedFile) -> list[Expression]:
    """What the calls of a function in the file pass for a parameter, if it has that."""
    is_own = any(argument.variable is name.node for argument in function.arguments)
    return given_expressions(file, function).get(name.name, []) if is_own else []


def _is_of_method(name: NameExpr) -> bool:
    """Whether it is the `self` or `cls` of a method around the function."""
    return isinstance(name.node, Var) and (name.node.is_self or name.node.is_cls)


def holds_restored(made: Node, function: FuncItem, file: CheckedFile) -> bool:
    """Whether a function reads from a file what a new function in it holds: each call is about another model."""
    names = (node for node in nodes_below(made) if isinstance(node, NameExpr))
    calls = (value for name in names if isinstance(value := made_by(name, file), CallExpr))
    return any(covers(function, call.line) and naming.restores(last_name(call.callee)) for call in calls)
