import dataclasses
from collections.abc import Callable
from typing import TypeVar, dataclass_transform, overload

from jaxtyped_static.fields import field

__all__ = ["static_dataclass"]

_T = TypeVar("_T")

@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def static_dataclass(cls: type[_T], /) -> type[_T]: ...
@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field, dataclasses.field))
def static_dataclass(
    *, repr: bool = ..., match_args: bool = ..., kw_only: bool = ..., slots: bool = ...
) -> Callable[[type[_T]], type[_T]]: ...
