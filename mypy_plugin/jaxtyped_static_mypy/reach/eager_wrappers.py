"""Functions of the program that hand what they are given to the control flow of JAX: `my_scan(body, ...)`."""

from mypy.nodes import FuncDef, MypyFile, TypeInfo

from ..compat import mypy_api
from ..facts.functions.keeping import facts_of_function
from ..facts.functions.steps import uses_of
from ..knowledge.eager_functions import EagerFunction, eager_function
from ..source.checked_file import CheckedFile


def handing_function(fullname: str, modules: dict[str, MypyFile]) -> EagerFunction | None:
    """What makes a call of a function or method compile again outside of jit; None if it hands no parameter on."""
    facts = facts_of_function(uses_of(where_defined(fullname, modules)), modules) or {}
    bodies: list[tuple[int, str]] = []
    rows = [
        (index, name, row) for index, name, to in facts.get("bodies", ()) if (row := eager_function(to)) is not None
    ]
    for index, name, row in rows:
        bodies += row.bodies if index is None else [(index, name)]
    if not bodies:
        return None
    return EagerFunction(
        tuple(dict.fromkeys(bodies)),
        is_compared=all(row.is_compared for _, _, row in rows),
        chooses=all(row.chooses for _, _, row in rows),
    )


def where_defined(fullname: str, modules: dict[str, MypyFile]) -> str:
    """The full name of a function; of a method, in the class that defines it."""
    method = _method(fullname, modules)
    return method.fullname if method is not None else fullname


def is_handed_on(fullname: str, file: CheckedFile) -> bool:
    """Whether all methods that a call may mean hand on what it gives: those of classes below may do something else."""
    method = _method(fullname, file.modules)
    others = file.overriding(method) if method is not None else ()
    return all(handing_function(other.fullname, file.modules) is not None for other in others)


def _method(fullname: str, modules: dict[str, MypyFile]) -> FuncDef | None:
    owner, _, name = fullname.rpartition(".")
    info = mypy_api.node_named(owner, modules) if owner and owner not in modules else None
    symbol = info.get(name) if isinstance(info, TypeInfo) else None
    return symbol.node if symbol is not None and isinstance(symbol.node, FuncDef) else None
