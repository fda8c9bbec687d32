"""State of modules that compiled functions read: other modules may change it between their calls."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from mypy.nodes import AssignmentStmt, FuncDef, FuncItem, NameExpr, TypeInfo, Var

from ...reach.roots import Root, find_roots
from ...source.checked_file import CheckedFile
from ...source.nested_functions import Functions
from ...source.surroundings import surroundings
from ...syntax.imports import imported_name
from .events import jitted_in
from .finding import TRACING_ARGUMENTS, empties_caches
from .reads import Read, reads_of


class KeptOfModule(NamedTuple):
    """State of a module that a compiled function reads."""

    read: Read
    root: Root
    variable: str  # the full name of the variable or class
    path: str  # the part of it that is read: `.rate`, `["rate"]`
    compiled: str  # the full name by which programs call what is compiled
    keys: tuple[str, ...]  # its static parameters, as `1:n`


def kept_of_modules(functions: Functions, found: Collection[Read]) -> Iterator[KeptOfModule]:
    """That of functions that are compiled once, where their module is imported. `found`: what is a finding already."""
    file = functions.file
    if empties_caches(file):
        return
    for function, root in find_roots(functions).items():
        if not root.is_compiled or root.transformation not in TRACING_ARGUMENTS:
            continue
        compiled = _name_of(function, file)
        for read in reads_of(function, functions) if compiled else ():
            if read not in found and (variable := _variable(read)):
                path = "".join(read.slot.path)
                if path or imported_name(file.tree, read.slot.root.name) != variable:  # which is a variable of its own
                    yield KeptOfModule(read, root, variable, path, compiled, tuple(_keys(root)))


def _variable(read: Read) -> str:
    root = read.slot.root
    return root.fullname if isinstance(root, Var | TypeInfo) and "." in root.fullname else ""


def _name_of(function: FuncItem, file: CheckedFile) -> str:
    """That of a function of the module which a decorator compiles, or of the variable that has what `jit` returns."""
    if not isinstance(function, FuncDef) or function.info or surroundings(function, file).function is not None:
        return ""
    handed = jitted_in(function, file)
    if not handed:
        return f"{file.tree.fullname}.{function.name}" if function in file.decorators else ""
    place = surroundings(handed[0], file)
    statement = place.parent if len(handed) == 1 and place.function is None else None
    target = statement.lvalues[0] if isinstance(statement, AssignmentStmt) else None
    return f"{file.tree.fullname}.{target.name}" if isinstance(target, NameExpr) else ""


def _keys(root: Root) -> Iterator[str]:
    for index, argument in enumerate(root.function.arguments):
        if argument.variable in root.static:
            yield f"{index}:{argument.variable.name}"
