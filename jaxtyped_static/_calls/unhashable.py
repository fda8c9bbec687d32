"""Says which argument JAX means when it refuses to hash one: JAX raises before anybody could see the call.

The call is read from the source, at the place where the traceback ends. Nothing is run again: only names, attributes
and displays (`[1, 2]`) are looked at.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import linecache
import re
from types import FrameType, MethodType, TracebackType
from typing import Any, Final

from jaxtyped_static._calls.static_arguments import static_arguments
from jaxtyped_static._calls.verification import Function
from jaxtyped_static._calls.watching import Call, compiled_of
from jaxtyped_static._contract import check_static
from jaxtyped_static._errors import StaticContractError
from jaxtyped_static._refusals.refused import Refused
from jaxtyped_static._refusals.words import Reason

_OF_JAX: Final = "Non-hashable static arguments"
_CLASS: Final = re.compile(r"object of type <class '([^']*)'>")
_INNERMOST: Final = re.compile(r"unhashable type: '([^']*)'\s*$")
_CONTAINERS: Final = (list, tuple, dict)
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
    arguments = [argument for argument in static_arguments(call, function.parameters) if not argument.is_default]
    unknown = [argument for argument in arguments if isinstance(argument.value, _Unknown)]
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
    name, inner = _named(_CLASS, message) or "it", _named(_INNERMOST, message)
    known = name if name in _OF_THAT_CLASS else inner or ""
    if known in _OF_THAT_CLASS and (error := _fault(_OF_THAT_CLASS[known])) is not None:
        return error if known == name else _inside(error, known, name)
    for class_name in (name, inner):
        if class_name in ("ArrayImpl", "ndarray", "Array"):
            return Refused(Reason.ARRAY, "ndarray" if class_name == "ndarray" else "Array").as_error("")
    return Refused(Reason.UNHASHABLE, name, "JAX could not hash it").as_error("")


def _inside(error: StaticContractError, known: str, holder: str) -> StaticContractError:
    """Returns an error about an object in another one, at a place that only JAX has seen."""
    reason = error.reason.replace(known, f"the {known} in {holder}", 1)
    return StaticContractError(code=error.code, path="", reason=reason, advice=error.advice)


def _named(pattern: re.Pattern[str], message: str) -> str | None:
    found = pattern.search(message)
    return None if found is None else found[1].rpartition(".")[2]


def _call_at(traceback: TracebackType) -> Call | None:
    """Returns the call of a compiled function that was running; arguments that are not known are of `_Unknown`."""
    node, frame = _node_at(traceback), traceback.tb_frame
    given = None if node is None else _given(node, frame)
    if node is None or given is None:
        return None
    compiled: Any = _value(node.func, frame)
    args, kwargs = given
    while isinstance(compiled, functools.partial | MethodType):
        if isinstance(compiled, MethodType):
            args, compiled = [compiled.__self__, *args], compiled.__func__
        else:
            args, kwargs, compiled = [*compiled.args, *args], {**compiled.keywords, **kwargs}, compiled.func
    info: Any = compiled_of(compiled)
    if info is None:
        return None
    fun = compiled.__wrapped__
    return Call(fun, info, tuple(args), kwargs, info.static_argnums, info.static_argnames, is_ours=True)


def _given(node: ast.Call, frame: FrameType) -> tuple[list[Any], dict[str, Any]] | None:
    """Returns the arguments of a call; None if it is not known how many there are."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for argument in node.args:
        if not isinstance(argument, ast.Starred):
            args.append(_value(argument, frame))
            continue
        rest = _value(argument.value, frame)
        # The elements of a list that is written out are unknown to `_value`.
        if type(rest) not in (list, tuple) or isinstance(argument.value, ast.List):
            return None
        args += rest
    for keyword in node.keywords:
        value = _value(keyword.value, frame)
        if keyword.arg is not None:
            kwargs[keyword.arg] = value
        elif type(value) is not dict or isinstance(keyword.value, ast.Dict):
            return None
        else:
            kwargs |= value
    return args, kwargs


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
        case ast.Tuple(elts=elements):
            parts = tuple(_value(element, frame) for element in elements)
            return _Unknown() if any(isinstance(part, _Unknown) for part in parts) else parts
        case ast.Subscript(value=holder, slice=ast.Constant(value=key)):
            return _item(_value(holder, frame), key)
        case ast.List() | ast.ListComp():
            return []
        case ast.Dict() | ast.DictComp():
            return {}
        case ast.Set() | ast.SetComp():
            return set()
    return _Unknown()


def _item(holder: Any, key: Any) -> Any:
    try:
        return holder[key] if type(holder) in _CONTAINERS else _Unknown()
    except (LookupError, TypeError):
        return _Unknown()
