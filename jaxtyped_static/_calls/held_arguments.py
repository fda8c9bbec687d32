"""What the arguments of a call stand for, and the parameters that they are bound to."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from types import FunctionType, MappingProxyType
from typing import Any, Final, NamedTuple

from jaxtyped_static._calls.held_scopes import HeldObjects, HeldValue
from jaxtyped_static._calls.static_arguments import static_positions
from jaxtyped_static._calls.watching import Call

# Stands for an argument of which is only known that it is not None.
_GIVEN: Final = object()
_NONE_NAMED: Final[Mapping[str, HeldValue]] = MappingProxyType({})


class HeldArguments(NamedTuple):
    """The arguments of a call.

    Attributes:
        positional: those by position.
        named: those by name.
        is_complete: whether there are no others.
    """

    positional: tuple[HeldValue, ...] = ()
    named: Mapping[str, HeldValue] = _NONE_NAMED
    is_complete: bool = True

    def behind(self, *first: HeldValue, **named: HeldValue) -> HeldArguments:
        """Returns these arguments after others that are bound."""
        return HeldArguments((*first, *self.positional), {**named, **self.named}, self.is_complete)

    @property
    def key(self) -> Hashable:
        """Tells calls apart that lead to different reads."""
        named = tuple((name, _key(value)) for name, value in sorted(self.named.items()))
        return tuple(map(_key, self.positional)), named, self.is_complete


NO_ARGUMENTS: Final = HeldArguments()
UNKNOWN_ARGUMENTS: Final = HeldArguments(is_complete=False)


def _key(value: HeldValue) -> Hashable:
    if value is None:
        return None
    held = value if isinstance(value, HeldObjects) else value.holder
    return held.path, tuple(map(id, held.objects)), isinstance(value, HeldObjects)


def root_arguments(call: Call) -> HeldArguments:
    """Returns the arguments of the call that was traced: of those that are traced, only whether they are None."""
    numbers = static_positions(call.static_argnums, len(call.args))
    positional = tuple(_given(value, is_static=index in numbers) for index, value in enumerate(call.args))
    named = {name: _given(value, is_static=name in call.static_argnames) for name, value in call.kwargs.items()}
    return HeldArguments(positional, named)


def _given(value: Any, *, is_static: bool) -> HeldObjects:
    return HeldObjects((value if is_static or value is None else _GIVEN,))


def bound_arguments(function: FunctionType, arguments: HeldArguments) -> dict[str, HeldValue]:
    """Returns what the parameters of a function stand for in a call."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    defaults = function.__defaults__ or ()
    found: dict[str, HeldValue] = dict.fromkeys(
        (*code.co_varnames, *code.co_cellvars)
    )  # Local variables are not known yet.
    if arguments.is_complete:
        by_name = {**dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))}
        by_name |= function.__kwdefaults__ or {}
        found |= {name: HeldObjects((default,)) for name, default in by_name.items()}
    found |= dict(zip(names, arguments.positional, strict=False))
    parameters = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]
    return found | {name: value for name, value in arguments.named.items() if name in parameters}
