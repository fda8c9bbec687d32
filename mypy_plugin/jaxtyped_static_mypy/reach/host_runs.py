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
    return any(_is_on_host(use.expression, file, frozenset({function})) for use in uses_of(file, function).not_traced)


def _is_on_host(node: Node, file: CheckedFile, seen: frozenset[FuncItem]) -> bool:
    around = [part for part in surroundings(node, file).around if isinstance(part, FuncItem)]
    root = next((function for function in around if function in roots_of(file)), None)
    context = root or next((function for function in around if isinstance(function, FuncDef)), None)
    if context is None:
        return True
    if root is not None and not roots_of(file)[root].stages:
        return True  # `jax.grad(f)` alone: what JAX computes there has a value
    if context in seen or (root is not None and not reach_of(file, root).is_as_written):
        return False
    uses = uses_of(file, context).not_traced
    if not uses:
        return root is None
    return any(_is_on_host(use.expression, file, seen | {context}) for use in uses)
