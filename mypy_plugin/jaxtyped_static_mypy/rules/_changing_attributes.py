"""jit-retrace at a call: a module of NNX whose attribute a loop sets to another number or text on each pass.

What is no array in a module is a part of its structure, which JAX compares. Measured with Flax 0.12.8: one compilation
for each value, below `nnx.jit` and `jax.jit`.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import AssignmentStmt, CallExpr, ClassDef, Expression, MemberExpr, NameExpr, Node, TypeInfo, Var
from mypy.types import Instance, Type, get_proper_type

from ..flow.fresh import reader_at
from ..flow.passes import ValueKind
from ..knowledge.full_names import NNX_MODULE
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..source.surroundings import surroundings
from ..syntax.assignments import targets_of
from ..syntax.names import is_named, is_self
from ..syntax.trees import nodes_below, statements
from . import CODES
from ._changing_arguments import changing_argument

_CODE: Final = CODES["jit-retrace"]

_PROBLEM: Final = (
    '"{path}" changes on every pass of this loop, because it depends on {counter}, and an attribute that is no array '
    "is static, so JAX recompiles what gets the module for each value"
)
_AS_VARIABLE: Final = Message(
    _PROBLEM,
    ("make it a variable (nnx.Variable(jnp.asarray(...)))", 'pass it as an argument instead of "{attribute}"'),
    kind="module-attribute-each-pass",
)
_OF_MODULE: Final = {
    ValueKind.INTEGER: _AS_VARIABLE,
    ValueKind.NUMBER: _AS_VARIABLE,
    ValueKind.TEXT: Message(_PROBLEM, "set the same text on every pass", kind="module-attribute-each-pass"),
}
_OF_PYTHON: Final = frozenset({"builtins.bool", "builtins.float", "builtins.int", "builtins.str"})


def check_changing_attributes(argument: Expression, typ: Type, call: CallExpr, file: CheckedFile) -> None:
    """Reports what the loop around a call sets on a module just before it passes it, if nothing else sets it there."""
    proper, loops = get_proper_type(typ), surroundings(call, file).repeating
    if not loops or not isinstance(argument, NameExpr) or not isinstance(proper, Instance):
        return
    if not any(base.fullname == NNX_MODULE for base in proper.type.mro):
        return
    if any(is_named(target, argument.name) for node in nodes_below(loops[0]) for target in targets_of(node)):
        return  # another module on each pass
    found = list(attributes_set(loops[0], argument))
    for target, value in found:
        is_only = sum(other.name == target.name for other, _ in found) == 1
        if is_only and is_before(target, call, file) and _is_static(proper.type, target.name, file):
            _report(argument, target, value, call, file)


def _report(argument: NameExpr, target: MemberExpr, value: Expression, call: CallExpr, file: CheckedFile) -> None:
    typ = reader_at(file).type_of(value)
    changing = changing_argument(value, typ, call, file) if typ is not None else None
    message = _OF_MODULE.get(changing.kind) if changing is not None else None
    if changing is not None and message is not None:
        path, counter = f"{argument.name}.{target.name}", f'"{changing.counter}"'
        report(file, target, message.fill(path=path, attribute=target.name, counter=counter), _CODE)


def attributes_set(loop: Node, variable: NameExpr) -> Iterator[tuple[MemberExpr, Expression]]:
    assignments = (node for node in nodes_below(loop) if isinstance(node, AssignmentStmt))
    for node in assignments:
        for target in node.lvalues:
            holder = target.expr if isinstance(target, MemberExpr) else None
            if isinstance(target, MemberExpr) and isinstance(holder, NameExpr) and holder.node is variable.node:
                yield target, node.rvalue


def is_before(target: MemberExpr, call: CallExpr, file: CheckedFile) -> bool:
    """Whether the loop sets the attribute whenever it makes the call, and first."""
    of_target, of_call = surroundings(target, file), surroundings(call, file)
    is_around = of_target.block is not None and of_target.block in of_call.around
    return target.line < call.line and is_around and of_target.repeating[:1] == of_call.repeating[:1]


def _is_static(info: TypeInfo, name: str, file: CheckedFile) -> bool:
    """Whether the file shows that the attribute holds no variable and no data: `__init__` sets it to a plain value."""
    symbol = info.names.get(name)
    typ = get_proper_type(symbol.node.type) if symbol is not None and isinstance(symbol.node, Var) else None
    if not isinstance(typ, Instance) or typ.type.fullname not in _OF_PYTHON:
        return False
    classes = [node for node in statements(file.tree.defs) if isinstance(node, ClassDef) and node.info is info]
    declared = (target for node in classes for one in node.defs.body for target in targets_of(one))
    if any(is_named(target, name) for target in declared):
        return False  # perhaps as `nnx.Data[float]`
    set_to = [value for node in classes for target, value in _set_by_methods(node) if target == name]
    return bool(set_to) and not any(isinstance(value, CallExpr) for value in set_to)


def _set_by_methods(node: ClassDef) -> Iterator[tuple[str, Expression]]:
    assignments = (below for below in nodes_below(node) if isinstance(below, AssignmentStmt))
    for statement in assignments:
        for target in statement.lvalues:
            if isinstance(target, MemberExpr) and is_self(target.expr):
                yield target.name, statement.rvalue
