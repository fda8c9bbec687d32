"""Names of JAX, Equinox and Flax by which a preparation is known, with the releases in which each was seen.

JAX reports the seconds of each lowering and compilation as events with a public listener. For whom it was is only known
from the stack: the frames below are private. Where one is missing, the preparation is recorded without its caller.
"""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType, FunctionType, MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

import jax
import jax.monitoring

from jaxtyped_static._annotations.surroundings import closure_of

LOWERED: Final = "/jax/core/compile/jaxpr_to_mlir_module_duration"  # 0.5 to 0.12
COMPILED: Final = "/jax/core/compile/backend_compile_duration"  # 0.5 to 0.12
FOUND_ON_DISK: Final = "/jax/compilation_cache/cache_hits"  # 0.5 to 0.12
NOT_ON_DISK: Final = "/jax/compilation_cache/cache_misses"  # 0.5 to 0.12
_JAX: Final = f"{Path(jax.__file__).parent}{os.sep}"


def is_of_jax(file: str) -> bool:
    """Returns whether a source file is JAX's own."""
    return file.startswith(_JAX)


Shapes: TypeAlias = tuple[tuple[tuple[int, ...], str], ...]


class Caller(NamedTuple):
    """The call of a compiled function for which JAX prepares a program.

    Attributes:
        frame: JAX's frame that handles the call.
        fun: the Python function; None if it is not known.
        args: all positional arguments.
        kwargs: all arguments given by name.
        made_by: `jit`, `pmap`, or `lower` for what is prepared ahead of time.
        name: what JAX calls the program, if there is no function.
        info: JAX's options of the compiled function; None if they are not known.
        shapes: those of the arguments of what is compiled ahead of time.
        options: those given for that.
        static_argnums: the static positions, if there are no options.
    """

    frame: FrameType
    fun: Any
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = MappingProxyType({})
    made_by: str = "jit"
    name: str = ""
    info: Any = None
    shapes: Shapes = ()
    options: Mapping[str, str] = MappingProxyType({})
    static_argnums: tuple[int, ...] = ()


def caller_of(frame: FrameType | None) -> Caller | None:
    """Returns the innermost call of a compiled function around a frame; None if no known frame of JAX is there."""
    evaluated = ahead_of_time = None
    while frame is not None:
        code = frame.f_code
        if not is_of_jax(code.co_filename):
            if ahead_of_time is not None:
                break
        elif code.co_name in _FRAMES:
            found = _FRAMES[code.co_name](frame)
            if found is not None and found.made_by != "lower":
                return found
            ahead_of_time = found or ahead_of_time  # The outermost: `.lower` calls `.trace`, and `Traced.lower`.
        elif code.co_name == _EVALUATION and evaluated is None:
            evaluated = Caller(frame, None, name=str(frame.f_locals.get("name", "")))
        frame = frame.f_back
    return ahead_of_time or evaluated


def frame_outside_of_jax(frame: FrameType | None) -> FrameType | None:
    """Returns the frame that called JAX, from one of JAX or of this package below it."""
    while frame is not None and not is_of_jax(frame.f_code.co_filename):
        frame = frame.f_back
    while frame is not None and is_of_jax(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _cache_miss(frame: FrameType) -> Caller | None:
    """Of `jit` (`pjit.py`) and, until JAX 0.9, of `pmap` in C++ (`api.py`)."""
    held = frame.f_locals
    if not isinstance(held.get("args"), tuple):
        return None  # `util.cache` has a function of the same name.
    if not frame.f_code.co_filename.endswith("pjit.py"):
        return _pmap_in_c(frame, held)
    if held.get("fun") is None:
        return None
    return Caller(frame, held["fun"], held["args"], held.get("kwargs") or {}, info=held.get("jit_info"))


def _pmap_in_c(frame: FrameType, held: Mapping[str, Any]) -> Caller | None:
    # In 0.6 to 0.8, a partial with the function, axes in, axes out, static positions, ...
    bound: Any = getattr(held.get("prepare_pmap_fn"), "args", ())
    fun, static = (bound[0], bound[3]) if len(bound) > 3 else (held.get("fun"), held.get("static_broadcasted_tuple"))
    if fun is None:
        return None
    return Caller(frame, fun, held["args"], held.get("kwargs") or {}, "pmap", static_argnums=tuple(static or ()))


def _ahead_of_time(frame: FrameType) -> Caller | None:
    """Of `Lowered.compile` in `stages.py`; what the same method of others belongs to is found further out."""
    lowered = frame.f_locals.get("self")
    lowering = getattr(lowered, "_lowering", None)
    if lowering is None:
        return None
    shapes = shapes_of(getattr(lowered, "args_info", ()))
    options = {"compiler_options": str(frame.f_locals.get("compiler_options") or "()")}
    name = str(getattr(lowering, "_name", ""))
    return Caller(frame, None, made_by="lower", name=name, shapes=shapes, options=options)


def _lowering(frame: FrameType) -> Caller | None:
    """Of `.lower`, `.trace` and `.eval_shape` of a compiled function, and of `Traced.lower`."""
    if not frame.f_code.co_filename.endswith(("stages.py", "pjit.py")):
        return None
    traced = frame.f_locals.get("self", frame.f_locals.get("jit_func"))
    name = getattr(traced, "fun_name", None) or getattr(traced, "__name__", "")
    return Caller(frame, None, made_by="lower", name=str(name))


# Those of JAX 0.5 to 0.12.
_FRAMES: Final[dict[str, Callable[[FrameType], Caller | None]]] = {
    "cache_miss": _cache_miss,
    "compile": _ahead_of_time,
    **dict.fromkeys(
        ("lower", "trace", "eval_shape", "jit_lower", "jit_trace", "jit_eval_shape"),
        _lowering,
    ),
}

# Runs the program of a compiled function: below the frames above, or for the backward pass of its gradient alone.
_EVALUATION: Final = "_pjit_call_impl_python"


def operation_of(fun: Any) -> str:
    """Returns the name of the primitive that runs outside of jit; empty for any other function."""
    return str(getattr(fun, "__name__", "")) if getattr(fun, "_apply_primitive", False) else ""


def transformation_by(fun: FunctionType) -> str:
    """Returns the name of the function of JAX that made another: `grad`, `vmap`; empty for any other function."""
    if not is_of_jax(fun.__code__.co_filename):
        return ""
    outer, _, is_inner = fun.__code__.co_qualname.lstrip("_").partition(".<locals>")  # `grad.<locals>.grad_f`
    if outer != "api_boundary":
        return outer if is_inner else ""
    inner = closure_of(fun).get("fun")  # It stands around each of them. 0.5 to 0.12
    return transformation_by(inner) if isinstance(inner, FunctionType) else ""


def body_of(fun: Any) -> str:
    """Returns where the body of a `scan` or the like is defined, which runs outside of jit: `body at train.py:12`.

    Read from the primitive's parameters, which the function closes over; empty if there is none.
    """
    for cell in getattr(fun, "__closure__", None) or ():
        if isinstance(cell.cell_contents, dict):
            for value in cell.cell_contents.values():
                for part in value if isinstance(value, tuple) else (value,):
                    info = getattr(getattr(part, "jaxpr", part), "debug_info", None)
                    where = getattr(info, "func_src_info", None)  # 0.5 to 0.12
                    if isinstance(where, str):
                        return where
    return ""


def mapped_by(frame: FrameType | None) -> Any:
    """Returns the function that `lax.map` maps: it scans a function of its own. None outside of it."""
    while frame is not None and is_of_jax(frame.f_code.co_filename):
        if frame.f_code.co_name == "map" and frame.f_code.co_filename.endswith("loops.py"):
            return frame.f_locals.get("f")  # 0.5 to 0.12
        frame = frame.f_back
    return None


def dynamic_of(caller: Caller) -> tuple[list[Any], dict[str, Any]]:
    """Returns the arguments of a call that are not static."""
    static, names = (caller.static_argnums, ()) if caller.info is None else _static_of(caller.info)
    places = {number if number >= 0 else number + len(caller.args) for number in static}
    positional = [value for place, value in enumerate(caller.args) if place not in places]
    return positional, {name: value for name, value in caller.kwargs.items() if name not in names}


def _static_of(info: Any) -> tuple[tuple[int, ...], tuple[str, ...]]:
    return tuple(info.static_argnums or ()), tuple(info.static_argnames or ())


def shapes_of(tree: Any) -> Shapes:
    """Returns the shapes and dtypes of the arrays and numbers in a tree."""
    leaves = (leaf for leaf in jax.tree_util.tree_leaves(tree) if isinstance(leaf, _NUMBERS) or hasattr(leaf, "shape"))
    return tuple(map(_shape_of, leaves))


def _shape_of(leaf: Any) -> tuple[tuple[int, ...], str]:
    return (tuple(leaf.shape), str(leaf.dtype)) if hasattr(leaf, "shape") else ((), str(jax.dtypes.result_type(leaf)))


_NUMBERS: Final = (bool, int, float, complex)


# 0.5 to 0.12
_OPTIONS: Final = (
    *("donate_argnums", "donate_argnames", "in_shardings_leaves", "out_shardings_leaves", "in_layouts_leaves"),
    *("out_layouts_leaves", "device", "backend", "keep_unused", "inline", "compiler_options_kvs"),
)


def options_of(info: Any) -> dict[str, str]:
    """Returns the options of `jit` that make another program, in short; empty if they are not known."""
    found = {name: getattr(info, name, None) for name in _OPTIONS}
    return {name.removesuffix("_leaves").removesuffix("_kvs"): _option(value) for name, value in found.items()}


def _option(value: Any) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)


# Classes of tracers, of JAX 0.5 to 0.12.
_TRANSFORMATIONS: Final = {"BatchTracer": "vmap", "JVPTracer": "grad or jvp", "LinearizeTracer": "grad or linearize"}


def transformation_of(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """Returns what transforms a call, as its arguments show: `vmap`; empty if nothing does."""
    for leaf in jax.tree_util.tree_leaves((args, dict(kwargs))):
        if isinstance(leaf, jax.core.Tracer):
            return _TRANSFORMATIONS.get(type(leaf).__name__, "")
    return ""


class Listeners(NamedTuple):
    """Functions that JAX calls."""

    spent: Callable[..., None]
    happened: Callable[..., None]


def backends_exist() -> bool:
    """Returns whether JAX has looked for its devices: from then on, the program cannot choose them any more."""
    bridge: Any = importlib.import_module("jax._src.xla_bridge")
    return bool(getattr(bridge, "backends_are_initialized", lambda: False)())  # 0.5 to 0.12


def is_listening(listeners: Listeners) -> bool:
    """Returns whether JAX still reports its events; `jax.monitoring.clear_event_listeners()` ends it for all."""
    monitoring: Any = importlib.import_module("jax._src.monitoring")
    return listeners.spent in getattr(monitoring, "_event_duration_secs_listeners", (listeners.spent,))


def listen(listeners: Listeners) -> Callable[[], None]:
    """Makes JAX report its events; returns a function that ends this, as far as JAX has one to take a listener away."""
    jax.monitoring.register_event_duration_secs_listener(listeners.spent)
    jax.monitoring.register_event_listener(listeners.happened)

    def end() -> None:
        monitoring: Any = importlib.import_module("jax._src.monitoring")
        for name, listener in (
            ("event_duration_listener", listeners.spent),
            ("event_listener", listeners.happened),
        ):
            # With an underscore in 0.5 to 0.7.
            for take_away in (f"unregister_{name}", f"_unregister_{name}_by_callback"):
                if hasattr(monitoring, take_away):
                    with contextlib.suppress(AssertionError, ValueError):  # The program has removed all listeners.
                        getattr(monitoring, take_away)(listener)
                    break

    return end
