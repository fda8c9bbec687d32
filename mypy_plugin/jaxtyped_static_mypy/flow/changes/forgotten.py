"""Decides whether nobody looks at an object again once a traced function has changed its copy: that harms nobody."""

from mypy.nodes import AssignmentStmt, CallExpr, Expression, FuncDef, FuncItem, MemberExpr, NameExpr, Var

from ...knowledge import naming
from ...reach.uses import CERTAIN, POSSIBLE, uses_of
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.surroundings import surroundings
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.trees import covers, ends_after


def is_forgotten(parameter: Var, function: FuncItem, file: CheckedFile) -> bool:
    """Whether each call of a function passes an object that the caller alone has, and does not use any more."""
    if not isinstance(function, FuncDef) or function.info:
        return False
    uses = uses_of(file, function).named(POSSIBLE)
    calls = [use.call for use in uses if use.naming in CERTAIN and use.call is not None]
    names = [argument.variable.name for argument in function.arguments]
    return bool(calls) and len(calls) == len(uses) and all(_is_last(call, parameter, names, file) for call in calls)


def _is_last(call: CallExpr, parameter: Var, names: list[str], file: CheckedFile) -> bool:
    given = None if unpacks(call) else named_arguments(call, names).get(parameter.name)
    place = surroundings(call, file)
    if given is None or place.repeating or not isinstance(place.function, FuncDef):
        return False
    if isinstance(given, CallExpr):
        return True
    return isinstance(given, NameExpr) and _is_of(given, place.function, file) and _is_unused_after(given, file)


def _is_of(given: NameExpr, function: FuncDef, file: CheckedFile) -> bool:
    """Whether only this function has the object: it makes it, or is a test that a fixture makes it for."""
    if any(argument.variable is given.node for argument in function.arguments):
        return naming.is_test(function.name)
    made = made_by(given, file)
    return isinstance(made, CallExpr) and covers(function, made.line)


def _is_unused_after(given: NameExpr, file: CheckedFile) -> bool:
    return all(_only_reads(use, file) and not ends_after(use, given) for use in file.other_uses(given))


def _only_reads(use: Expression, file: CheckedFile) -> bool:
    """Whether a use hands the object to nobody: it reads an attribute, or is the name that a statement binds."""
    parent = surroundings(use, file).parent
    return isinstance(parent, MemberExpr) or (isinstance(parent, AssignmentStmt) and use in parent.lvalues)
