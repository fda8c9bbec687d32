"""What the fuzzer's settings name, in every list; little of it is what such a setting is meant for."""
# mypy: disable-error-code="empty-body"

import enum
import functools
from collections.abc import Awaitable, Callable
from typing import (
    Annotated,
    Any,
    Generic,
    NamedTuple,
    NewType,
    ParamSpec,
    Protocol,
    TypedDict,
    TypeVar,
    TypeVarTuple,
    Union,
    Unpack,
    overload,
)

import jax

F = TypeVar("F", bound=Callable[..., Any])
S = TypeVar("S")
T = TypeVar("T")
P = ParamSpec("P")
Ts = TypeVarTuple("Ts")

# Functions that compile, or not.


def no_parameters() -> Any: ...
def keyword_only(*, fun: F, **options: Any) -> F: ...
def returns_none(fun: Callable[..., Any]) -> None: ...
def typed(fun: F, static_argnames: Any = None) -> F: ...
def of_parameters(fun: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Callable[P, Awaitable[T]]: ...
def starred(*args: *Ts) -> Callable[[Unpack[Ts]], None]: ...
async def asynchronous(fun: F) -> F: ...
@overload
def overloaded(fun: None = None, **options: Any) -> Callable[[F], F]: ...
@overload
def overloaded(fun: F, **options: Any) -> F: ...
def overloaded(fun: Any = None, **options: Any) -> Any: ...


class Compiler(Generic[F]):
    def __init__(self, fun: F, static_argnames: Any = ()) -> None: ...
    def __call__(self, *args: Any) -> "Compiler[F]": ...
    @staticmethod
    def static(fun: F) -> F: ...
    def method(self, fun: F) -> F: ...


anything: Any = None
shortcut = functools.partial(jax.jit, static_argnames="x")
compiled = jax.jit(lambda x: x)

# Markers, or not.

Pair = Annotated[dict[S, T], 1]
Variadic = Annotated[tuple[*Ts], 1]
Parametric = Annotated[Callable[P, T], 1]
NoParameters = Annotated[int, 1]
Nested = Union[T, list["Nested[T]"]]  # noqa: UP007, as Python 3.11 has no | for a string
Wrapped = Pair[T, int]

# Classes whose like are static or pytrees, or not.


class Box(Generic[T]):
    item: T


class Row(NamedTuple):
    item: int


class Table(TypedDict):
    item: int


class Shape(Protocol):
    item: int


class Color(enum.Enum):
    RED = 1


class Error(Exception): ...


class Meta(type): ...


class WithMeta(metaclass=Meta): ...


Number = NewType("Number", int)
