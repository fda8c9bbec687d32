"""Methods of objects that are passed as functions: `jit(obj.method)`."""

from typing import NamedTuple

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    LambdaExpr,
    ListComprehension,
    MemberExpr,
    NameExpr,
    RefExpr,
    TypeInfo,
    Var,
)
from mypy.types import Instance, ProperType, TypeVarType, get_proper_type
from mypy.typevars import fill_typevars_with_any

from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..facts.class_facts import facts_of
from ..flow.declared_types import says_nothing
from ..flow.fresh.attributes import Member, member_of
from ..flow.made import constructed
from ..flow.traced.given import given_expressions
from ..libraries import TREE_METHODS
from ..reach.receiving import classes_of
from ..source.bindings import bindings_of, made_by
from ..source.checked_file import CheckedFile
from ..source.parameters import parameters
from ..source.surroundings import iterable_of, surroundings
from ..syntax.literals import items_of_display
from ..syntax.names import dotted_name
from ..syntax.trees import covers


class BoundMethod(NamedTuple):
    """`obj.method`, and the class of `obj`."""

    expression: MemberExpr
    info: TypeInfo

    @property
    def is_of_self(self) -> bool:
        receiver = self.expression.expr
        return isinstance(receiver, NameExpr) and isinstance(receiver.node, Var) and receiver.node.is_self

    @property
    def shown(self) -> str:
        return dotted_name(self.expression) or f"{self.info.name}(...).{self.expression.name}"


def bound_method(node: Expression, file: CheckedFile) -> BoundMethod | None:
    """The bound method that an expression stands for, if it does."""
    node = made_by(node, file)
    if not isinstance(node, MemberExpr) or isinstance(node.node, FuncDef):
        return None
    info = _class_of_receiver(node.expr, file)
    symbol = info.get(node.name) if info is not None else None
    if info is None or symbol is None or member_of(symbol.node) is not Member.METHOD:
        return None
    return BoundMethod(node, info)


def is_stand_in(node: Expression, file: CheckedFile) -> bool:
    """Whether a bound method only stands for those of subclasses: it raises `NotImplementedError`.

    These may take other arguments.
    """
    method = bound_method(node, file)
    if method is None:
        return False
    name = method.expression.name
    owner = next(base for base in method.info.mro if name in base.names)
    record_dependency(file.api, [owner])
    return name in facts_of(owner).get("only_raising", ())


def is_class_method(node: MemberExpr) -> bool:
    """Whether a node is `Cls.method`, a class method: each access makes a new bound method."""
    info = node.expr.node if isinstance(node.expr, RefExpr) and isinstance(node.expr.node, TypeInfo) else None
    symbol = info.get(node.name) if info is not None else None
    function = symbol.node.func if symbol is not None and isinstance(symbol.node, Decorator) else None
    return function is not None and function.is_class


def made_here(method: BoundMethod, file: CheckedFile) -> CallExpr | None:
    """The call that makes the object in the same function or loop as its method is named in; None if none does."""
    made = made_by(method.expression.expr, file)
    if not isinstance(made, CallExpr) or constructed(made) is None:
        return None
    of_object, of_method = surroundings(made, file), surroundings(method.expression, file)
    is_inside = of_object.function is not None and of_object.function is of_method.function
    return made if is_inside or not set(of_object.loops).isdisjoint(of_method.loops) else None


def hashed_object(node: Expression, file: CheckedFile) -> Instance | None:
    """The type of the object, if an expression is a method of a module of Equinox: JAX hashes it by its object."""
    method = bound_method(node, file) if not isinstance(node, (CallExpr, LambdaExpr)) else None
    if method is None or TREE_METHODS.isdisjoint(base.fullname for base in method.info.mro):
        return None
    made = fill_typevars_with_any(method.info)
    return made if isinstance(made, Instance) else None


def _class_of_receiver(node: Expression, file: CheckedFile) -> TypeInfo | None:
    typ: ProperType | None = None
    if isinstance(node, NameExpr) and isinstance(node.node, Var):
        if node.node.is_self:
            return surroundings(node, file).cls
        if len(bindings_of(node.node, file)) > 1:  # mypy knows the type of the first
            classes = classes_of(node, file)
            if len(classes) == 1:
                return classes[0]
        typ = get_proper_type(node.node.type)
    function = mypy_api.outermost_function(file.api)
    if function is None or covers(function, node.line):  # mypy may check other functions in another process
        typ = mypy_api.type_of_expression(file.api, node) or typ
    if isinstance(typ, TypeVarType):
        typ = get_proper_type(typ.upper_bound)
    return typ.type if isinstance(typ, Instance) else _class_given(node, file)


def _class_given(node: Expression, file: CheckedFile) -> TypeInfo | None:
    """The class of which each call in the file makes an object for a parameter of which no annotation says more.

    Or objects in a list, over which a loop of the function goes.
    """
    function = surroundings(node, file).function
    if not isinstance(node, NameExpr) or not isinstance(function, FuncDef) or bindings_of(node.node, file):
        return None
    given = _given_for(node, function, file)
    iterable = iterable_of(node, file) if not given else None
    if isinstance(iterable, NameExpr) and not bindings_of(iterable.node, file):
        held = [_items_made(made_by(value, file)) for value in _given_for(iterable, function, file)]
        given = [item for items in held for item in items] if all(held) else []
    made = [made_by(value, file) for value in given]
    classes = {constructed(value) if isinstance(value, CallExpr) else None for value in made}
    return classes.pop() if len(classes) == 1 else None


def _given_for(name: NameExpr, function: FuncDef, file: CheckedFile) -> list[Expression]:
    """What the calls in the file pass for a parameter without a type."""
    parameter = next((item for item in parameters(function) if item.variable is name.node), None)
    if parameter is None or not says_nothing(parameter.type, file.settings):
        return []
    return given_expressions(file, function).get(name.name, [])


def _items_made(made: Expression) -> list[Expression]:
    """The items of a list or tuple that the file writes out, or the one expression that makes all of them."""
    return [made.generator.left_expr] if isinstance(made, ListComprehension) else items_of_display(made)
