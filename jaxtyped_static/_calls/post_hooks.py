"""The hook that JAX calls after a call which its C++ cache answers: ours goes in front of the one that JAX sets.

JAX has it for `jax_debug_nans`. Where it is kept changed with JAX 0.8.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, Protocol, TypeAlias

Hook: TypeAlias = Callable[[Any, tuple[Any, ...], dict[str, Any], Any], None]
# Gets the compiled function and the arguments of a call; it may raise, and then the call does.
Hit: TypeAlias = Callable[[Any, Any, Any], None]


def replace(module: ModuleType, name: str, new: Any) -> Callable[[], None]:
    """Replaces a name of a module; the returned function undoes it, unless somebody else has replaced it since."""
    old = getattr(module, name)
    setattr(module, name, new)

    def restore() -> None:
        if getattr(module, name) is new:
            setattr(module, name, old)

    return restore


class Hooks(Protocol):
    """Installs our post hook in front of JAX's own."""

    def join_thread(self) -> None:
        """Watches the hits of this thread, too, if JAX has set a hook for the thread alone."""

    def restore(self) -> None:
        """Leaves JAX its own hook."""


class NoHooks:
    """Reports no hits."""

    def join_thread(self) -> None:
        """See the protocol."""

    def restore(self) -> None:
        """See the protocol."""


class _Chained:
    """A post hook that runs JAX's hook and then reports the call."""

    def __init__(self, hooks: StateHooks | AttributeHooks, hit: Hit, wanted: Hook | None) -> None:
        self.hooks = hooks
        self.hit = hit
        self.wanted = wanted

    def __call__(self, compiled: Any, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> None:
        if self.wanted is not None:
            self.wanted(compiled, args, kwargs, output)
        if self.hooks.ended:
            self.hooks.leave_thread()
        else:
            self.hit(compiled, args, kwargs)


def _wanted(hook: Any) -> Hook | None:
    wanted: Hook | None = hook.wanted if isinstance(hook, _Chained) else hook
    return wanted


class StateHooks:
    """From JAX 0.8 on: replaces JAX's state of the post hook, and chains the hooks that JAX sets.

    Entering and leaving `jax.debug_nans` sets the hook for the thread. After leaving, the thread's hook is None, which
    hides the hook for all threads.
    """

    def __init__(self, hit: Hit, api: Any) -> None:
        self.ended = False
        self._hit = hit
        self._state = api._post_hook_state
        self._unset = api.config_ext.unset
        self._restore_name = replace(api, "_post_hook_state", self)
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
        return _Chained(self, self._hit, _wanted(hook))


class AttributeHooks:
    """Until JAX 0.7: the hook is an attribute of C++ objects, which JAX sets to its one hook or None."""

    def __init__(self, hit: Hit, api: Any) -> None:
        self.ended = False
        self._hit = hit
        self._global = api.jax_jit.global_state()
        self._of_thread = api.jax_jit.thread_local_state
        self._restore_name = replace(api, "_nan_check_posthook", self._chained(api._nan_check_posthook))
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
        return _Chained(self, self._hit, _wanted(hook))
