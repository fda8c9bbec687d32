"""Finds calls of a program's own methods that update their object, as `model(x)` does that counts its calls.

The object belongs to a library whose own transformations bring updates back, and any other one loses them.
"""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr, Expression, MemberExpr, RefExpr, TypeInfo, Var

from ...facts.class_facts import facts_of
from ...facts.updating_facts import CALL, CALL_ABOVE, OWN
from ...knowledge.full_names import CALL_METHOD
from ...knowledge.function_rows import Effect
from ...libraries import known_function, lifted_by
from ...source.checked_file import CheckedFile
from ...source.nested_functions import Functions
from .refused import class_of, class_of_attribute

_MAX_DEPTH: Final = 6


def methods_called(callee: RefExpr) -> Iterator[tuple[Expression, str]]:
    """The objects, each with a method, that a call may run: `model.step`, and the `__call__` of what that holds."""
    yield callee, CALL_METHOD
    if isinstance(callee, MemberExpr):
        yield callee.expr, callee.name


def updated_by_own_method(call: CallExpr, functions: Functions) -> tuple[Expression, str] | None:
    """The object that a call of a method of the program updates, and the name of its library."""
    if not isinstance(call.callee, RefExpr) or call.callee in functions.adopted:
        return None  # a method that is read with its caller tells by itself
    for receiver, method in methods_called(call.callee):
        info = class_of(receiver, functions)
        if info is None or not lifted_by(info):
            continue
        functions.consulted.update(info.mro)
        if _updates(info, method, functions, _MAX_DEPTH):
            return receiver, lifted_by(info)
    return None


def _updates(info: TypeInfo, method: str, functions: Functions, depth: int) -> bool:
    """Whether every call of a method updates its object, or an object that this one holds."""
    owner = next((base for base in info.mro if method in base.names), None)
    if owner is None or depth == 0:
        return False
    if depth < _MAX_DEPTH and Effect.UPDATES_OBJECT in known_function(owner.names[method].fullname or "").effects:
        return True
    tokens = facts_of(owner).get("updates", {}).get(method, ())
    return any(_is_update(token, info, owner, functions, depth - 1) for token in tokens)


def _is_update(token: str, info: TypeInfo, owner: TypeInfo, functions: Functions, depth: int) -> bool:
    if token == OWN:
        return True
    if token.startswith(CALL_ABOVE):
        above = info.mro[info.mro.index(owner) + 1 :]
        name = token.removeprefix(CALL_ABOVE)
        base = next((base for base in above if name in base.names), None)
        return base is not None and _updates(base, name, functions, depth)
    if token.startswith(CALL):
        return _updates(info, token.removeprefix(CALL), functions, depth)
    part, _, method = token.partition(".")
    held = _held(info, part, functions.file)
    if held is None or not lifted_by(held):
        return False
    functions.consulted.update(held.mro)
    return _updates(held, method, functions, depth)


def _held(info: TypeInfo, attribute: str, file: CheckedFile) -> TypeInfo | None:
    """The class of what an attribute holds; none for a method, which `CALL` stands for."""
    symbol = info.get(attribute)
    return class_of_attribute(info, attribute, file) if symbol is None or isinstance(symbol.node, Var) else None
