"""jit-untraceable: a compiled function returns a text, a function or an object that no program of JAX can give back."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import (
    CallExpr,
    DictExpr,
    Expression,
    FuncItem,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    ReturnStmt,
    SetExpr,
    StrExpr,
    TupleExpr,
    TypeInfo,
)
from mypy.types import Instance, ProperType, get_proper_type

from ..classes import class_model
from ..compat.dependencies import record_dependency
from ..flow.declared_types import declared_type
from ..flow.made import type_made
from ..judgement.traceability import Obstacle
from ..reach.roots import Root, find_roots
from ..reporting.messages import Message, Statement
from ..source.nested_functions import Functions
from ..syntax.imports import full_name
from . import CODES
from ._body import Body, BodyError
from ._static_or_traced import survey_in

_RETURNED: Final = Message(
    "{function} returns {what}, which JAX cannot return from a compiled function, so this raises",
    "return it from the code that calls {function}",
    kind="returned",
)
_OBJECT: Final = Message(_RETURNED.problem, "make {cls} a pytree", kind="returned-object")
_OF_TEXT: Final = ("format", "join")


def returned_values(body: Body) -> Iterator[BodyError]:
    """The values below plain `jax.jit`: Equinox returns what is no array as it is."""
    functions = body.functions()
    for function, root in find_roots(functions).items():
        if root.transformation is None and root.stages and not root.lifts and _is_plain(function, functions):
            for value, what in _refused(function, root, functions):
                yield BodyError(value, _statement(root.name, what), CODES["jit-untraceable"])
    body.consulted.update(functions.consulted)


def _statement(function: str, what: str | Obstacle) -> Statement:
    if isinstance(what, str):
        return _RETURNED.fill(function=function, what=what)
    described = f"a value of type {what.subject}"
    if what.declared is None:
        return _RETURNED.fill(function=function, what=described)
    return _OBJECT.fill(function=function, what=described, cls=what.subject)


def _is_plain(function: FuncItem, functions: Functions) -> bool:
    """Whether no other decorator stands at the function, which may change what it returns."""
    decorator = functions.decorators.get(function)
    return decorator is None or len(decorator.original_decorators) == 1


def _refused(function: FuncItem, root: Root, functions: Functions) -> Iterator[tuple[Expression, str | Obstacle]]:
    returns = (node for node in functions.nodes[function] if isinstance(node, ReturnStmt))
    for value in (part for node in returns if node.expr is not None for part in _leaves(node.expr)):
        is_told = isinstance(value, NameExpr) and value.node in root.traced  # where the parameter stands
        if (what := _what(value, functions) or _by_type(value, functions)) is not None and not is_told:
            yield value, what


def _leaves(node: Expression) -> Iterator[Expression]:
    """The parts of a value that is written as a tuple, list or dict."""
    if isinstance(node, (ListExpr, TupleExpr)):
        for item in node.items:
            yield from _leaves(item)
    elif isinstance(node, DictExpr):
        for _, value in node.items:
            yield from _leaves(value)
    else:
        yield node


def _what(node: Expression, functions: Functions) -> str | None:
    callee = node.callee if isinstance(node, CallExpr) else None
    is_made = isinstance(callee, MemberExpr) and isinstance(callee.expr, StrExpr) and callee.name in _OF_TEXT
    is_text = callee is not None and full_name(callee, functions.file.tree) == "builtins.str"
    if isinstance(node, StrExpr) or is_made or is_text:
        return "a text"
    if isinstance(node, SetExpr):
        return "a set"
    return "a function" if isinstance(node, LambdaExpr) else None


def _by_type(node: Expression, functions: Functions) -> Obstacle | None:
    """What no value of the declared type of an expression lacks: that of a member of an enum, or of a plain class."""
    typ = _declared(node, functions)
    if typ is None:
        return None
    survey = survey_in(functions.file)
    found = survey.obstacle(typ)
    record_dependency(functions.file.api, survey.consulted)
    if found is None or not found.always or found.path or not isinstance(typ, Instance):
        return None
    # Of what a caller passes, only what no class of the program can make a pytree.
    return None if isinstance(node, NameExpr) and found.declared is not None else found


def _declared(node: Expression, functions: Functions) -> ProperType | None:
    """As the source declares it: mypy may not have checked the function."""
    if isinstance(node, NameExpr):
        bound = functions.bindings.get(node.node, ()) if node.node is not None else ()
        return declared_type(node) if len(bound) == 1 else None
    if isinstance(node, CallExpr):
        return get_proper_type(type_made(node, functions.file.api))
    if not isinstance(node, MemberExpr):
        return None
    owner = node.expr.node if isinstance(node.expr, RefExpr) else None
    if isinstance(owner, TypeInfo):
        return Instance(owner, []) if owner.is_enum and node.name in owner.enum_members else None
    holder = _declared(node.expr, functions)
    symbol = holder.type.get(node.name) if isinstance(holder, Instance) else None
    is_own = isinstance(holder, Instance) and class_model.is_readable(holder.type) and not holder.type.type_vars
    return declared_type(symbol.node) if symbol is not None and is_own else None
