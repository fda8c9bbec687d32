"""Functions that are another object each time: what jit and its like compile anew."""

from enum import Enum, auto
from typing import Final, NamedTuple

from mypy.nodes import (
    LDEF,
    CallExpr,
    Decorator,
    Expression,
    FuncItem,
    MemberExpr,
    NameExpr,
    Node,
    Var,
)

from ..flow.fresh import FreshKind, Origin, origin_of, reader_at
from ..flow.fresh.captures import captured_names, captured_variables
from ..flow.fresh.making import maker_of
from ..flow.fresh.names import defined_in_loop
from ..flow.made import constructed
from ..knowledge.function_rows import New
from ..libraries import TREE_METHODS, known_function
from ..source.bindings import Binding, made_by
from ..source.checked_file import CheckedFile
from ..source.local_bindings import reaching_bindings
from ..source.surroundings import iterable_of
from ..syntax.literals import items_of_display
from ..syntax.names import callee_name, dotted_name
from ._bound_methods import bound_method, is_class_method, made_here
from ._changing_arguments import changes_without_array


class NewKind(Enum):
    """What is new each time."""

    LAMBDA = auto()
    NESTED = auto()
    PARTIAL = auto()
    TREE_PARTIAL = auto()  # equal to another one of equal parts, for what compares pytrees
    RESULT = auto()  # of a function that makes one
    OPTIMISER = auto()  # a function of one: `optimiser.init`
    METHOD = auto()
    CLASS_METHOD = auto()
    OBJECT = auto()  # of a class with `__call__`


class NewFunction(NamedTuple):
    """A function that is new each time."""

    kind: NewKind
    subject: str  # as a user writes it
    made: Node  # what makes it

    def can_move(self, file: CheckedFile) -> bool:
        """Whether it can be defined at module level as it is."""
        function = self.made.func if isinstance(self.made, Decorator) else self.made
        return isinstance(function, FuncItem) and not captured_names(function, file)


_KINDS: Final = {
    FreshKind.LAMBDA: NewKind.LAMBDA,
    FreshKind.NESTED_FUNCTION: NewKind.NESTED,
    FreshKind.PARTIAL: NewKind.PARTIAL,
    FreshKind.TREE_PARTIAL: NewKind.TREE_PARTIAL,
    FreshKind.FACTORY: NewKind.RESULT,
    FreshKind.OPTIMISER: NewKind.OPTIMISER,
}


def new_function(
    expression: Expression, file: CheckedFile, *, is_compared: bool, passed: frozenset[Node] = frozenset()
) -> NewFunction | None:
    """`is_compared`: what compiles it finds an equal one again, as a bound method of one object is.

    `passed`: the names that led here.
    """
    made = made_by(expression, file)
    if (method := bound_method(made, file)) is not None:
        renewed = made_here(method, file) if is_compared else method.expression
        return NewFunction(NewKind.METHOD, method.shown, renewed) if renewed is not None else None
    if isinstance(made, MemberExpr) and is_class_method(made):
        return NewFunction(NewKind.CLASS_METHOD, dotted_name(made) or made.name, made) if not is_compared else None
    if (defined := defined_in_loop(made, file)) is not None:
        return NewFunction(NewKind.NESTED, defined.name, defined)
    if isinstance(made, NameExpr) and isinstance(made.node, Var):
        several = _one_of_several(made, file, is_compared=is_compared)
        return several or _bound_here(made, made.node, file, passed, is_compared=is_compared)
    origin = origin_of(made, reader_at(file))
    if origin is None or origin.kind not in _KINDS:
        return _new_object(made) if not is_compared else None
    return NewFunction(_KINDS[origin.kind], origin.subject, maker_of(origin, made))


def new_in_tree(found: NewFunction, file: CheckedFile) -> NewFunction | None:
    """What is new in a function that is compared as a pytree: `Partial(self.method, model)` equals the one before.

    Not `Partial(Partial(f, x), y)`, whose function is hashed by identity, nor `Partial(f, i)` with another number on
    each pass. None where the partial is not written here.
    """
    if found.kind is not NewKind.TREE_PARTIAL:
        return found
    if not isinstance(found.made, CallExpr) or known_function(callee_name(found.made)).new is not New.TREE_PARTIAL:
        return None
    if any(changes_without_array(part, found.made, file) for part in found.made.args[1:]):
        return found
    function, *others = (new_function(part, file, is_compared=True) for part in found.made.args)
    below = (new_in_tree(part, file) for part in others if part is not None)
    return function or next((part for part in below if part is not None), None)


def new_function_captured(node: Node, file: CheckedFile) -> str:
    """The first variable that a function captures, and that holds another one, which a call makes anew, too."""
    names = (name for name in captured_variables(node, file) if isinstance(name.node, Var))
    origins = ((name, origin_of(name, reader_at(file))) for name in names)
    return next((f'"{name.name}"' for name, origin in origins if origin is not None and _is_made(origin)), "")


def _is_made(origin: Origin) -> bool:
    return origin.kind in _KINDS and isinstance(origin.made or origin.context, CallExpr)


def _one_of_several(name: NameExpr, file: CheckedFile, *, is_compared: bool) -> NewFunction | None:
    """The first of the functions that a loop goes over, if all are new: `for f in [lambda x: x, partial(g, 2)]`."""
    items = iterable_of(name, file)
    found = all_new(items, file, is_compared=is_compared) if items is not None else []
    return new_function(found[0], file, is_compared=is_compared) if found else None


def _bound_here(
    name: NameExpr, variable: Var, file: CheckedFile, passed: frozenset[Node], *, is_compared: bool
) -> NewFunction | None:
    """The first of the functions that a name stands for here, if all are new: `f = jax.grad(f)` in one branch."""
    bindings = reaching_bindings(file, name, variable) if name.kind == LDEF and name not in passed else []
    found: list[NewFunction] = []
    for binding in bindings:
        value = binding.binding.whole
        if value is not None:
            new = new_function(value, file, is_compared=is_compared, passed=passed | {name})
        else:
            new = _new_part(binding.binding, file)
        if new is None:
            return None
        found.append(new)
    return found[0] if found else None


def _new_part(binding: Binding, file: CheckedFile) -> NewFunction | None:
    """What a name gets of a tuple that a call returns: `init, apply = make(model)`."""
    if binding.value is None:
        return None
    origin = origin_of(binding.value, reader_at(file).taking(*binding.path))
    if origin is None or origin.kind not in _KINDS:
        return None
    return NewFunction(_KINDS[origin.kind], origin.subject, maker_of(origin, binding.value))


def all_new(holder: Expression, file: CheckedFile, *, is_compared: bool) -> list[Expression]:
    """The items of a list, tuple or dict that the file writes out, if all are functions that are new each time."""
    items = items_of_display(made_by(holder, file))
    are_new = all(new_function(item, file, is_compared=is_compared) is not None for item in items)
    return items if are_new else []


def _new_object(made: Expression) -> NewFunction | None:
    """A module of Equinox is equal to another one of the same values, for JAX, too."""
    cls = constructed(made) if isinstance(made, CallExpr) else None
    if cls is None or not TREE_METHODS.isdisjoint(base.fullname for base in cls.mro):
        return None
    return NewFunction(NewKind.OBJECT, cls.name, made)
