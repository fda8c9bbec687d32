"""Kernels of Pallas: what they get, and hand on to functions that only they call, are mutable arrays."""

from collections.abc import Iterator

from mypy.nodes import AssignmentStmt, CallExpr, Expression, FuncItem, NameExpr, Node, SymbolNode

from ..source.checked_file import CheckedFile, once_per_file
from ..source.nested_functions import Functions
from ..source.surroundings import surroundings
from ..syntax.names import base_of
from ..syntax.partials import partial_function
from .description import reach_of
from .traced_calls import traced_calls
from .uses import POSSIBLE

_Seen = frozenset[Node]


def is_given_to_kernel(variable: SymbolNode, functions: Functions, seen: _Seen = frozenset()) -> bool:
    """Whether a variable is a parameter of a kernel, or a part of one: `m_buffer, l_buffer = buffers`."""
    owner, bindings = functions.owners.get(variable), functions.bindings.get(variable, [])
    if owner is None or not bindings or variable in seen:
        return False
    if any(binding.is_parameter for binding in bindings):
        return is_of_kernels(functions.file, owner, frozenset())
    bases = [base_of(binding.value) if binding.value is not None else None for binding in bindings]
    return all(
        isinstance(base, NameExpr)
        and base.node is not None
        and is_given_to_kernel(base.node, functions, seen | {variable})
        for base in bases
    )


@once_per_file
def is_of_kernels(file: CheckedFile, function: FuncItem, seen: _Seen) -> bool:
    """Whether a function is a kernel, or only kernels call it. `seen`: functions that are asked already."""
    reach = reach_of(file, function)
    uses = reach.uses.named(POSSIBLE)
    if any(traced.gives_refs for traced in (*reach.uses.traced, *reach.transformations)):
        return True
    if any(_is_handed_over(named, file) for use in uses for named in _names_of_partials(use.expression, file)):
        return True
    calls = [use.call for use in uses if use.call is not None]
    return 0 < len(calls) == len(uses) and all(_is_in_kernel(call, file, seen | {function}) for call in calls)


def _is_in_kernel(call: CallExpr, file: CheckedFile, seen: _Seen) -> bool:
    around = [node for node in surroundings(call, file).around if isinstance(node, FuncItem) and node not in seen]
    return any(is_of_kernels(file, function, seen) for function in around)


def _names_of_partials(function: Expression, file: CheckedFile) -> Iterator[Expression]:
    """The uses of `kernel` after `kernel = partial(function, scale=2)`."""
    made = file.calls_taking.get(function)
    bound = surroundings(made, file).parent if made is not None and partial_function(made) is function else None
    targets = bound.lvalues if isinstance(bound, AssignmentStmt) else []
    for target in targets:
        if isinstance(target, NameExpr) and target.node is not None:
            yield from (name for name in file.uses_by_name.get(target.name, ()) if name.node is target.node)


def _is_handed_over(function: Expression, file: CheckedFile) -> bool:
    call = file.calls_taking.get(function)
    return call is not None and any(
        traced.gives_refs and traced.function is function for traced in traced_calls(file, call)
    )
