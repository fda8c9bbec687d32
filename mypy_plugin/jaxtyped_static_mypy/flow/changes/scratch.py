"""Decides whether an object that outlives a trace is its scratch paper: nobody reads later what the trace stored."""

from collections.abc import Mapping

from mypy.nodes import AssignmentStmt, CallExpr, FuncDef, FuncItem, NameExpr, Node, Var

from ...reach.roots import Root
from ...source.bindings import Path
from ...source.nested_functions import Functions, read_functions
from ...source.surroundings import are_alternatives, surroundings
from ...syntax.assignments import targets_of
from ...syntax.changes import Change, ChangeKind
from .access_paths import AccessPath, access_path, begins_with
from .clearing import place_of
from .later_uses import ObjectUse, uses_in


def is_used_up(accessed: AccessPath, crossed: list[Root], roots: Mapping[FuncItem, Root], functions: Functions) -> bool:
    """Whether an object is made for one trace, which reads it, and its function does not use it after that.

    A copy that JAX passes is made for the function that gets it.
    """
    owner, outermost = functions.owners.get(accessed.root), crossed[-1].function
    if owner is None or surroundings(outermost, functions.file).loops:
        return False
    is_copy = owner in roots and accessed.root in roots[owner].copied
    if not is_copy and any(argument.variable is accessed.root for argument in owner.arguments):
        return False
    inside = 0
    for function, nodes in functions.nodes.items():
        uses = [node for node in nodes if isinstance(node, NameExpr) and node.node is accessed.root]
        if any(functions.is_inside(function, root.function) for root in crossed):
            inside += len(uses)
        elif any(function is not owner or _is_after(node, outermost, functions) for node in uses):
            return False
    return inside > 1


def _is_after(node: Node, other: Node, functions: Functions) -> bool:
    return node.line >= other.line and not are_alternatives(node, other, functions.file)


def is_set_first(change: Change, accessed: AccessPath, functions: Functions) -> bool:
    """Whether each function that reads an attribute of a module-level object sets it before, as some function does.

    `model.speed = speed; return model.compute(x)`, in traced code and outside: each call reads its own value.
    """
    root = accessed.root
    if change.kind is not ChangeKind.ATTRIBUTE or root in functions.owners or not isinstance(root, Var):
        return False
    file = functions.file
    uses = [node for node in file.uses_by_name.get(root.name, ()) if isinstance(node, NameExpr) and node.node is root]
    around = {use: surroundings(use, file) for use in uses}
    if any(found.function is None and _may_follow(use, found.around, change) for use, found in around.items()):
        return False
    outermost = {_outermost(found.around) for found in around.values()} - {None}
    place = place_of(change, accessed, functions)
    readers = [_is_set_in(function, place, functions) for function in outermost if function is not None]
    return None not in readers and any(readers)


def _may_follow(use: NameExpr, around: tuple[Node, ...], change: Change) -> bool:
    """Whether module-level code has the object after the function that changes it, other than to set an attribute."""
    statement = next((node for node in around if isinstance(node, AssignmentStmt)), None)
    is_target = statement is not None and any(target in around for target in targets_of(statement))
    return use.line > change.context.line and not is_target


def _outermost(around: tuple[Node, ...]) -> FuncItem | None:
    return next((node for node in reversed(around) if isinstance(node, FuncItem)), None)


def _is_set_in(outermost: FuncItem, place: AccessPath, functions: Functions) -> bool | None:
    """Whether a function reads what it has set; False if it does not read it, None if it may read what it has not."""
    known = read_functions(outermost, None, functions.file)
    is_read = False
    for function in known.parents:
        lines = [use.node.line for use in uses_in(place.root, function, known) if _overlap(_read(use), place.path)]
        if not lines:
            continue
        is_read = True
        body = function.body.body if isinstance(function, FuncDef) else []
        sets = [statement for statement in body if _sets(statement, place, known)]
        if not sets or sets[0].line >= min(lines):
            return None
    return is_read


def _read(use: ObjectUse) -> Path:
    """The part of the object that a use has: a method has all that it is called on."""
    around = use.above[-1]
    return use.path[:-1] if isinstance(around, CallExpr) and around.callee is use.node else use.path


def _overlap(read: Path, path: Path) -> bool:
    return begins_with(read, path) or begins_with(path, read)


def _sets(statement: Node, place: AccessPath, functions: Functions) -> bool:
    is_plain = isinstance(statement, AssignmentStmt)
    return is_plain and any(access_path(target, functions) == place for target in targets_of(statement))
