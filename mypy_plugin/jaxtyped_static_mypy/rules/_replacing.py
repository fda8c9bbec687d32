"""Writes the text that makes parameters static: the lists of a jit call, or a marked annotation."""

from collections.abc import Iterable

from mypy.nodes import FuncDef
from mypy.types import CallableType

from ..jit.application import Application
from ..jit.written_lists import render_list
from ..markers.annotations import render
from ..markers.lifting import is_kept


def as_static(application: Application, index: int, others: Iterable[int]) -> str | None:
    """What to write to make a parameter static; where markers are not read, together with `others`."""
    function = application.call.function
    if application.call.row.reads_markers and function is not None:
        return _marked(function, index)
    return static_lists(application, [index, *others])


def static_lists(application: Application, added: Iterable[int]) -> str | None:
    """`static_argnames=("n", "mode")`: the lists with these parameters added; None if they cannot be listed.

    If both lists are given, both have to be complete: JAX infers neither from the other.
    """
    site, row, signature = application.call.site, application.call.row, application.signature
    indices = sorted({*site.static_parameters(signature), *added})
    nums = [index for index in indices if signature.arg_kinds[index].is_positional()]
    names = {index: name for index in indices if (name := signature.arg_names[index]) is not None}
    by_number = row.names_option is None or bool(site.nums) or len(names) < len(indices)
    by_name = bool(site.names) or not by_number or len(nums) < len(indices)
    if (by_name and row.names_option is None) or not {*indices} <= {*names, *nums}:
        return None
    kept = [name for name in site.names if name not in signature.arg_names]  # passed through `**kwargs`
    lists = [
        render_list(row.nums_option, [*nums]) if by_number and row.nums_option is not None else None,
        render_list(row.names_option, [*names.values(), *kept]) if by_name and row.names_option is not None else None,
    ]
    return ", ".join(each for each in lists if each is not None)


def _marked(function: FuncDef, index: int) -> str | None:
    """`mode: Static[str]`; None if mypy does not keep the annotation as it was written."""
    argument, written = function.arguments[index], function.unanalyzed_type
    if argument.kind.is_star() or not isinstance(written, CallableType):
        return None
    annotation = written.arg_types[index]
    if not is_kept(annotation):
        return None
    return f"{argument.variable.name}: Static[{render(annotation)}]"
