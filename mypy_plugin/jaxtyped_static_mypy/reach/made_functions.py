"""Functions that others of the file make, and that the file hands to JAX: `jax.jit(model.loss(scale))`."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mypy.nodes import CallExpr, FuncDef, FuncItem, MemberExpr, NameExpr

from ..source.bindings import made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..source.returned_functions import returned_by
from .traced_calls import TracedCall, traced_calls
from .uses import Naming, naming_of_attribute


class Made(NamedTuple):
    """One call that hands a function to JAX which another call makes."""

    handing: CallExpr
    traced: TracedCall
    maker: FuncDef
    making: CallExpr


@once_per_file
def made_functions(file: CheckedFile) -> Mapping[FuncItem, list[Made]]:
    """The nested functions that their makers return, each with the calls that hand them to JAX."""
    found: dict[FuncItem, list[Made]] = {}
    for call in file.calls:
        for traced in traced_calls(file, call):
            making = made_by(traced.function, file) if not traced.is_later else None
            maker = _maker(making, file) if isinstance(making, CallExpr) else None
            if maker is not None and isinstance(making, CallExpr) and (function := returned_by(maker)) is not None:
                found.setdefault(function, []).append(Made(call, traced, maker, making))
    return found


def makers_first_used(call: CallExpr, file: CheckedFile) -> Iterator[FuncDef]:
    """The functions and methods of the file that make what this call hands to JAX, if no earlier call does."""
    for handed in made_functions(file).values():
        maker = handed[0].maker
        is_outermost = bool(maker.info) or maker.name in file.tree.names
        if handed[0].handing is call and is_outermost:
            yield maker


def _maker(making: CallExpr, file: CheckedFile) -> FuncDef | None:
    """The function or method that a call runs; None of one that a class of the file replaces, or that is decorated."""
    callee = making.callee
    if isinstance(callee, NameExpr):
        return callee.node if isinstance(callee.node, FuncDef) and file.defines(callee.node) else None
    if not isinstance(callee, MemberExpr):
        return None
    methods = (method for method in file.functions_named.get(callee.name, ()) if method.info)
    own = next((method for method in methods if naming_of_attribute(callee, method, file) is Naming.OWN), None)
    return own if own is not None and own not in file.decorators and not file.overriding(own) else None
