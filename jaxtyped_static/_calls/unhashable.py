"""Says which argument JAX means when it refuses to hash one: JAX raises before anybody could see the call.

The call is read from the source, at the place where the traceback ends. Nothing is run again: only names, attributes
and displays (`[1, 2]`) are looked at.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import linecache
import re
from types import FrameType, MethodType, TracebackType
from typing import Any, Final

from jaxtyped_static._calls.static_arguments import static_arguments
from jaxtyped_static._calls.verification import Function
from jaxtyped_static._calls.watching import Call, compiled_of
from jaxtyped_static._contract import check_static
from jaxtyped_static._errors import StaticContractError
from jaxtyped_static._values.refusals import Refused
from jaxtyped_static._values.words import Reason

_OF_JAX: Final = "Non-hashable static arguments"
_CLASS: Final = re.compile(r"object of type <class '([^']*)'>")
_OF_THAT_CLASS: Final[dict[str, Any]] = {"list": [], "dict": {}, "set": set(), "bytearray": bytearray()}


class _Unknown:
    """Stands for the value of an expression that is not looked at."""


def add_note(error: BaseException | None) -> None:
    """Adds a line to JAX's error about a static argument without a hash: which one it is, and what to pass instead."""
    if not isinstance(error, ValueError) or not str(error).startswith(_OF_JAX):
        return
    with contextlib.suppress(Exception):  # There may be no source, and names may be deleted.
        refusal = _refusal(error.__traceback__, str(error))
        if refusal is not None and str(refusal) not in getattr(error, "__notes__", ()):
            error.add_note(str(refusal))


def _refusal(traceback: TracebackType | None, message: str) -> StaticContractError | None:
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    call = None if traceback is None else _call_at(traceback)
    if call is None:
        return None
    function = Function(call)
    arguments = [each for each in static_arguments(call, function.parameters) if not each.is_default]
    unknown = [each for each in arguments if isinstance(each.value, _Unknown)]
    for argument in arguments:
        if (error := _fault(argument.value)) is not None:
            return error.in_call(function.name, argument.parameter)
    if len(unknown) == 1:
        return _fault_by_message(message).in_call(function.name, unknown[0].parameter)
    return None


def _fault(value: Any) -> StaticContractError | None:
    try:
        hash(value)
    except Exception:
        try:
            check_static(value)
        except StaticContractError as error:
            return error
    return None


def _fault_by_message(message: str) -> StaticContractError:
    """Returns what is wrong with an object of which only JAX's message is known: it names the class."""
    found = _CLASS.search(message)
    name = "it" if found is None else found[1].rpartition(".")[2]
    if name in _OF_THAT_CLASS and (error := _fault(_OF_THAT_CLASS[name])) is not None:
        return error
    if name in ("ArrayImpl", "ndarray"):
        return Refused(Reason.ARRAY, "Array" if name == "ArrayImpl" else name).as_error("")
    return Refused(Reason.UNHASHABLE, name, "JAX could not hash it").as_error("")


def _call_at(traceback: TracebackType) -> Call | None:
    """Returns the call of a compiled function that was running; arguments that are not known are of `_Unknown`."""
    node, frame = _node_at(traceback), traceback.tb_frame
    if node is None or any(isinstance(each, ast.Starred) for each in node.args):
        return None
    compiled: Any = _value(node.func, frame)
    args = [_value(each, frame) for each in node.args]
    kwargs = {each.arg: _value(each.value, frame) for each in node.keywords if each.arg is not None}
    if isinstance(compiled, MethodType):
        args, compiled = [compiled.__self__, *args], compiled.__func__
    info: Any = compiled_of(compiled)
    if info is None:
        return None
    fun = compiled.__wrapped__
    return Call(fun, info, tuple(args), kwargs, info.static_argnums, info.static_argnames, is_ours=True)


def _node_at(traceback: TracebackType) -> ast.Call | None:
    code = traceback.tb_frame.f_code
    position = list(code.co_positions())[traceback.tb_lasti // 2]
    tree = ast.parse("".join(linecache.getlines(code.co_filename, traceback.tb_frame.f_globals)))
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return next((call for call in calls if _position(call) == position), None)


def _position(node: ast.expr) -> tuple[int | None, ...]:
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def _value(node: ast.expr, frame: FrameType) -> Any:
    match node:
        case ast.Name(id=name):
            return {**vars(builtins), **frame.f_globals, **frame.f_locals}.get(name, _Unknown())
        case ast.Attribute(value=holder, attr=name):
            return getattr(_value(holder, frame), name, _Unknown())
        case ast.Constant(value=value):
            return value
        case ast.List() | ast.ListComp():
            return []
        case ast.Dict() | ast.DictComp():
            return {}
        case ast.Set() | ast.SetComp():
            return set()
    return _Unknown()
