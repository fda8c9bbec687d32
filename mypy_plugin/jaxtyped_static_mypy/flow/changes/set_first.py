"""Objects of the module that functions use as scratch paper: nobody reads what a trace stored in them."""

from mypy.nodes import AssignmentStmt, CallExpr, FuncDef, FuncItem, NameExpr, Node, Var

from ...source.bindings import Path
from ...source.nested_functions import Functions, read_functions
from ...source.surroundings import surroundings
from ...syntax.assignments import targets_of
from ...syntax.changes import Change, ChangeKind
from .access_paths import AccessPath, access_path, begins_with
from .clearing import place_of
from .later_uses import ObjectUse, uses_in


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
