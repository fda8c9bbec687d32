"""jax-call: a call of a compiled function with arguments that it does not take."""

from collections.abc import Sequence
from typing import Final

from mypy.errorcodes import CALL_ARG
from mypy.nodes import ArgKind, CallExpr, Decorator, Expression, FuncDef, FuncItem, MemberExpr, RefExpr
from mypy.types import CallableType

from ..flow.handed_functions import counted
from ..jit.signatures import function_name
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile, once_per_file
from ..source.surroundings import surroundings
from ..syntax.arguments import unpacks
from . import CODES
from ._compiled_methods import CompiledMethod, compiled_method
from ._refused import is_expected

_CODE: Final = CODES["jax-call"]
_WRONG_CALL: Final = Message(
    'This call of "{function}" {does}, so it raises', "pass what the function takes", kind="arguments-of-call"
)


def check_arguments(call: CallExpr, signature: CallableType, file: CheckedFile) -> None:
    """Reports a call that Python refuses, where users do not see that mypy reports it, as in `check`."""
    if file.settings.shows(CALL_ARG.code, file.options) or signature.is_ellipsis_args or unpacks(call):
        return
    does = misfit(call.arg_names, list(zip(signature.arg_names, signature.arg_kinds, strict=True)))
    is_written = does is not None and any(one is call for one in file.calls)  # mypy makes a call of `partial(f, x)`
    called = _called(call.callee, signature, file) if is_written else None
    if does is not None and called is not None and not is_expected(call, file):
        statement = _WRONG_CALL.fill(function=called.name, does=does)
        report(file, call, statement, _CODE, harm=called.harm, questions=called.questions)


def _called(callee: Expression, signature: CallableType, file: CheckedFile) -> CompiledMethod | None:
    """What a call surely reaches, if the source shows that."""
    if isinstance(callee, MemberExpr) and callee.node is None:
        return compiled_method(callee, signature, file)
    name = function_name(signature)
    is_one = isinstance(callee, RefExpr) and _function_of(callee) not in _defined_again(file)
    return CompiledMethod(name) if name and is_one else None


def _function_of(callee: RefExpr) -> FuncDef | None:
    definition = callee.node
    function = definition.func if isinstance(definition, Decorator) else definition
    return function if isinstance(function, FuncDef) else None


@once_per_file
def _defined_again(file: CheckedFile) -> frozenset[FuncDef]:
    """Functions that are not alone with their name, of which mypy only has the type of the first."""
    by_name: dict[tuple[FuncItem | None, str], list[FuncDef]] = {}
    for function in file.by_kind.of(FuncDef):
        by_name.setdefault((surroundings(function, file).function, function.name), []).append(function)
    return frozenset(function for functions in by_name.values() if len(functions) > 1 for function in functions)


def misfit(passed: Sequence[str | None], parameters: Sequence[tuple[str | None, ArgKind]]) -> str | None:
    """What is wrong with the arguments of a call, in words; None if nothing is. `passed`: their names, if they have."""
    wrong = unfit(passed, parameters)
    if wrong is not None:
        return wrong
    by_position = [name for name, kind in parameters if kind.is_positional()]
    filled = by_position[: sum(name is None for name in passed)]
    missing = _missing(parameters, filled, [name for name in passed if name is not None])
    return f'leaves out "{missing}"' if missing is not None else None


def unfit(passed: Sequence[str | None], parameters: Sequence[tuple[str | None, ArgKind]]) -> str | None:
    """The same of the arguments that are there, of a partial, which may leave out others."""
    takes = {kind for _, kind in parameters}
    by_position = [name for name, kind in parameters if kind.is_positional()]
    count = sum(name is None for name in passed)
    if count > len(by_position) and ArgKind.ARG_STAR not in takes:
        return f"passes {counted(count, 'positional argument')}, of which it takes {len(by_position)}"
    given = [name for name in passed if name is not None]
    filled, named = by_position[:count], [name for name, kind in parameters if not kind.is_star()]
    unknown = next((name for name in given if name not in named and ArgKind.ARG_STAR2 not in takes), None)
    if unknown is not None:
        return f'passes "{unknown}", which it does not take'
    twice = next((name for name in given if name in filled), None)
    return f'passes "{twice}" twice' if twice is not None and ArgKind.ARG_STAR2 not in takes else None


def _missing(
    parameters: Sequence[tuple[str | None, ArgKind]], filled: Sequence[str | None], given: Sequence[str]
) -> str | None:
    """The first parameter that has no default and gets nothing."""
    behind = [(name, kind) for name, kind in parameters if not kind.is_star()][len(filled) :]
    needed = (name for name, kind in behind if kind.is_required() and name is not None)
    return next((name for name in needed if name not in given), None)
