"""Arrays that a program uses although it has donated their memory to a compiled function."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    Block,
    CallExpr,
    DelStmt,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    Statement,
    Var,
)

from ..classes.array_holders import is_array
from ..jit.sites import DONATING, read_site
from ..knowledge.full_names import JAX
from ..knowledge.members import SHAPE_ATTRIBUTES
from ..libraries import jit_function
from ..reach.roots import roots_of
from ..reach.uses import SYMBOL, uses_of
from ..source.bindings import Binding, bindings_of, names_bound_by
from ..source.checked_file import CheckedFile
from ..source.local_bindings import bindings_of_name
from ..source.surroundings import surroundings
from ..syntax.arguments import unpacks
from ..syntax.imports import full_name
from ..syntax.names import last_name
from ..syntax.partials import partial_function
from ..syntax.trees import nodes_below
from .changes.reached import all_reached
from .declared_types import class_in, declared_type

_ASKED_OF_ANY: Final = SHAPE_ATTRIBUTES | {"delete", "is_deleted", "aval"}
_ASKING: Final = frozenset({"id", "isinstance", "len", "type"})
_TO_HOST: Final = frozenset({"device_get"})


class Donated(NamedTuple):
    """A use of an array that is gone. `use` is the call itself, if the next pass of a loop makes it again."""

    use: NameExpr
    call: CallExpr
    is_next_pass: bool


class _Donating(NamedTuple):
    """A compiled function of the file, by the parameters whose memory it is given."""

    calls: list[CallExpr]
    numbers: list[int]
    names: list[str]


def donated_again(file: CheckedFile) -> Iterator[Donated]:
    """At most one for each call, outside of traces: in these, JAX donates nothing."""
    for donating in _donating(file):
        for call in donating.calls:
            given = [name for name in _given(call, donating) if _is_of_jax(name, file)]
            if given and not _is_traced(call, file):
                found = (_used_after(name, call, file) for name in given)
                yield from list(filter(None, found))[:1]


def _donating(file: CheckedFile) -> Iterator[_Donating]:
    for function, decorator in file.decorators.items():
        options = [_options(node, file) for node in decorator.original_decorators]
        if len(options) == 1 and options[0] is not None and not function.info:
            numbers, names = options[0]
            own = [argument.variable.name for argument in function.arguments]
            both = {*names, *(own[number] for number in numbers if 0 <= number < len(own))}
            numbers = [index for index, name in enumerate(own) if name in both]
            yield _Donating(uses_of(file, function).calls(SYMBOL), numbers, sorted(both))
    for call in file.calls:
        parent = surroundings(call, file).parent if _donates(call) else None
        target = parent.lvalues[0] if isinstance(parent, AssignmentStmt) and len(parent.lvalues) == 1 else None
        given = _options(call, file) if isinstance(target, NameExpr) else None
        if isinstance(target, NameExpr) and given is not None and len(bindings_of(target.node, file)) == 1:
            yield _Donating(file.calls_at(file.other_uses(target)), *given)


def _donates(call: CallExpr) -> bool:
    return any(name is not None and name.startswith(DONATING) for name in call.arg_names)


def _options(node: Expression, file: CheckedFile) -> tuple[list[int], list[str]] | None:
    """What `jax.jit(f, donate_argnums=0)` or `partial(jax.jit, ...)` donates; None if that is nothing, or not known."""
    if not isinstance(node, CallExpr) or not _donates(node) or unpacks(node):
        return None
    compiler = full_name(partial_function(node) or node.callee, file.tree)
    row = jit_function(compiler, file.settings.jit_functions)
    if row is None:
        return None
    given = read_site(compiler, row, list(zip(node.arg_names, node.args, strict=True)), file.tree).donated
    items = [item for one in given for item in one.items]
    is_known = bool(given) and all(one.known for one in given)
    return ([n for n in items if isinstance(n, int)], [n for n in items if isinstance(n, str)]) if is_known else None


def _given(call: CallExpr, donating: _Donating) -> Iterator[NameExpr]:
    if unpacks(call):
        return
    positional = [value for name, value in zip(call.arg_names, call.args, strict=True) if name is None]
    named = [value for name, value in zip(call.arg_names, call.args, strict=True) if name in donating.names]
    by_number = [positional[number] for number in donating.numbers if 0 <= number < len(positional)]
    yield from (value for value in (*by_number, *named) if isinstance(value, NameExpr))


def _is_traced(call: CallExpr, file: CheckedFile) -> bool:
    traced = {*roots_of(file), *(reached.function for reached in all_reached(file))}
    return any(isinstance(part, FuncItem) and part in traced for part in surroundings(call, file).around)


def _is_of_jax(name: NameExpr, file: CheckedFile) -> bool:
    """Whether JAX made the array, whatever the program did before: NumPy's are copied, and stay."""
    declared = class_in(declared_type(name.node)) if isinstance(name.node, Var) else None
    if declared is not None:
        return is_array(declared) and declared.fullname.startswith(JAX)
    found = [reaching.binding for reaching in bindings_of_name(file, name)]
    return bool(found) and all(_makes_array(binding, file) for binding in found)


def _makes_array(binding: Binding, file: CheckedFile) -> bool:
    return binding.value is not None and not binding.path and _is_made_by_jax(binding.value, file)


def _is_made_by_jax(value: Expression, file: CheckedFile) -> bool:
    if isinstance(value, OpExpr):
        return _is_made_by_jax(value.left, file) or _is_made_by_jax(value.right, file)
    if not isinstance(value, CallExpr):
        return False
    function = value.callee.node if isinstance(value.callee, RefExpr) else None
    is_compiled = getattr(function, "func", function) in roots_of(file)
    return is_compiled or (
        full_name(value.callee, file.tree).startswith(JAX) and last_name(value.callee) not in _TO_HOST
    )


def _used_after(name: NameExpr, call: CallExpr, file: CheckedFile) -> Donated | None:
    """The first use after a call, in the same block, that nothing gives another value before; or the next pass."""
    place = surroundings(call, file)
    statement = next((part for part in place.around if isinstance(part, Statement)), None)
    if statement is None or isinstance(statement, DelStmt) or _binds(statement, name):
        return None
    for following in _after(statement, place.block.body if place.block is not None else file.tree.defs):
        use = next((use for use in _uses_in(following, name, file)), None)
        if use is not None:
            return Donated(use, call, is_next_pass=False)
        if any(_binds(part, name) for part in (following, *nodes_below(following))):
            return None
    loop = place.repeating[0] if place.repeating else None
    if loop is None or any(_binds(part, name) for part in (loop, *nodes_below(loop))):
        return None
    return Donated(name, call, is_next_pass=True)


def _after(statement: Statement, body: list[Statement]) -> list[Statement]:
    return body[body.index(statement) + 1 :] if statement in body else []


def _binds(node: Node, name: NameExpr) -> bool:
    bound = names_bound_by(node) if isinstance(node, Statement) else ()
    is_deleted = isinstance(node, DelStmt) and any(_is_same(part, name) for part in nodes_below(node))
    return is_deleted or any(_is_same(target, name) for target, _ in bound)


def _is_same(node: Node, name: NameExpr) -> bool:
    return isinstance(node, NameExpr) and node.name == name.name and node.node is name.node


def _uses_in(statement: Statement, name: NameExpr, file: CheckedFile) -> Iterator[NameExpr]:
    """The reads of what the array holds, where the statement runs: not in functions that it defines."""
    for node in nodes_below(statement) if not isinstance(statement, FuncDef | Block) else ():
        if isinstance(node, NameExpr) and _is_same(node, name) and not _only_asks(node, file):
            inside = surroundings(node, file).function
            if inside is surroundings(name, file).function and not isinstance(inside, LambdaExpr):
                yield node


def _only_asks(use: NameExpr, file: CheckedFile) -> bool:
    """Whether a use needs no more than the shape, or stands where the name is bound or deleted."""
    parent = surroundings(use, file).parent
    if isinstance(parent, MemberExpr):
        return parent.name in _ASKED_OF_ANY
    if isinstance(parent, CallExpr):
        return last_name(parent.callee) in _ASKING
    is_target = isinstance(parent, AssignmentStmt) and use in parent.lvalues
    return is_target or isinstance(parent, DelStmt)
