import dataclasses
from collections.abc import Callable
from typing import TypeVar, dataclass_transform, overload

from jaxtyped_static.fields import field

__all__ = ["dynamic_dataclass"]

_T = TypeVar("_T")

@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def dynamic_dataclass(cls: type[_T], /) -> type[_T]: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def dynamic_dataclass(
    *, repr: bool = ..., eq: bool = ..., match_args: bool = ..., kw_only: bool = ...
) -> Callable[[type[_T]], type[_T]]: ...
