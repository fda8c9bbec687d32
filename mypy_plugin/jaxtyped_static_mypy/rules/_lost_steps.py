"""jit-mutation: `p -= rate * g` of a loop variable, which changes no list and no array of JAX.

Measured with JAX 0.10.2: even an array of NumPy is replaced by one of JAX there, and does not change.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr, Expression, ForStmt, NameExpr, Node, OperatorAssignmentStmt, TupleExpr, Var

from ..knowledge.full_names import JAX
from ..knowledge.jax_functions import jax_name, returns_one_array
from ..libraries import known_function
from ..reach.file_program import is_in_test
from ..reach.traced_calls import traced_calls
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.bindings import bindings_of, made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..source.local_bindings import reaching_bindings
from ..source.surroundings import surroundings
from ..syntax.imports import full_name
from ..syntax.names import is_named
from ..syntax.trees import nodes_below, single_targets
from . import CODES

_LOST: Final = Message(
    '"{name} {operator}= ..." gives the loop variable another array, and changes nothing that the loop goes over',
    "collect the new arrays, as jax.tree.map does",
    kind="lost-step",
)
_CHANGING: Final = frozenset({"+", "-", "*", "/"})
_TOGETHER: Final = "zip"


def check_lost_steps(file: CheckedFile) -> bool:
    """Reports all of a file, and says if there is any: no hook is called for some of them."""
    for statement, name in _found(file):
        report(file, statement, _LOST.fill(name=name, operator=statement.op), CODES["jit-mutation"])
    return bool(_found(file))


@once_per_file
def _found(file: CheckedFile) -> tuple[tuple[OperatorAssignmentStmt, str], ...]:
    found = ((node, _loop_of(node, file)) for node in file.by_kind.of(OperatorAssignmentStmt))
    return tuple(
        (node, node.lvalue.name)
        for node, loop in found
        if loop is not None and isinstance(node.lvalue, NameExpr) and _is_lost(node, node.lvalue, loop, file)
    )


def _loop_of(node: OperatorAssignmentStmt, file: CheckedFile) -> ForStmt | None:
    """The innermost loop around a statement that changes its variable."""
    loops = surroundings(node, file).loops if node.op in _CHANGING and isinstance(node.lvalue, NameExpr) else ()
    loop = loops[0] if loops else None
    targets = single_targets(loop.index) if isinstance(loop, ForStmt) else ()
    is_own = any(isinstance(each, NameExpr) and _is_same(each, node.lvalue) for each in targets)
    return loop if isinstance(loop, ForStmt) and is_own else None


def _is_lost(node: OperatorAssignmentStmt, name: NameExpr, loop: ForStmt, file: CheckedFile) -> bool:
    """Whether nothing reads the variable any more, and what it gets is computed from an array of JAX."""
    uses = [use for use in file.uses_by_name.get(name.name, ()) if _is_same(use, name) and use is not name]
    inside, targets = set(nodes_below(loop.body)), set(nodes_below(loop.index))
    is_read = any(use.line > node.line if use in inside else use not in targets for use in uses)
    parts = nodes_below(node.rvalue)
    return not is_read and not is_in_test(node.line, file) and any(_is_array(part, loop, file) for part in parts)


def _is_same(use: Node, name: Expression) -> bool:
    return isinstance(use, NameExpr) and isinstance(name, NameExpr) and use.node is name.node


def _is_array(part: Node, loop: ForStmt, file: CheckedFile) -> bool:
    """A result of `jax.numpy`, or what the loop takes of gradients."""
    if isinstance(part, CallExpr):
        name = full_name(part.callee, file.tree)
        return name.startswith(JAX) and returns_one_array(jax_name(name) or "", len(part.args))
    iterated = _iterated(part, loop) if isinstance(part, NameExpr) else None
    return iterated is not None and _holds_gradients(iterated, file)


def _iterated(name: NameExpr, loop: ForStmt) -> Expression | None:
    """What a loop takes a variable of: the `grads` of `for p, g in zip(params, grads)`."""
    call = loop.expr if isinstance(loop.expr, CallExpr) and is_named(loop.expr.callee, _TOGETHER) else None
    if call is None or not isinstance(loop.index, TupleExpr) or len(loop.index.items) != len(call.args):
        return None
    pairs = zip(loop.index.items, call.args, strict=True)
    return next((value for target, value in pairs if _is_same(target, name)), None)


def _holds_gradients(value: Expression, file: CheckedFile) -> bool:
    if not isinstance(value, NameExpr) or not isinstance(value.node, Var):
        return isinstance(value, CallExpr) and _is_of_derivative(value, file)
    bound = list(_bound(value, value.node, file))
    return bool(bound) and all(isinstance(one, CallExpr) and _is_of_derivative(one, file) for one in bound)


def _bound(name: NameExpr, variable: Var, file: CheckedFile) -> Iterator[Expression | None]:
    if "." in variable.fullname:
        yield from (binding.value for binding in bindings_of(variable, file))
    else:
        yield from (reaching.binding.value for reaching in reaching_bindings(file, name, variable))


def _is_of_derivative(call: CallExpr, file: CheckedFile) -> bool:
    """`jax.grad(loss)(params)`, also of what `jit` makes of that."""
    made, seen = made_by(call.callee, file), {call}
    while isinstance(made, CallExpr) and made not in seen:
        seen.add(made)  # `f = jit(f)` leads to itself
        if known_function(full_name(made.callee, file.tree)).derives is not None:
            return True
        if not made.args or not traced_calls(file, made):
            return False
        made = made_by(made.args[0], file)
    return False
