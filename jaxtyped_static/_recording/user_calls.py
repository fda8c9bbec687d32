"""The call as the program wrote it, where a library puts another one between it and JAX.

`eqx.filter_jit` and `nnx.jit` pass JAX rearranged arguments. What the user passed is in their frames.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any, Final, NamedTuple

from jaxtyped_static._annotations.surroundings import closure_of
from jaxtyped_static._calls.jax_internals import info_of
from jaxtyped_static._recording.jax_names import Caller

_MAX_FRAMES: Final = 24


class UserCall(NamedTuple):
    """A call of a compiled function.

    Attributes:
        fun: the Python function as the user wrote it.
        args: all positional arguments.
        kwargs: all arguments given by name.
        made_by: what compiled it.
        constants: whether what is no array is a constant of the program, as in `eqx.filter_jit`.
        static_argnums: the static positions.
        static_argnames: the static names.
    """

    fun: Any
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    made_by: str
    constants: bool = False
    static_argnums: tuple[int, ...] = ()
    static_argnames: tuple[str, ...] = ()


def user_call(caller: Caller) -> UserCall:
    """Returns the call that led to JAX's."""
    frame = caller.frame.f_back
    for _ in range(_MAX_FRAMES):
        if frame is None:
            break
        code = frame.f_code
        library = next((name for name in _LIBRARIES if _is_in(code.co_filename, name)), None)
        if library is None:
            break
        read = _LIBRARIES[library].get(code.co_name)
        found = read(frame.f_locals) if read is not None else None
        if found is not None:
            return found
        frame = frame.f_back
    return UserCall(caller.fun, caller.args, caller.kwargs, caller.made_by, False, *_lists(caller))


def _lists(caller: Caller) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """Returns the static positions and names; `pmap` in C++ has no names."""
    if caller.info is None:
        return caller.static_argnums, ()
    return caller.info.static_argnums, caller.info.static_argnames


def _is_in(file: str, library: str) -> bool:
    """Returns whether a file belongs to a library, as it is imported; a project may have a folder of that name."""
    module = sys.modules.get(library)
    imported_from = getattr(module, "__file__", None)
    return imported_from is not None and file.startswith(f"{Path(imported_from).parent}{os.sep}")


def _filter_jit(held: dict[str, Any]) -> UserCall | None:
    """Of `_JitWrapper` in Equinox 0.11 to 0.13."""
    wrapper = held.get("jit_wrapper") or held.get("self")
    fun = getattr(wrapper, "__wrapped__", None)
    if fun is None or not isinstance(held.get("args"), tuple):
        return None
    return UserCall(fun, held["args"], held.get("kwargs") or {}, "filter_jit", constants=True)


def _nnx_jit(held: dict[str, Any]) -> UserCall | None:
    """Of `JitWrapped` and its like in Flax 0.10 to 0.12."""
    fun = getattr(held.get("self"), "fun", None)
    if fun is None or not isinstance(held.get("args"), tuple):
        return None
    # The function that it compiles has the same parameters.
    info = info_of(getattr(held["self"], "jitted_fn", None))
    lists = ((), ()) if info is None else (info.static_argnums, info.static_argnames)
    return UserCall(fun, held["args"], held.get("kwargs") or {}, "nnx.jit", False, *lists)


def _pmap(held: dict[str, Any]) -> UserCall | None:
    """Of `pmap` from JAX 0.8 on, which compiles a function of its own; a function beside the frame has the user's."""
    infer_params = held.get("infer_params")
    held_by_it: dict[str, Any] = dict(closure_of(infer_params)) if isinstance(infer_params, FunctionType) else {}
    fun = held_by_it.get("f") or getattr(held_by_it.get("wrapped_fun"), "f", None)  # in 0.8, and from 0.9 on
    if fun is None:
        return None
    static = tuple(held_by_it.get("static_broadcasted_tuple") or ())
    return UserCall(fun, held["args"], held.get("kwargs") or {}, "pmap", static_argnums=static)


# Library → function of a frame → what it has.
_LIBRARIES: Final[dict[str, dict[str, Callable[[dict[str, Any]], UserCall | None]]]] = {
    "equinox": {"_call": _filter_jit, "_fun_wrapped": _filter_jit},
    "flax": {"__call__": _nnx_jit},
    "jax": {"wrapped": _pmap, "lower": _pmap},
}
