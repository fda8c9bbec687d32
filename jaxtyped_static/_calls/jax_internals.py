"""Private names of JAX for watching calls. Only `post_hooks`, `jax_keys` and `jax_names` use others.

A call that JAX's C++ cache answers runs no Python code except the post hook, which `jax_debug_nans` uses, too. Any
other call goes through one Python function, which JAX looks up in its module each time, so it can be replaced. Whether
it traced is known from an event that JAX's own tests count.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import os
import weakref
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple, Protocol

import jax

from jaxtyped_static._calls.post_hooks import AttributeHooks, Hit, Hooks, NoHooks, StateHooks, replace

KNOWN_VERSIONS: Final = "0.5 to 0.12"
# JAX 0.9.0 has only the second; in other versions that one has other parameters.
_MISS_FUNCTIONS: Final = ("_infer_params", "_trace_for_jit")
_MISS_PARAMETERS: Final = ["fun", "ji", "args", "kwargs"]
# The first until JAX 0.8, the second from 0.9 on.
_TRACE_EVENTS: Final = frozenset({"create_pjit_jaxpr", "trace_to_jaxpr"})


class JitInfo(Protocol):
    """The options that JAX keeps for a compiled function, one object for each; the lists are complete."""

    static_argnums: tuple[int, ...]
    static_argnames: tuple[str, ...]


class Watcher(Protocol):
    """Receives calls. `hit` may raise; then the call raises instead of returning its result."""

    def miss(self, proceed: Callable[..., Any], fun: Any, info: JitInfo, args: Any, kwargs: Any) -> Any:
        """Handles a call for which JAX looks up a traced program, or traces, in `proceed(fun, info, args, kwargs)`."""

    def hit(self, compiled: Any, args: Any, kwargs: Any) -> None:
        """Handles a call for which JAX ran a compiled program without looking further."""

    def traces(self) -> None:
        """Called when JAX is about to run a function in order to trace it."""


def info_of(compiled: object) -> JitInfo | None:
    """Returns the options of a compiled function; None for anything else."""
    info: JitInfo | None = getattr(compiled, "_jit_info", None)
    if info is not None or not hasattr(compiled, "eval_shape"):
        return info
    # Before JAX 0.6, the options are closed over by functions on the object.
    method = inspect.unwrap(compiled.eval_shape)
    names = getattr(getattr(method, "__code__", None), "co_freevars", ())
    closed_over = dict(zip(names, getattr(method, "__closure__", None) or (), strict=False))
    return closed_over["jit_info"].cell_contents if "jit_info" in closed_over else None


def program_in(found: Any) -> object | None:
    """Returns the traced program in what JAX's look-up returned, the same object for each call that it serves."""
    with contextlib.suppress(Exception):
        program: object = found[0].params["jaxpr"]
        weakref.ref(program)
        return program
    return None


def find_program(fun: Any, info: JitInfo, args: Any, kwargs: Any) -> object | None:
    """Returns the traced program of a call that JAX has answered, by looking it up again; None if that fails."""
    places = _places()
    with contextlib.suppress(Exception):
        return program_in(getattr(places.pjit, places.miss_function)(fun, info, args, kwargs))
    return None


_generation: Callable[[], object] | None = None


def generation() -> object:
    """Returns an object that is replaced by `jax.clear_caches()`.

    Raises:
        RuntimeError: the private names of this JAX version are unknown.
    """
    global _generation
    if _generation is None:
        _generation = _places().util.cache(max_size=1, trace_context_in_key=False)(object)
    return _generation()


def install(watcher: Watcher, *, hits: bool) -> Callable[[], None]:
    """Makes JAX report its calls, in all threads, to the watcher; returns a function that ends this.

    Args:
        watcher: receives the calls.
        hits: whether to report calls that JAX's C++ cache answers, too: each of them then runs Python code.

    Raises:
        RuntimeError: the private names of this JAX version are unknown.
    """
    places = _places()
    _hide_our_frames()
    hooks = places.hooks(watcher.hit, places.api) if hits else NoHooks()
    miss = _miss(watcher, hooks.join_thread, getattr(places.pjit, places.miss_function))
    restore_miss = replace(places.pjit, places.miss_function, miss)
    listener = _listener(watcher, places.util.test_event_listener)
    restore_listener = replace(places.util, "test_event_listener", listener)

    def uninstall() -> None:
        restore_miss()
        restore_listener()
        hooks.restore()

    return uninstall


@functools.cache
def _hide_our_frames() -> None:
    """Hides our frames, as JAX hides its own, in tracebacks and in the source locations of a program."""
    for name in ("traceback_util", "source_info_util"):
        register = getattr(importlib.import_module(f"jax._src.{name}"), "register_exclusion", None)
        if register is not None:
            register(f"{Path(__file__).parents[1]}{os.sep}")


class _Places(NamedTuple):
    api: ModuleType
    pjit: ModuleType
    util: ModuleType
    miss_function: str
    hooks: Callable[[Hit, ModuleType], Hooks]


def _places() -> _Places:
    try:
        api, pjit, util = (importlib.import_module(f"jax._src.{name}") for name in ("api", "pjit", "util"))
        miss_function = next(name for name in _MISS_FUNCTIONS if hasattr(pjit, name))
        parameters = list(inspect.signature(getattr(pjit, miss_function)).parameters)
        _ = util.test_event_listener, api._nan_check_posthook
        hooks = StateHooks if hasattr(api, "_post_hook_state") else AttributeHooks
    except (ImportError, AttributeError, StopIteration) as error:
        raise _unknown_jax() from error
    if parameters != _MISS_PARAMETERS:
        raise _unknown_jax()
    return _Places(api, pjit, util, miss_function, hooks)


def _unknown_jax() -> RuntimeError:
    return RuntimeError(
        f"calls of compiled functions cannot be watched in JAX {jax.__version__}, only in JAX {KNOWN_VERSIONS}; "
        f"install one of those, or a newer jaxtyped-static"
    )


def _miss(watcher: Watcher, join_thread: Callable[[], None], original: Callable[..., Any]) -> Callable[..., Any]:
    def infer(fun: Any, ji: JitInfo, args: Any, kwargs: Any) -> Any:
        join_thread()
        return watcher.miss(original, fun, ji, args, kwargs)

    return infer


def _listener(watcher: Watcher, previous: Callable[..., None] | None) -> Callable[..., None]:
    def listen(name: str, *args: Any) -> None:
        if name in _TRACE_EVENTS:
            watcher.traces()
        if previous is not None:
            previous(name, *args)

    return listen
