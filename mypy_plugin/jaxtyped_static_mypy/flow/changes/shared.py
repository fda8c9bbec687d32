"""Finds containers that all objects of a class share: the value of a class attribute, or the default of a field."""

from mypy.nodes import AssignmentStmt, CallExpr, Expression, MemberExpr, NameExpr, SymbolNode, TypeInfo, Var

from ...classes.class_model import declaration_of
from ...classes.field_defaults import defaults_of
from ...classes.self_uses import uses_by_method
from ...source.nested_functions import Functions
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.literals import MUTABLE_DISPLAYS
from ...syntax.trees import assignment_targets
from .access_paths import AccessPath


def shared_container(accessed: AccessPath, functions: Functions) -> AccessPath | None:
    """The class's own container, of `extra.info` where nobody has given the object another one."""
    root, path = accessed
    if not path or not path[0].startswith(".") or not isinstance(root, Var) or root not in functions.owners:
        return None
    made = [binding.value for binding in functions.bindings.get(root, ()) if not binding.path]
    call = made[0] if len(made) == 1 and len(functions.bindings[root]) == 1 else None
    info = call.callee.node if isinstance(call, CallExpr) and isinstance(call.callee, (NameExpr, MemberExpr)) else None
    name = path[0][1:]
    if not isinstance(call, CallExpr) or not isinstance(info, TypeInfo) or _is_set(info, name, call, root, functions):
        return None
    functions.consulted.update(info.mro)
    variable = info.names[name].node if name in info.names else None
    return AccessPath(variable, path[1:]) if isinstance(variable, Var) and is_shared(variable) else None


def is_shared(variable: SymbolNode) -> bool:
    """Whether a class statement gives an attribute a list, dict or set, which its objects share."""
    if not isinstance(variable, Var) or not variable.info:
        return False
    defaults = (default for default in defaults_of(variable.info) if default.field == variable.name)
    return any(isinstance(default.value, MUTABLE_DISPLAYS) and not default.is_factory for default in defaults)


def _is_set(info: TypeInfo, name: str, call: CallExpr, root: Var, functions: Functions) -> bool:
    """Whether the object may have a container of its own: by its constructor, or by code that has it."""
    if declaration_of(info) is not None or unpacks(call):
        return True  # dataclasses refuse such a default
    if info.is_named_tuple:
        fields = info.metadata.get("namedtuple", {}).get("fields", ())
        return name in named_arguments(call, fields)
    if any(name in uses.assigned or uses.is_passed_on for uses in uses_by_method(info).values()):
        return True
    targets = (
        target
        for nodes in functions.nodes.values()
        for node in nodes
        if isinstance(node, AssignmentStmt)
        for target in assignment_targets(node)
    )
    return any(_is_attribute(target, name, root) for target in targets)


def _is_attribute(target: Expression, name: str, root: Var) -> bool:
    holder = target.expr if isinstance(target, MemberExpr) and target.name == name else None
    return isinstance(holder, NameExpr) and holder.node is root
