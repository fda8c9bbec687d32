"""Which attributes the code reads that JAX traces: traced functions, and what they use, by its name."""

from collections.abc import Iterable
from typing import Final

from mypy.nodes import FuncItem, MemberExpr, NameExpr, TypeInfo

from ..classes.self_uses import reached_from, uses_by_method
from ..reach.roots import roots_of
from ..source.checked_file import CheckedFile, once_per_file
from ..syntax.trees import nodes_below

_CALLED: Final = "__call__"


def reads_in_traces(names: Iterable[str], info: TypeInfo, file: CheckedFile) -> bool:
    """Whether traced code of the file reads one of these attributes, also by methods of a class that it uses."""
    read, uses = names_read_in_traces(file), uses_by_method(info)
    methods = [name for name in uses if name in read or name == _CALLED]
    by_methods = (reached.attributes | reached.methods for reached in (reached_from(n, uses, info) for n in methods))
    return not read.union(*by_methods).isdisjoint(names) if read else False


@once_per_file
def names_read_in_traces(file: CheckedFile) -> frozenset[str]:
    """The names of attributes that traced functions read, and functions of the file that they use."""
    read, seen, pending = set[str](), set[FuncItem](), list(roots_of(file))
    while pending:
        function = pending.pop()
        if function in seen:
            continue
        seen.add(function)
        for below in nodes_below(function.body):
            if isinstance(below, MemberExpr):
                read.add(below.name)
            if isinstance(below, NameExpr | MemberExpr) and not _is_dunder(below.name):
                pending += file.functions_named.get(below.name, ())
    return frozenset(read)


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
