"""jit-mutation, outside of traces: an assignment to a field of a frozen pytree, which raises wherever it runs.

That of a method to its own object is found with the class, and that in a traced function with its body.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mypy.nodes import FuncItem, NameExpr, TypeInfo

from ..compat import mypy_api
from ..compat.dependencies import record_dependency
from ..flow.changes import may_be_refused, refusing_class
from ..reach.roots import find_roots
from ..reporting.errors import report
from ..reporting.messages import Statement
from ..source.checked_file import CheckedFile, once_per_file
from ..source.nested_functions import Functions, all_outermost
from ..source.parameters import described
from ..source.selves import classes_of_selves
from ..syntax.changes import Change, changes
from . import CODES
from ._refusals import refusal


class _Refused(NamedTuple):
    change: Change
    function: FuncItem  # that assigns
    info: TypeInfo  # the frozen class


def check_frozen_assignments(file: CheckedFile) -> bool:
    """Reports those of the function that mypy is checking, and says if the file has any."""
    checked = mypy_api.outermost_function(file.api)
    for found in _refused(file).get(checked, ()) if checked is not None else ():
        record_dependency(file.api, found.info.mro)
        report(file, found.change.context, _statement(found), CODES["jit-mutation"])
    return bool(_refused(file))


def _statement(found: _Refused) -> Statement:
    written = found.change.written
    return refusal(written, written.rpartition(".")[0], described(found.function), found.info)


@once_per_file
def _refused(file: CheckedFile) -> Mapping[FuncItem, list[_Refused]]:
    read = (outermost.functions for outermost in all_outermost(file))
    found = {functions.outermost: list(_in(functions)) for functions in read if functions is not None}
    return {function: refused for function, refused in found.items() if refused}


def _in(functions: Functions) -> Iterator[_Refused]:
    assigned = {inner: list(filter(may_be_refused, changes(nodes))) for inner, nodes in functions.nodes.items()}
    if not any(assigned.values()) or find_roots(functions):
        return
    selves = classes_of_selves(functions.file)
    for inner, made in assigned.items():
        for change in made:
            target = change.target.node if isinstance(change.target, NameExpr) else None
            info = refusing_class(change, functions) if target not in selves else None
            if info is not None and not _is_own(functions.outermost, info):
                yield _Refused(change, inner, info)


def _is_own(function: FuncItem, info: TypeInfo) -> bool:
    """Whether a method is one of the frozen class, which may still be making the object, perhaps by another name."""
    return bool(function.info) and (info in function.info.mro or function.info in info.mro)
