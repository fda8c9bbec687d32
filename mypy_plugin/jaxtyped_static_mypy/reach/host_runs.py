"""Whether a file shows that a function runs outside of traces."""

from mypy.nodes import FuncDef, FuncItem, Node

from ..source.checked_file import CheckedFile, once_per_file
from ..source.surroundings import surroundings
from .description import reach_of
from .roots import roots_of
from .uses import uses_of


@once_per_file
def runs_on_host(file: CheckedFile, function: FuncItem) -> bool:
    """Whether a use of a function stands in code that is not traced, or that is, but runs outside as well."""
    seen = {function}
    pending = [use.expression for use in uses_of(file, function).not_traced]
    while pending:
        context, root = _code_around(pending.pop(), file)
        if context is None or (root is not None and not roots_of(file)[root].stages):
            return True  # of `jax.grad(f)` alone, what JAX computes has a value
        if context in seen or (root is not None and not reach_of(file, root).is_as_written):
            continue
        seen.add(context)
        uses = uses_of(file, context).not_traced
        if not uses and root is None:
            return True
        pending += [use.expression for use in uses]
    return False


def _code_around(node: Node, file: CheckedFile) -> tuple[FuncItem | None, FuncItem | None]:
    """The traced function around a node, or else the innermost `def`; and that traced function."""
    around = [part for part in surroundings(node, file).around if isinstance(part, FuncItem)]
    root = next((function for function in around if function in roots_of(file)), None)
    return root or next((function for function in around if isinstance(function, FuncDef)), None), root
