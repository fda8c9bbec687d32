"""Compiled functions that end with a call: the function that makes one only calls it, or its callers do.

Each call makes another one, so it finds what the object has then. It keeps an old value only if something changes the
object during that call.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from jaxtyped_static_mypy.knowledge import naming

from ..files import sources
from ..files.parsing import parsed_by_python
from ..files.python_names import named_last
from .order.asking import places_of
from .order.names import Known, Names
from .order.steps import Named, Set, flat
from .places import Place
from .program import ProgramUses

_PARTIAL: Final = "partial"
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def ends_before(changes: Iterable[tuple[str, int]], path: str, line: int, maker: str, program: ProgramUses) -> bool:
    """Whether what a line compiles is gone whenever one of these changes is made. `maker`: the function around it."""
    living = _living(path, line, maker, program)
    if living is None:
        return False
    names = program.names_around(maker)
    reached = _reached([known for known in names.all if known.full_name in living], names)
    places = {(known.module, place[1]) for known in reached for place in places_of(known)}
    return living <= {known.full_name for known in reached} and places.isdisjoint(changes)


def _living(path: str, line: int, maker: str, program: ProgramUses) -> frozenset[str] | None:
    """The functions whose calls it ends with, by their full names; None if it may outlive them."""
    is_returned = _is_returned(path, line, program)
    if not is_returned:
        return frozenset({maker}) if is_returned is not None else None
    uses = program.runs.uses(maker)
    if not uses.calls or not uses.is_only_called:
        return None
    callers = [place for place in uses.calls if not program.runs.is_test_module(place.module)]
    if not all(place.use.where and _ends_with(place, program) for place in callers):
        return None
    return frozenset({maker, *(f"{place.module}.{place.use.where}" for place in callers)})


def _ends_with(place: Place, program: ProgramUses) -> bool:
    path = program.path_of(place.module)
    return path is not None and _is_returned(path, place.use.line, program) is False


def _is_returned(path: str, line: int, program: ProgramUses) -> bool | None:
    """Whether a function returns what a line of it makes, and else only calls it; None if it goes elsewhere, too."""
    function, statement = _around(path, line, program)
    if function is None or statement is None:
        return None
    if isinstance(statement, ast.Return):
        return True
    names, is_returned = set(_bound(statement)), False
    parents = {part: node for node in ast.walk(function) for part in ast.iter_child_nodes(node)}
    pending = [*names]
    while pending:
        for around in _uses(pending.pop(), function, parents):
            if isinstance(around, ast.Return):
                is_returned = True
            elif isinstance(around, ast.Assign) and (more := set(_bound(around))):
                pending += more - names
                names |= more
            elif not isinstance(around, ast.Call):
                return None
    return is_returned if names else None


def _around(path: str, line: int, program: ProgramUses) -> tuple[_Function | None, ast.stmt | None]:
    """The innermost function around a line, and the innermost statement."""
    tree = parsed_by_python("\n".join(sources.lines(program.root / path)))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)] if tree is not None else []
    around = [node for node in nodes if node.lineno <= line <= (node.end_lineno or node.lineno)]
    functions = [node for node in around if isinstance(node, _FUNCTIONS)]
    function = max(functions, key=lambda node: node.lineno, default=None)
    return function, max(around, key=lambda node: node.lineno, default=None)


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The variables that a statement gives values; none if it also gives one to something else."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    parts = [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
    if all(isinstance(part, ast.Name) for part in parts):
        yield from (part.id for part in parts if isinstance(part, ast.Name))


def _uses(name: str, function: _Function, parents: Mapping[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    """What each use of a variable is for: the call of it, or the statement that returns it or makes more of it.

    The function itself for any other use: then it goes elsewhere.
    """
    for node in parents:
        if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
            yield function
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            yield _use(node, parents, function)


def _use(node: ast.AST, parents: Mapping[ast.AST, ast.AST], function: _Function) -> ast.AST:
    around, inner = parents[node], node
    if isinstance(around, ast.Call) and around.func is node:
        return around
    while not isinstance(around, ast.stmt):
        is_made_of = isinstance(around, ast.Call) and _makes_function(around)
        if not (is_made_of or isinstance(around, (ast.Tuple, ast.keyword))):
            return function
        around, inner = parents[around], around
    is_value = isinstance(around, (ast.Assign, ast.Return)) and around.value is inner
    return around if is_value and not (isinstance(around, ast.Return) and isinstance(inner, ast.Call)) else function


def _makes_function(call: ast.Call) -> bool:
    name = named_last(call.func)
    return naming.compiles(name) or name == _PARTIAL


def _reached(begin: Iterable[Known], names: Names) -> set[Known]:
    """Some functions, and all that they may call, by the names alone."""
    found, pending = set[Known](), list(begin)
    while pending:
        known = pending.pop()
        if known in found:
            continue
        found.add(known)
        for step in flat(known.routine.steps):
            if isinstance(step, Named):
                pending += names.meant(step, known)
            elif isinstance(step, Set):
                pending += names.setters.get(step.name, ())
    return found
