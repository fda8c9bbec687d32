"""What the code around a value does with it: questions of `lives`, which follows the value."""

from collections.abc import Container, Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from mypy.nodes import (
    LDEF,
    AssertTypeExpr,
    AssignmentStmt,
    CallExpr,
    CastExpr,
    Decorator,
    DictExpr,
    Expression,
    ExpressionStmt,
    FuncDef,
    FuncItem,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    Node,
    SymbolNode,
    TupleExpr,
    TypeInfo,
    Var,
)

from ..knowledge import naming
from ..knowledge.function_rows import Effect, Result
from ..libraries import jit_function, known_function
from ..source.bindings import bindings_of, made_by, only_value
from ..source.checked_file import CheckedFile, once_per_file
from ..source.scipy_calls import calls_back
from ..source.surroundings import Surroundings, surroundings
from ..syntax.arguments import unpacks
from ..syntax.assignments import assigned_pairs, targets_of
from ..syntax.decorators import applied, last_names
from ..syntax.names import callee_name, is_self
from ..syntax.trees import assignment_targets, names_declared_outside, nodes_below

_PROPERTY: Final = ["property"]
_OF_CLASS: Final = frozenset({"classmethod", "staticmethod"})


class Passed(Enum):
    """What a call does with a function that it gets."""

    RETURNED = auto()  # as it is, or in a function that calls it: `jax.vmap(f)`
    CALLED = auto()  # `jax.vjp(f, x)`
    CALLED_FOR_EACH = auto()  # `map(f, xs)`, `scipy.optimize.minimize(f, x0)`
    LOOKED_AT = auto()  # `callable(f)`
    ON = auto()


def passed_to(call: CallExpr, value: Node, file: CheckedFile, *, is_function: bool) -> Passed:
    """`is_function`: not something that holds it."""
    name = callee_name(call)
    row = known_function(name)
    if isinstance(call.analyzed, (AssertTypeExpr, CastExpr)):
        return Passed.RETURNED
    if is_function and value in call.args[:1] and calls_its_argument(call):
        return Passed.RETURNED
    is_differentiated = row.calls is not None and row.calls.keeps_values
    if is_function and (is_differentiated or (Effect.CALLS_FIRST in row.effects and value in call.args[:1])):
        return Passed.CALLED
    is_applied = row.applies is not None and value in call.args[:1]
    if is_function and (is_applied or calls_back(call, file.tree)):
        return Passed.CALLED_FOR_EACH
    looks = Effect.LOOKS in row.effects and row.result is Result.CONCRETE
    return Passed.LOOKED_AT if looks else Passed.ON


def calls_its_argument(call: CallExpr) -> bool:
    """Whether a function returns one that calls its first argument, and does not compile that: `jax.vmap(f)`."""
    name = callee_name(call)
    return Effect.WRAPS in known_function(name).effects or naming.transforms(name)


def compiles(call: CallExpr, file: CheckedFile) -> bool:
    return jit_function(callee_name(call), file.settings.jit_functions) is not None


def applied_by(decorator: Decorator | None) -> Iterator[CallExpr]:
    return (applied(node) for node in (decorator.original_decorators if decorator is not None else ()))


def plain_function(call: CallExpr, file: CheckedFile) -> FuncDef | None:
    """The undecorated function of the file that a call names, if the call shows what each parameter gets."""
    function = call.callee.node if isinstance(call.callee, NameExpr) else None
    if not file.defines(function) or function.info or function.is_coroutine:
        return None
    return None if function in file.decorators or unpacks(call) else function


def call_of(callee: Node, file: CheckedFile) -> CallExpr | None:
    parent = surroundings(callee, file).parent
    return parent if isinstance(parent, CallExpr) and parent.callee is callee else None


# Names


def symbols_of(function: FuncDef | Decorator) -> tuple[SymbolNode, ...]:
    return (function, function.func, function.var) if isinstance(function, Decorator) else (function,)


def is_taken_apart(display: TupleExpr | ListExpr, place: Surroundings) -> bool:
    """`f, g = jit(a), jit(b)`."""
    statement = place.around[2] if len(place.around) > 2 else None
    if not isinstance(statement, AssignmentStmt) or statement.rvalue is not display:
        return False
    return any(given is place.around[0] for _, given in assigned_pairs(statement))


def is_of_others(target: NameExpr, root: FuncItem | None, file: CheckedFile) -> bool:
    """Whether a name that a function binds is that of a module, or of a function around or inside it."""
    return root is not None and (target.kind != LDEF or target.name in _declared_outside(file, root))


@once_per_file
def _declared_outside(file: CheckedFile, root: FuncItem) -> frozenset[str]:
    return names_declared_outside(nodes_below(root))


@once_per_file
def targets_in(file: CheckedFile, root: FuncItem | None) -> frozenset[Node]:
    return frozenset(target for node in nodes_below(root or file.tree) for target in targets_of(node))


def is_made_beside(holder: NameExpr, target: Expression, file: CheckedFile) -> bool:
    """Whether a name stands for nothing but dicts that are made on the same pass of the same loop."""
    here, bound = surroundings(target, file), bindings_of(holder.node, file)
    made = [found.whole for found in bound if isinstance(found.whole, DictExpr)]
    places = [surroundings(display, file) for display in made]
    is_here = all(place.function is here.function and place.loops == here.loops for place in places)
    return bool(made) and len(made) == len(bound) and is_here


def list_appended_to(call: CallExpr, file: CheckedFile) -> tuple[NameExpr, ListExpr] | None:
    """The list to which a statement of the same function appends, with what makes it: `functions.append(f)`."""
    holder = call.callee.expr if isinstance(call.callee, MemberExpr) and call.callee.name == "append" else None
    place = surroundings(call, file)
    if not isinstance(holder, NameExpr) or not isinstance(place.parent, ExpressionStmt):
        return None
    made = only_value(holder.node, file)
    is_here = made is not None and surroundings(made, file).function is place.function
    return (holder, made) if isinstance(made, ListExpr) and is_here else None


# Objects


class Member(NamedTuple):
    """What an object has under a name."""

    method: FuncDef | None = None  # which gets the object, and does nothing but what its body says
    is_data: bool = False  # or it does not get the object


def member(owner: TypeInfo, name: str) -> Member:
    symbol = owner.get(name)
    defined = symbol.node if symbol is not None else None
    if isinstance(defined, FuncDef):
        return Member(defined if defined.end_line is not None else None)  # mypy 2.4.1 gives what it generates no end
    if isinstance(defined, Decorator):
        names = last_names(defined)
        return Member(defined.func if names == _PROPERTY else None, _OF_CLASS.issuperset(names))
    return Member(is_data=defined is None or isinstance(defined, Var))


def is_of_self(target: Node) -> bool:
    """`self.step`."""
    return isinstance(target, MemberExpr) and is_self(target.expr)


@once_per_file
def function_attributes(file: CheckedFile, owner: TypeInfo) -> frozenset[str]:
    """The attributes with functions that have the object: `self.step = self._run`."""
    classes = [info for info in owner.mro if info.module_name == file.tree.fullname]
    pairs = [
        (target.name, made_by(value, file))
        for info in classes
        for node in nodes_below(info.defn.defs)
        if isinstance(node, AssignmentStmt)
        for target, value in assigned_pairs(node)
        if isinstance(target, MemberExpr) and is_self(target.expr) and value is not None
    ]
    found: set[str] = set()
    while more := {name for name, value in pairs if name not in found and _has_object(value, owner, found)}:
        found |= more
    return frozenset(found)


def _has_object(value: Expression, owner: TypeInfo, known: Container[str]) -> bool:
    """Whether a value is, or is made of, a method of the object, or a function that is defined inside one."""
    nodes = nodes_below(value)
    called = {node.callee for node in nodes if isinstance(node, CallExpr)}
    for node in nodes:
        if node in called:
            continue
        is_method = isinstance(node, MemberExpr) and is_self(node.expr) and _is_function(owner, node.name, known)
        is_inner = isinstance(node, NameExpr) and node.kind == LDEF and isinstance(node.node, (Decorator, FuncDef))
        if is_method or is_inner or isinstance(node, LambdaExpr):
            return True
    return False


def _is_function(owner: TypeInfo, name: str, known: Container[str]) -> bool:
    method = member(owner, name).method
    return name in known or (method is not None and not method.is_property)


def calls_itself(function: FuncItem, file: CheckedFile) -> bool:
    """Whether a function or method calls itself: as often as a loop."""
    names = symbols_of(file.decorators.get(function) or function) if isinstance(function, FuncDef) else ()
    callees = (node.callee for node in nodes_below(function.body) if isinstance(node, CallExpr))
    return any(
        callee.name == function.name and bool(function.info)
        if isinstance(callee, MemberExpr) and is_self(callee.expr)
        else isinstance(callee, NameExpr) and callee.node in names
        for callee in callees
    )


def is_compiled_for_object(call: CallExpr, owners: frozenset[TypeInfo], file: CheckedFile) -> bool:
    """Whether an attribute of an object gets what is compiled of a method of it: `self.loss = jax.jit(self._loss)`."""
    place = surroundings(call, file)
    info = place.function.info if place.function is not None else None
    targets = list(assignment_targets(place.parent)) if isinstance(place.parent, AssignmentStmt) else []
    makes_function = known_function(callee_name(call)).new is not None or compiles(call, file)
    return makes_function and info in owners and bool(targets) and all(map(is_of_self, targets))
