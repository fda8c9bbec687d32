"""Checks functions whose name is defined twice, where mypy checks none of them (`compat/left_out`).

No hook is called for these, so that they are checked at the first hook that is called beside them: at the top level of
the file, or in the outermost function around them.
"""

from collections.abc import Mapping, Sequence

from mypy.nodes import Decorator, FuncDef, FuncItem, OverloadedFuncDef

from ..compat import mypy_api
from ..compat.left_out import are_errors_kept, check_definition, left_out_of
from ..rules import CODES
from ..source.checked_file import CheckedFile, once_per_file
from ..source.functions import functions_around

_SHOWN = frozenset(CODES.values())


def check_redefined(file: CheckedFile) -> None:
    """Checks the definitions of the function, or the top level, that mypy is checking.

    Once in each check of the file, as far as mypy keeps the errors. A decorator calls hooks, too: meanwhile nothing
    begins again.
    """
    left_out = _left_out(file)
    if not left_out:
        return
    found = left_out.get(mypy_api.outermost_function(file.api), ())
    begun = [definition for definition in found if definition not in file.begun]
    file.begun.update(begun)
    for definition in begun:
        check_definition(file.api, definition, _SHOWN.__contains__)
    if not are_errors_kept(file.api):
        file.begun.difference_update(begun)


@once_per_file
def _left_out(file: CheckedFile) -> Mapping[FuncItem | None, Sequence[FuncDef | Decorator]]:
    """What mypy leaves out, by the outermost function around it."""
    found: dict[FuncItem | None, list[FuncDef | Decorator]] = {}
    for node in file.by_kind.of(OverloadedFuncDef):
        definitions = left_out_of(node, file.api)
        around = [function.node for function in functions_around(node.line, file)]
        outer = [function for function in around if function.line < node.line]
        if definitions:
            found.setdefault(outer[0] if outer else None, []).extend(definitions)
    return found
