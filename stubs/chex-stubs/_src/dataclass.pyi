import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar, overload

from typing_extensions import dataclass_transform

_T = TypeVar("_T")

FrozenInstanceError = dataclasses.FrozenInstanceError

def mappable_dataclass(cls: type[_T]) -> type[_T]: ...

# Unless told `mappable_dataclass=False` the constructor takes keywords only, which a `dataclass_transform` cannot say:
# positional calls are left to the run time.
@overload
@dataclass_transform(field_specifiers=(dataclasses.field,))
def dataclass(
    cls: type[_T],
    *,
    init: bool = True,
    repr: bool = True,
    eq: bool = True,
    order: bool = False,
    unsafe_hash: bool = False,
    frozen: bool = False,
    kw_only: bool = False,
    mappable_dataclass: bool = True,
) -> type[_T]: ...
@overload
def dataclass(
    cls: None = None,
    *,
    init: bool = True,
    repr: bool = True,
    eq: bool = True,
    order: bool = False,
    unsafe_hash: bool = False,
    frozen: bool = False,
    kw_only: bool = False,
    mappable_dataclass: bool = True,
) -> Callable[[type[_T]], type[_T]]: ...
def register_dataclass_type_with_jax_tree_util(data_class: type[Any]) -> None: ...
