"""Which compiled calls get a new object, as far as the file shows what becomes of it, and whether others would do."""

from collections.abc import Container, Iterable, Iterator
from typing import Final, NamedTuple

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    IndexExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    ReturnStmt,
    SymbolNode,
    TupleExpr,
    TypeInfo,
    Var,
)

from ..classes import class_model
from ..knowledge.full_names import JAX, TREE_MAPS
from ..knowledge.jax_functions import jax_name
from ..reach.objects import attributes_read_of
from ..reach.roots import roots_of
from ..reach.traced_calls import traced_calls
from ..reach.uses import CERTAIN, uses_of
from ..source.bindings import bound_by, made_by
from ..source.checked_file import CheckedFile
from ..source.local_bindings import reaching_bindings
from ..source.parameters import parameters
from ..source.surroundings import surroundings
from ..syntax.arguments import argument
from ..syntax.names import callee_name
from ..syntax.trees import assignment_targets, covers, nodes_below
from .crossing import given_as, given_to, root_called
from .passes.loops import is_target

_COPYING: Final = frozenset({"replace", "_replace"})
_TAKING_FEW_VALUES: Final = ("%", "//")
_PASSING: Final = (ConditionalExpr, IndexExpr, ListExpr, TupleExpr)  # what holds an object, or is the object itself


class CompiledCall(NamedTuple):
    """A call of a compiled function."""

    call: CallExpr
    static: tuple[Expression, ...]  # what it gives to static parameters


class _Next(NamedTuple):
    """What becomes of a value at one place."""

    values: tuple[Expression, ...] = ()  # those to follow
    calls: tuple[CompiledCall, ...] = ()


class _Search(NamedTuple):
    file: CheckedFile
    holder: TypeInfo
    static: frozenset[str]  # its static fields
    within: Node | None  # the loop that makes the object: the next pass has another one
    called: dict[FuncDef, CallExpr]  # the calls through which the object was followed


def compiled_call(call: CallExpr, file: CheckedFile) -> CompiledCall | None:
    """What a call of a compiled function gives to static parameters; None of a call of anything else."""
    root = root_called(call, file)
    if root is not None and root.transformation is None:
        return CompiledCall(call, tuple(given_to(root, call, are_static=True)))
    made = made_by(call.callee, file)
    traced = traced_calls(file, made) if isinstance(made, CallExpr) else ()
    compiled = next((found for found in traced if found.transformation is None), None)
    return CompiledCall(call, tuple(given_as(compiled, call, are_static=True))) if compiled is not None else None


def compiled_calls_with(made: CallExpr, holder: TypeInfo, file: CheckedFile) -> list[CompiledCall] | None:
    """The compiled calls that get a new object; None if the file does not show all that becomes of it, or nothing."""
    place = surroundings(made, file)
    if isinstance(place.parent, ExpressionStmt):
        return None
    markers = file.settings.static_markers
    static = frozenset(field.name for field in class_model.fields(holder) if class_model.is_static(field, markers))
    search = _Search(file, holder, static, place.repeating[0] if place.repeating else None, {})
    found: list[CompiledCall] = []
    pending: list[Expression] = [made]
    seen = set[Expression]()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        step = _next(value, search)
        if step is None:
            return None
        pending += step.values
        found += step.calls
    return found


def _next(value: Expression, search: _Search) -> _Next | None:
    """None if anything may become of the value."""
    place = surroundings(value, search.file)
    parent = place.parent
    if isinstance(parent, AssignmentStmt) and parent.rvalue is value:
        return _bound(parent, search)
    if isinstance(parent, ExpressionStmt | ComparisonExpr):
        return _Next()
    if isinstance(parent, TupleExpr) and _is_returned_first(parent, search):
        return _returned(parent, parent.items.index(value), search)
    if isinstance(parent, _PASSING):
        return _Next((parent,))
    if isinstance(parent, MemberExpr):
        return _read(parent, search)
    if isinstance(parent, CallExpr) and parent.callee is not value:
        return _passed(value, parent, search)
    if isinstance(parent, ReturnStmt) and isinstance(place.function, FuncDef):
        call = search.called.get(place.function)
        return _Next((call,)) if call is not None else _returned(value, None, search)
    return None


def _is_returned_first(value: Expression, search: _Search) -> bool:
    """Whether a function returns it through whose calls the object was not followed."""
    place = surroundings(value, search.file)
    return isinstance(place.parent, ReturnStmt) and place.function not in search.called


def _returned(value: Expression, index: int | None, search: _Search) -> _Next | None:
    """What becomes of a result, or of one of its items, in the loops of the file that call the function; None if none
    does: others may.
    """
    function = surroundings(value, search.file).function
    uses = uses_of(search.file, function).named(CERTAIN) if isinstance(function, FuncDef) else []
    calls = [use.call for use in uses if use.call is not None and surroundings(use.call, search.file).repeating]
    found = [_taken(call, index, search) for call in calls]
    known = [step for step in found if step is not None]
    if not calls or len(known) < len(found) or any(use.call is None for use in uses):
        return None
    return _Next(tuple(value for step in known for value in step.values))


def _taken(call: CallExpr, index: int | None, search: _Search) -> _Next | None:
    """The uses of the name that gets an item of what a call returns: `config, state = load(path)`."""
    parent = surroundings(call, search.file).parent
    if index is None:
        return _Next((call,))
    targets = list(assignment_targets(parent)) if isinstance(parent, AssignmentStmt) else []
    if not isinstance(parent, AssignmentStmt) or len(targets) <= index:
        return None
    target = targets[index]
    return _uses(parent, {target.node}, search) if isinstance(target, NameExpr) else None


def _bound(statement: AssignmentStmt, search: _Search) -> _Next | None:
    """The uses of the names that get the value, in the same pass of the loop."""
    if not all(isinstance(target, NameExpr) for target in assignment_targets(statement)):
        return None
    return _uses(statement, {variable for variable, _ in bound_by(statement)}, search)


def _uses(statement: AssignmentStmt, variables: Container[SymbolNode | None], search: _Search) -> _Next | None:
    function = surroundings(statement, search.file).function
    if function is None and search.within is None:
        return None
    is_within = search.within is not None and covers(search.within, statement.line)
    root: Node | None = search.within if is_within else function
    below = nodes_below(root) if root is not None else []
    targets = {target for node in below if isinstance(node, AssignmentStmt) for target in assignment_targets(node)}
    named = (node for node in below if isinstance(node, NameExpr) and node.node in variables)
    return _Next(tuple(use for use in named if use not in targets and _sees(use, statement, search.file)))


def _sees(use: NameExpr, statement: AssignmentStmt, file: CheckedFile) -> bool:
    variable = use.node
    if not isinstance(variable, Var) or "." in variable.fullname:
        return True
    return any(binding.statement is statement for binding in reaching_bindings(file, use, variable))


def _read(member: MemberExpr, search: _Search) -> _Next | None:
    outer = surroundings(member, search.file).parent
    if isinstance(outer, CallExpr) and outer.callee is member:
        return _Next((outer,)) if member.name in _COPYING else None
    return _Next() if _is_data(member.name, search) else None


def _is_data(name: str, search: _Search) -> bool:
    symbol = search.holder.get(name)
    return symbol is not None and isinstance(symbol.node, Var) and name not in search.static


def _passed(value: Expression, call: CallExpr, search: _Search) -> _Next | None:
    compiled = compiled_call(call, search.file)
    if compiled is not None:
        return _Next(calls=(compiled,))
    if f"{JAX}{jax_name(callee_name(call))}" in TREE_MAPS:
        return _Next((call,))  # an object of the same structure
    function = call.callee.node if isinstance(call.callee, NameExpr) else None
    if not isinstance(function, FuncDef):
        return None
    if not search.file.defines(function):
        return _passed_on(value, call, function, search)
    got = [part.variable for part in parameters(function) if argument(call, part.position, part.name) is value]
    if not got or function in roots_of(search.file) or function in search.called:
        return None
    search.called[function] = call
    uses = (node for node in nodes_below(function.body) if isinstance(node, NameExpr) and node.node is got[0])
    return _Next(tuple(uses))


def _passed_on(value: Expression, call: CallExpr, function: FuncDef, search: _Search) -> _Next | None:
    """To a function of another module, which may read nothing but data of it."""
    if function.info:
        return None
    given = (name for index, name in enumerate(function.arg_names) if argument(call, index, name or "") is value)
    name = next(given, None)
    read = attributes_read_of(name, function, search.file) if name is not None else None
    return _Next() if read is not None and all(_is_data(part, search) for part in read) else None


def compiles_on_each_pass(calls: Iterable[CompiledCall], maker: Node, given: Expression, file: CheckedFile) -> bool:
    """Whether each of these calls compiles on each pass of the loop that makes a value, also if it were the same one.

    Another static argument than the given one changes.
    """
    loops = surroundings(maker, file).repeating
    loop = loops[0] if loops else None
    return all(
        isinstance(loop, ForStmt)
        and covers(loop, compiled.call.line)
        and any(_varies(value, loop, file) for value in compiled.static if value is not given)
        for compiled in calls
    )


def _varies(value: Expression, loop: ForStmt, file: CheckedFile) -> bool:
    """Whether a value is made from the target of a loop, and takes as many values."""
    pending, seen = [value], set[SymbolNode]()
    while pending:
        below = nodes_below(pending.pop())
        if any(isinstance(node, LambdaExpr) or getattr(node, "op", "") in _TAKING_FEW_VALUES for node in below):
            continue
        for variable in {node.node for node in below if isinstance(node, NameExpr) and node.node is not None} - seen:
            if isinstance(variable, Var) and is_target(loop, variable, file):
                return True
            seen.add(variable)
            pending += _values(variable, loop)
    return False


def _values(variable: SymbolNode, loop: ForStmt) -> Iterator[Expression]:
    """What the body of a loop binds a variable to."""
    for node in nodes_below(loop.body):
        for bound, binding in bound_by(node) if isinstance(node, AssignmentStmt) else ():
            if bound is variable and binding.value is not None:
                yield binding.value
