"""Finds calls of a library that update its objects: `nnx.update(model, state)`, `optimizer.update(model, grads)`.

The function tells what it updates, so the class of the object need not be known.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from mypy.nodes import ARG_POS, CallExpr, Expression, MemberExpr, Node, RefExpr, TypeInfo, Var
from mypy.types import CallableType, get_proper_type

from ...knowledge.function_rows import Effect
from ...knowledge.members import SHARED_VARIABLES, VARIABLE_SETTERS
from ...libraries import known_function, lifted_by, lifting_library
from ...source.checked_file import CheckedFile, once_per_file
from ...source.nested_functions import Functions
from ...syntax.arguments import named_arguments, unpacks
from ...syntax.changes import Change, ChangeKind, written
from ...syntax.imports import full_name
from .access_paths import access_path
from .own_updates import methods_called, updated_by_own_method
from .refused import class_of, class_of_variable

_UNKNOWN_NAMES: Final = "__getattr__"


def updates_by_library(nodes: Iterable[Node], functions: Functions) -> Iterator[Change]:
    """What the calls among these nodes update in place, as changes of the whole object."""
    for call in nodes:
        found = _updated(call, functions) if isinstance(call, CallExpr) else None
        if found is not None and isinstance(call, CallExpr):
            target, library = found
            yield Change(call, ChangeKind.WHOLE, target, _shown(call, target), (), library=library)
        elif isinstance(call, CallExpr) and (updated := updated_by_own_method(call, functions)) is not None:
            target, library = updated
            yield Change(call, ChangeKind.ATTRIBUTE, target, _shown(call, target), (), library=library)


@once_per_file
def has_shared_variables(file: CheckedFile) -> bool:
    """Whether a file asks for variables that every trace may change, also below `jax.jit`."""
    return any(SHARED_VARIABLES in call.arg_names for call in file.calls)


def _updated(call: CallExpr, functions: Functions) -> tuple[Expression, str] | None:
    """The object that a call updates, and the name of its library."""
    name = full_name(call.callee, functions.file.tree)
    if call.args and _updates(name) and not _is_plain(call.args[0], functions):
        return call.args[0], lifting_library(name)
    if not isinstance(call.callee, RefExpr):
        return None
    callee = call.callee
    for receiver, method in methods_called(callee):
        info = class_of(receiver, functions)
        if info is not None and _updates(_method(info, method)) and not _is_refused(call, info, method):
            functions.consulted.update(info.mro)
            return receiver, lifted_by(info)
    return _variable_set(callee, functions)


def _variable_set(callee: RefExpr, functions: Functions) -> tuple[Expression, str] | None:
    """Of `model.layer.kernel.set_value(x)`: whatever the layer is, an object of the library has it."""
    if not isinstance(callee, MemberExpr) or callee.name not in VARIABLE_SETTERS:
        return None
    accessed = access_path(callee.expr, functions)
    root = accessed.root if accessed is not None else None
    info = class_of_variable(root, functions) if isinstance(root, Var) else None
    library = lifted_by(info) if info is not None else ""
    return (callee.expr, library) if library else None


def _updates(name: str) -> bool:
    return Effect.UPDATES_OBJECT in known_function(name).effects


def _is_plain(target: Expression, functions: Functions) -> bool:
    """Whether it is an object of another library, or of none: a `dict` of arrays."""
    info = class_of(target, functions)
    return info is not None and not lifted_by(info)


def _method(info: TypeInfo, name: str) -> str:
    """The full name of the method that runs; of `__getattr__`, where it makes what is called: `rngs.params()`."""
    symbol = info.get(name)
    if symbol is None or isinstance(symbol.node, Var):
        symbol = info.get(_UNKNOWN_NAMES) if symbol is None and not name.startswith("__") else None
    return (symbol.fullname or "") if symbol is not None else ""


def _is_refused(call: CallExpr, info: TypeInfo, name: str) -> bool:
    """Whether a call leaves out an argument that the method needs, so that it raises and updates nothing.

    `optimizer.update(grads)`, where it has to be `optimizer.update(model, grads)`.
    """
    symbol = info.get(name)
    signature = get_proper_type(symbol.type) if symbol is not None else None
    if not isinstance(signature, CallableType) or unpacks(call):
        return False
    given = zip(signature.arg_names[1:], signature.arg_kinds[1:], strict=True)
    needed = [name or f"{number}" for number, (name, kind) in enumerate(given) if kind is ARG_POS]
    return not set(needed) <= named_arguments(call, needed).keys()


def _shown(call: CallExpr, target: Expression) -> str:
    is_argument = call.args[:1] == [target]
    return f"{written(call.callee)}({written(target) + ', ' if is_argument else ''}...)"
