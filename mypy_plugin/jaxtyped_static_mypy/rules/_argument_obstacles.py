"""What cannot be traced in an argument that a call passes: by its type, or by what it is written out as."""

from collections.abc import Callable
from functools import partial
from typing import Final

from mypy.nodes import (
    CallExpr,
    Expression,
    FuncDef,
    LambdaExpr,
    NameExpr,
    RefExpr,
    StrExpr,
    TypeInfo,
    Var,
)
from mypy.types import AnyType, FunctionLike, Type, get_proper_type

from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..flow.traced.given import given_expressions
from ..judgement.traceability import Obstacle, Survey, has_own_tree
from ..knowledge.function_rows import New
from ..libraries import known_function
from ..source.bindings import bindings_of, made_by
from ..source.checked_file import CheckedFile
from ..source.parameters import parameters
from ..source.surroundings import surroundings
from ..syntax.imports import full_name
from ..syntax.literals import items_of_display
from ..syntax.names import dotted_name
from ._returned_obstacles import obstacle_returned
from ._static_or_traced import seems_untraceable

_ITEM: Final = "[...]"
_ASSIGNED_AND_PASSED: Final = 2  # how often a variable is named that nothing else uses
_ByType = Callable[[Expression], Obstacle | None]


def obstacle_written(expression: Expression, file: CheckedFile) -> Obstacle | None:
    """What cannot be traced in an argument as it stands in the call."""
    return _obstacle_in(expression, _by_types(expression, expression, file))


def obstacle_passed(expression: Expression, typ: Type, file: CheckedFile) -> Obstacle | None:
    """What cannot be traced in an argument; a value that is only known to be callable may be a pytree."""
    made = made_by(expression, file)
    if _items(made) and (found := _obstacle_in(made, _by_types(made, expression, file))) is not None:
        return found if made is expression or not _may_change(expression, file) else None
    if _is_always_text(expression, file):
        return Obstacle((), "str")
    if isinstance(made, CallExpr) and known_function(full_name(made.callee, file.tree)).new is New.OPTIMISER:
        return Obstacle((), f"what {dotted_name(made.callee)}(...) returns")  # its package tells mypy no types
    if isinstance(expression, LambdaExpr):
        return Obstacle((), "a lambda")
    if isinstance(get_proper_type(typ), AnyType):
        return obstacle_returned(made, file)
    if isinstance(get_proper_type(typ), FunctionLike):
        is_function = isinstance(expression, RefExpr) and isinstance(expression.node, FuncDef)
        return Obstacle((), "a function") if is_function else None
    return _obstacle_of(typ, file)


def _obstacle_of(typ: Type, file: CheckedFile) -> Obstacle | None:
    survey = Survey(partial(seems_untraceable, file=file), lambda: True)
    found = survey.obstacle(typ)
    record_dependency(file.api, survey.consulted)
    return found


def _obstacle_in(node: Expression, by_type: _ByType) -> Obstacle | None:
    """What cannot be traced among the items of a display or a named tuple, at any depth: as written, or by its type."""
    if isinstance(node, StrExpr):
        return Obstacle((), "str")
    if isinstance(node, LambdaExpr):
        return Obstacle((), "a lambda")
    if isinstance(node, RefExpr) and isinstance(node.node, FuncDef):
        return Obstacle((), "a function")
    items = _items(node)
    found = (_obstacle_in(item, by_type) for item in items)
    obstacle = next((one for one in found if one is not None), None) if items else by_type(node)
    return obstacle.below(_ITEM) if obstacle is not None and items else obstacle


def _items(node: Expression) -> list[Expression]:
    """The items of a display, or what a named tuple is made of."""
    if not isinstance(node, CallExpr):
        return items_of_display(node)
    info = node.callee.node if isinstance(node.callee, RefExpr) else None
    is_tuple = isinstance(info, TypeInfo) and info.is_named_tuple and not has_own_tree(info)
    return node.args if is_tuple else []


def _by_types(made: Expression, passed: Expression, file: CheckedFile) -> _ByType:
    """What the types of the items of a display show; nothing where it stands in another function.

    mypy has yet to keep the types in a call that it checks. What is only known to be callable may be a pytree.
    """

    def look(item: Expression) -> Obstacle | None:
        if surroundings(made, file).function is not surroundings(passed, file).function:
            return None
        typ = mypy_api.type_of_expression(file.api, item)
        if typ is None and made is passed:
            typ = mypy_api.type_without_context(file.api, item)
        found = _obstacle_of(typ, file) if typ is not None else None
        return found if found is not None and found.always else None

    return look


def _may_change(expression: Expression, file: CheckedFile) -> bool:
    """Whether the container in a variable may have other items by the time it is passed, as after `cfg.pop("name")`.

    Only the assignment and this call use it: whatever else does may change it, or hand it to what does.
    """
    if not isinstance(expression, NameExpr):
        return True
    uses = [use for use in file.uses_by_name.get(expression.name, ()) if use.node is expression.node]
    return len(uses) > _ASSIGNED_AND_PASSED


def _is_always_text(expression: Expression, file: CheckedFile) -> bool:
    """Whether this is a parameter without annotation for which every call in the file passes a text."""
    function = mypy_api.outermost_function(file.api)
    if not isinstance(expression, NameExpr) or not isinstance(function, FuncDef) or bindings_of(expression.node, file):
        return False
    own = {parameter.variable: parameter for parameter in parameters(function)}
    parameter = own.get(expression.node) if isinstance(expression.node, Var) else None
    if parameter is None or function.type is not None:
        return False
    given = given_expressions(file, function).get(parameter.name, [])
    return bool(given) and all(isinstance(value, StrExpr) for value in given)
