"""What an attribute of an object is, where the file shows the call that makes it: `Method(init, update).init`."""

from mypy.nodes import CallExpr, Expression, FuncDef, MemberExpr, RefExpr, ReturnStmt, TypeInfo

from ..classes.constructors import parameter_names, parameters_of_fields
from ..source.checked_file import CheckedFile
from ..syntax.arguments import named_arguments, unpacks
from ..syntax.trees import statements
from .written_values import attributes_assigned, written_value


def value_of_field(node: MemberExpr, file: CheckedFile) -> Expression | None:
    """The argument that became an attribute; None unless nothing else can be its value."""
    if node.name in attributes_assigned(file):
        return None
    made = _constructed(node.expr, file)
    if made is None:
        return None
    call, info = made
    given = named_arguments(call, parameter_names(info))
    fields = parameters_of_fields(info)
    return next((value for name, value in given.items() if name in fields and fields[name].name == node.name), None)


def _constructed(node: Expression, file: CheckedFile) -> tuple[CallExpr, TypeInfo] | None:
    """The call of a constructor that makes an object, also in a function that returns it and does nothing else."""
    made = written_value(node, file)
    callee = made.callee if isinstance(made, CallExpr) else None
    function = callee.node if isinstance(callee, RefExpr) else None
    if isinstance(function, FuncDef) and file.defines(function) and not function.info:
        returned = _returned(function)
        made = written_value(returned, file) if returned is not None else made
    if not isinstance(made, CallExpr) or not isinstance(made.callee, RefExpr) or unpacks(made):
        return None
    info = made.callee.node
    return (made, info) if isinstance(info, TypeInfo) and not info.fallback_to_any else None


def _returned(function: FuncDef) -> Expression | None:
    """What a plain function returns, if one statement of it does."""
    if function.is_generator or function.is_coroutine:
        return None
    own = statements(function.body.body, into_definitions=False)
    found = [node.expr for node in own if isinstance(node, ReturnStmt)]
    return found[0] if len(found) == 1 else None
