"""Whether `total += 1` computes with an array of JAX: in a trace that makes a tracer, where a number stays one."""

from collections.abc import Iterator

from mypy.nodes import CallExpr, DictExpr, Expression, ListExpr, OperatorAssignmentStmt

from ...knowledge.jax_functions import jax_name
from ...reach.roots import Root
from ...reach.uses import SYMBOL, uses_of
from ...source.bindings import UPDATED, Path, bindings_of, made_by
from ...source.checked_file import CheckedFile
from ...source.nested_functions import Functions
from ...syntax.changes import Change
from ...syntax.imports import full_name
from ..traced.given import is_array_given
from .access_paths import AccessPath, key_of
from .used_up import is_kept


def updates_array(change: Change, accessed: AccessPath, functions: Functions) -> bool:
    """Whether all that a variable, or an item of what it holds, has before the update is an array of JAX."""
    if not isinstance(change.context, OperatorAssignmentStmt):
        return False
    path = (*accessed.path, key_of(change.item.index)) if change.item is not None else accessed.path
    found = [*functions.bindings.get(accessed.root, ()), *bindings_of(accessed.root, functions.file)]
    begun = [binding.whole for binding in found if UPDATED not in binding.path]
    values = [_part(value, path) if value is not None else None for value in begun]
    return bool(values) and all(value is not None and _is_array(value, functions.file) for value in values)


def is_read_again(change: Change, accessed: AccessPath, root: Root, functions: Functions) -> bool:
    """Whether a later run of a traced function reads what this one stores, though the code around does not."""
    if is_kept(change, accessed, root, functions):
        return True
    uses = uses_of(functions.file, root.function)
    runs = [*uses.calls(SYMBOL), *uses.calls_of_results()]
    return len(runs) > 1 and updates_array(change, accessed, functions)


def _part(value: Expression, path: Path) -> Expression | None:
    """The item of a list or dict that is written out; what holds it is the value itself if there is no path."""
    if not path:
        return value
    found = next((item for key, item in _items(value) if key == path[0]), None)
    return _part(found, path[1:]) if found is not None else None


def _items(value: Expression) -> Iterator[tuple[str, Expression]]:
    if isinstance(value, ListExpr):
        yield from ((f"[{index}]", item) for index, item in enumerate(value.items))
    elif isinstance(value, DictExpr):
        yield from ((key_of(key), item) for key, item in value.items if key is not None)


def _is_array(value: Expression, file: CheckedFile) -> bool:
    made = made_by(value, file)
    is_of_jax = isinstance(made, CallExpr) and jax_name(full_name(made.callee, file.tree)) is not None
    return is_of_jax and is_array_given(made, file)
