"""Private names of JAX for watching calls. Beside this module, only `jax_keys` and `jax_names` use such names.

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
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

import jax

KNOWN_VERSIONS: Final = "0.5 to 0.12"
# JAX 0.9.0 has only the second; in other versions that one has other parameters.
_MISS_FUNCTIONS: Final = ("_infer_params", "_trace_for_jit")
_MISS_PARAMETERS: Final = ["fun", "ji", "args", "kwargs"]
# The first until JAX 0.8, the second from 0.9 on.
_TRACE_EVENTS: Final = frozenset({"create_pjit_jaxpr", "trace_to_jaxpr"})

Hook: TypeAlias = Callable[[Any, tuple[Any, ...], dict[str, Any], Any], None]


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
    hooks = places.hooks(watcher, places.api) if hits else _NoHooks()
    miss = _miss(watcher, hooks.join_thread, getattr(places.pjit, places.miss_function))
    restore_miss = _replace(places.pjit, places.miss_function, miss)
    listener = _listener(watcher, places.util.test_event_listener)
    restore_listener = _replace(places.util, "test_event_listener", listener)

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
    hooks: Callable[[Watcher, ModuleType], _Hooks]


def _places() -> _Places:
    try:
        api, pjit, util = (importlib.import_module(f"jax._src.{name}") for name in ("api", "pjit", "util"))
        miss_function = next(name for name in _MISS_FUNCTIONS if hasattr(pjit, name))
        parameters = list(inspect.signature(getattr(pjit, miss_function)).parameters)
        _ = util.test_event_listener, api._nan_check_posthook
        hooks = _StateHooks if hasattr(api, "_post_hook_state") else _AttributeHooks
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


def _replace(module: ModuleType, name: str, new: Any) -> Callable[[], None]:
    """Replaces a name of a module; the returned function undoes it, unless somebody else has replaced it since."""
    old = getattr(module, name)
    setattr(module, name, new)

    def restore() -> None:
        if getattr(module, name) is new:
            setattr(module, name, old)

    return restore


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


# Hits


class _Hooks(Protocol):
    """Installs our post hook in front of JAX's own."""

    def join_thread(self) -> None:
        """Watches the hits of this thread, too, if JAX has set a hook for the thread alone."""

    def restore(self) -> None:
        """Leaves JAX its own hook."""


class _NoHooks:
    """Reports no hits."""

    def join_thread(self) -> None:
        """See the protocol."""

    def restore(self) -> None:
        """See the protocol."""


class _Chained:
    """A post hook that runs JAX's hook and then calls the watcher."""

    def __init__(self, hooks: _StateHooks | _AttributeHooks, watcher: Watcher, wanted: Hook | None) -> None:
        self.hooks = hooks
        self.watcher = watcher
        self.wanted = wanted

    def __call__(self, compiled: Any, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> None:
        if self.wanted is not None:
            self.wanted(compiled, args, kwargs, output)
        if self.hooks.ended:
            self.hooks.leave_thread()
        else:
            self.watcher.hit(compiled, args, kwargs)


def _wanted(hook: Any) -> Hook | None:
    wanted: Hook | None = hook.wanted if isinstance(hook, _Chained) else hook
    return wanted


class _StateHooks:
    """From JAX 0.8 on: replaces JAX's state of the post hook, and chains the hooks that JAX sets.

    Entering and leaving `jax.debug_nans` sets the hook for the thread. After leaving, the thread's hook is None, which
    hides the hook for all threads.
    """

    def __init__(self, watcher: Watcher, api: Any) -> None:
        self.ended = False
        self._watcher = watcher
        self._state = api._post_hook_state
        self._unset = api.config_ext.unset
        self._restore_name = _replace(api, "_post_hook_state", self)
        self.set_global(self._state.get_global())
        self.join_thread()

    def set_global(self, hook: Hook | None) -> None:
        """Called by JAX to set the hook for all threads."""
        self._state.set_global(self._chained(hook))

    def set_local(self, hook: Hook | None) -> None:
        """Called by JAX to set the hook for this thread."""
        self._state.set_local(self._chained(hook))

    def join_thread(self) -> None:
        """See the protocol."""
        hook = self._state.get_local()
        if hook is not self._unset and not isinstance(hook, _Chained):
            self.set_local(hook)

    def leave_thread(self) -> None:
        """Undoes what was set for this thread."""
        hook = self._state.get_local()
        if isinstance(hook, _Chained):
            self._state.set_local(hook.wanted)

    def restore(self) -> None:
        """See the protocol."""
        self.ended = True
        self._restore_name()
        self._state.set_global(_wanted(self._state.get_global()))
        self.leave_thread()

    def _chained(self, hook: Hook | None) -> _Chained:
        return _Chained(self, self._watcher, _wanted(hook))


class _AttributeHooks:
    """Until JAX 0.7: the hook is an attribute of C++ objects, which JAX sets to its one hook or None."""

    def __init__(self, watcher: Watcher, api: Any) -> None:
        self.ended = False
        self._watcher = watcher
        self._global = api.jax_jit.global_state()
        self._of_thread = api.jax_jit.thread_local_state
        self._restore_name = _replace(api, "_nan_check_posthook", self._chained(api._nan_check_posthook))
        self.join_thread()

    def join_thread(self) -> None:
        """See the protocol; None for the thread defers to the hook of all threads."""
        local = self._of_thread()
        if local.post_hook is not None and not isinstance(local.post_hook, _Chained):
            local.post_hook = self._chained(local.post_hook)
        if not isinstance(self._global.post_hook, _Chained):
            self._global.post_hook = self._chained(self._global.post_hook)

    def leave_thread(self) -> None:
        """Undoes what was set for this thread."""
        local = self._of_thread()
        local.post_hook = _wanted(local.post_hook)

    def restore(self) -> None:
        """See the protocol."""
        self.ended = True
        self._restore_name()
        self._global.post_hook = _wanted(self._global.post_hook)
        self.leave_thread()

    def _chained(self, hook: Hook | None) -> _Chained:
        return _Chained(self, self._watcher, _wanted(hook))
