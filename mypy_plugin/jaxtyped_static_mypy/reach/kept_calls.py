"""The calls of a function through a variable that holds what is made of it: `fit = wrapper(f)`, then `fit(x)`."""

from collections.abc import Sequence

from mypy.nodes import AssignmentStmt, CallExpr, NameExpr, Node, Var

from ..source.checked_file import CheckedFile


def calls_of_holder(holder: Node | None, file: CheckedFile) -> Sequence[CallExpr]:
    """The calls of what a statement assigns; none if it is used in another way, too, or assigned again."""
    target = holder.lvalues[0] if isinstance(holder, AssignmentStmt) and len(holder.lvalues) == 1 else None
    variable = target.node if isinstance(target, NameExpr) else None
    if not isinstance(target, NameExpr) or not isinstance(variable, Var) or "." in variable.fullname:
        return ()  # other modules may use what a module holds
    uses = file.other_uses(target)
    calls = file.calls_at(uses)
    return calls if len(calls) == len(uses) else ()
