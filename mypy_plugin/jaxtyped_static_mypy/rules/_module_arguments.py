"""jax-call: `model.init(key, x)` and `model.apply(...)` with arguments that `__call__` of the module does not take."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Decorator, FuncDef, MemberExpr, SymbolNode, TypeInfo

from ..flow.made import constructed
from ..knowledge.full_names import CALL_METHOD, LINEN_MODULE
from ..reporting.errors import report
from ..reporting.messages import Message
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..syntax.arguments import unpacks
from ..syntax.names import last_name
from . import CODES
from ._compiled_arguments import misfit
from ._refused import is_expected

_CODE: Final = CODES["jax-call"]
_WRONG_CALL: Final = Message(
    '"{function}" hands its arguments to "{method}", and this call {does}, so it raises',
    'pass what "{method}" takes',
    kind="arguments-of-module",
)
_RUNNING: Final = frozenset({"apply", "init", "init_with_output"})
_OPTIONS: Final = frozenset({"capture_intermediates", "mutable", "rngs", "variables"})
_FIRST: Final = frozenset({"rngs", "variables"})  # what comes in front of the arguments
_KEEPING: Final = frozenset({"compact", "nowrap"})  # decorators that leave the parameters as they are
_METHOD: Final = "method"  # the option that runs another one


class _Wrong(NamedTuple):
    call: CallExpr
    function: str
    does: str


def check_module_calls(file: CheckedFile) -> bool:
    """Reports all of a file, and says if there is any: mypy lets these methods take anything."""
    for wrong in _wrong(file):
        report(file, wrong.call, _WRONG_CALL.fill(function=wrong.function, method=CALL_METHOD, does=wrong.does), _CODE)
    return bool(_wrong(file))


@once_per_file
def _wrong(file: CheckedFile) -> tuple[_Wrong, ...]:
    return tuple(_found(file))


def _found(file: CheckedFile) -> Iterator[_Wrong]:
    for call in file.calls:
        callee = call.callee
        if not isinstance(callee, MemberExpr) or callee.name not in _RUNNING or unpacks(call):
            continue
        made = made_by(callee.expr, file)
        info = constructed(made) if isinstance(made, CallExpr) else None
        if info is None or info.fallback_to_any or not _is_of_linen(info, callee.name):
            continue
        symbol = info.get(CALL_METHOD)
        does = _misfit(call, symbol.node if symbol is not None else None)
        if does is not None and not is_expected(call, file):
            yield _Wrong(call, f"{info.name}.{callee.name}", does)


def _is_of_linen(info: TypeInfo, method: str) -> bool:
    """Whether a method is that of Linen's modules, which a class may replace."""
    symbol = info.get(method)
    return symbol is not None and symbol.fullname == f"{LINEN_MODULE}.{method}"


def _misfit(call: CallExpr, method: SymbolNode | None) -> str | None:
    """What is wrong with the arguments that a call hands on; None if nothing is, or that is not known."""
    function = method
    if isinstance(method, Decorator):
        function = method.func if all(last_name(one) in _KEEPING for one in method.original_decorators) else None
    if not isinstance(function, FuncDef) or _METHOD in call.arg_names:
        return None
    given = [name for name in call.arg_names if name not in _OPTIONS]
    has_named = not _FIRST.isdisjoint(call.arg_names) and (not given or given[0] is not None)
    parameters = list(zip(function.arg_names, function.arg_kinds, strict=True))
    return misfit(given if has_named else given[1:], parameters[1:])
