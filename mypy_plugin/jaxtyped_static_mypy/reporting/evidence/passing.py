"""What the calls of a function pass to a parameter.

In code that runs, an annotation is wrong that would make each call raise. Other modules may have calls, too, so that
the command is asked.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr, Expression, FuncDef, MemberExpr, NameExpr, RefExpr, TupleExpr, TypeInfo, Var
from mypy.types import AnyType, Instance, TupleType, Type, UnionType, get_proper_type

from ...classes.reasons import UNPROVEN, Fault, Reason
from ...flow.declared_types import declared_type
from ...judgement.judge import judge
from ...markers.marker import without_marker
from ...reach.uses import CERTAIN, Use, uses_of
from ...source.bindings import made_by
from ...source.checked_file import CheckedFile
from ...source.self_values import attribute_of_self, values_of_self
from ...source.surroundings import surroundings
from ...syntax.arguments import argument, keyword_argument, unpacks
from ...syntax.literals import MUTABLE_DISPLAYS
from ...syntax.names import base_of, callee_name, is_self
from ...syntax.partials import is_partial
from ...syntax.trees import self_parameter
from ..finding import Asked, Question
from ..positions import Position
from .wording import CONTRADICTED

_Known = dict[tuple[FuncDef, str], bool]
_HASHABLE: Final = frozenset({"builtins.frozenset", "builtins.tuple"})
_NAMED_TUPLE: Final = "collections.namedtuple"


def is_never_shown(position: Position, file: CheckedFile) -> bool:
    """Whether the file calls the function that gets an argument, and passes nothing of the declared type.

    Only values of unknown types, and tuples where a list is declared.
    """
    function = position.function
    if function is None or position.is_signed or not position.is_argument:
        return False
    faults = (fault for item in _items(position.type) for fault in judge(item, file.settings, is_argument=True).faults)
    are_hashable = all(fault.reason in UNPROVEN for fault in faults)
    return _gets_others(function, position.name, file, {}, are_hashable=are_hashable)


def is_left_to_default(position: Position, file: CheckedFile) -> bool:
    """Whether no call in the file passes an argument that has a default: JAX never hashes a default (0.10.2)."""
    function, name = position.function, position.name
    index = _index_of_default(position)
    if function is None or index is None:
        return False
    return not any(_may_pass(use, index, name) for use in uses_of(file, function).named(CERTAIN))


def question_of_default(position: Position) -> Iterator[Question]:
    """Whether the calls of the whole program leave it out, too."""
    index = _index_of_default(position)
    if index is not None and position.compiled:
        yield Question(Asked.LEFT_OUT, position.compiled, CONTRADICTED, "", (position.name, str(index)))


def _index_of_default(position: Position) -> int | None:
    """Where a call would pass an argument that has a default; None for any other position."""
    function, name = position.function, position.name
    if function is None or position.is_signed or not position.is_argument:
        return None
    names = [argument.variable.name for argument in function.arguments]
    if name not in names or function.arguments[names.index(name)].initializer is None:
        return None
    return names.index(name) - (1 if self_parameter(function) is not None else 0)


def _may_pass(use: Use, index: int, name: str) -> bool:
    """Whether a use of a function is a call, or a `partial`, that passes an argument, or unpacks what may be one."""
    if use.call is not None:
        return unpacks(use.call) or argument(use.call, index, name) is not None
    partial = use.taken_by if is_partial(use.taken_by) else None
    bound = index + 1  # the function itself is the first argument
    return isinstance(partial, CallExpr) and (unpacks(partial) or argument(partial, bound, name) is not None)


def questions_of_passing(position: Position, fault: Fault, file: CheckedFile) -> Iterator[Question]:
    """Whether the calls of the whole program contradict the declared type of an argument, or of a field of it."""
    if position.is_signed or not position.is_argument:
        return
    if not position.compiled:
        yield from _question_of_caller(position, fault, file)
        return
    if not fault.path:
        yield question_of_argument(position.compiled, position.name)
    elif len(fault.path) == 1 and fault.holder is not None and (field := fault.path[0]).startswith("."):
        yield Question(Asked.NEVER_GIVEN, fault.holder.fullname, CONTRADICTED, "", (field[1:],))


def _question_of_caller(position: Position, fault: Fault, file: CheckedFile) -> Iterator[Question]:
    """Whether no call of the function around a call shows that it passes the container that is declared there."""
    passed = position.context
    function = surroundings(passed, file).function if isinstance(passed, NameExpr) else None
    if not isinstance(passed, NameExpr) or not isinstance(function, FuncDef) or fault.path:
        return
    is_parameter = any(one.variable is passed.node for one in function.arguments)
    is_of_module = not function.info and surroundings(function, file).function is None
    if is_parameter and is_of_module and fault.reason is Reason.MUTABLE_TYPE:
        name = f"{file.tree.fullname}.{function.name}"
        yield Question(Asked.NOT_SHOWN, name, CONTRADICTED, "", (passed.name,))


def question_of_argument(function: str, parameter: str) -> Question:
    """Whether no call of the whole program passes what a parameter is declared to take."""
    return Question(Asked.NEVER_PASSED, function, CONTRADICTED, "", (parameter,))


def questions_of_callable(function: str) -> tuple[Question, ...]:
    """Whether what a function takes for a `Callable` may be a pytree, which the program makes in another module."""
    return (Question(Asked.MAKES_TREES, function, CONTRADICTED, ""),)


def _items(declared: Type) -> Iterator[Type]:
    """The types of what values of a type hold."""
    proper = get_proper_type(without_marker(declared))
    if isinstance(proper, UnionType):
        yield from (item for arm in proper.items for item in _items(arm))
    elif isinstance(proper, Instance):
        yield from proper.args
    elif isinstance(proper, TupleType):
        yield from proper.items


def _gets_others(function: FuncDef, name: str, file: CheckedFile, known: _Known, *, are_hashable: bool) -> bool:
    """`known`: the answers so far. `are_hashable`: whether the items of the declared type are."""
    if (function, name) not in known:
        known[function, name] = False  # while it is asked: a call of itself shows nothing
        names = [arg.variable.name for arg in function.arguments]
        passed = list(_passed(function, names.index(name), name, file)) if name in names else []  # else by a decorator
        are_others = (_is_other(value, file, known, are_hashable=are_hashable) for value in passed)
        known[function, name] = bool(passed) and all(are_others)
    return known[function, name]


def _passed(function: FuncDef, index: int, name: str, file: CheckedFile) -> Iterator[Expression | None]:
    """What each call passes to a parameter, or its default; None where unpacked arguments may."""
    default = function.arguments[index].initializer
    offset = 1 if self_parameter(function) is not None else 0
    for use in uses_of(file, function).named(CERTAIN):
        if use.call is not None:
            may_be_unpacked = unpacks(use.call)
            given = argument(use.call, index - offset, name) or (default if not may_be_unpacked else None)
            if given is not None or may_be_unpacked:
                yield given
        elif is_partial(use.taken_by) and isinstance(use.taken_by, CallExpr):
            given = keyword_argument(use.taken_by, name)
            if given is not None:
                yield given


def _is_other(value: Expression | None, file: CheckedFile, known: _Known, *, are_hashable: bool) -> bool:
    """Whether it is a part of an object of unknown type, such as a configuration, a tuple, or a parameter that gets
    such a value.
    """
    if value is None:
        return True
    made = made_by(value, file)
    if (values := _values_kept(made, file)) and all(attribute_of_self(one) is None for one in values):
        return all(_is_other(one, file, known, are_hashable=are_hashable) for one in values)
    if are_hashable and _is_hashable(made, file):
        return True
    holder, function = base_of(made), surroundings(value, file).function
    if not isinstance(holder, NameExpr) or not isinstance(holder.node, Var):
        return False
    parameters = [arg.variable for arg in function.arguments] if isinstance(function, FuncDef) else []
    is_parameter, declared = holder.node in parameters, declared_type(holder)
    if isinstance(declared, AnyType) or (is_parameter and declared is None and not is_self(holder)):
        return True
    if holder is not made or not is_parameter or not isinstance(function, FuncDef):
        return False
    return _gets_others(function, holder.name, file, known, are_hashable=are_hashable)


def _values_kept(made: Expression, file: CheckedFile) -> tuple[Expression, ...]:
    """What methods assign to an attribute of `self` for which nobody declares a type; empty for anything else."""
    attribute = attribute_of_self(made)
    variable = made.node if isinstance(made, MemberExpr) else None
    if attribute is None or declared_type(made) is not None:
        return ()
    return values_of_self(file, attribute) if variable is None or isinstance(variable, Var) else ()


def _is_hashable(made: Expression, file: CheckedFile) -> bool:
    """Whether a value is a tuple or the like: what it holds is taken to be hashable if it is declared so."""
    if isinstance(made, TupleExpr):
        return not any(isinstance(made_by(item, file), MUTABLE_DISPLAYS) for item in made.items)
    if isinstance(made, CallExpr):
        return callee_name(made) in _HASHABLE or _is_named_tuple(made.callee)
    declared = declared_type(made)
    is_known = isinstance(declared, TupleType) or (
        isinstance(declared, Instance) and declared.type.fullname in _HASHABLE
    )
    return declared is not None and is_known and not judge(declared, file.settings, is_argument=True).faults


def _is_named_tuple(callee: Expression) -> bool:
    """Whether a call makes a named tuple: of a class, or of `namedtuple("Point", names)(x, y)`."""
    if isinstance(callee, CallExpr):
        return callee_name(callee) == _NAMED_TUPLE
    return isinstance(callee, RefExpr) and isinstance(callee.node, TypeInfo) and callee.node.is_named_tuple
