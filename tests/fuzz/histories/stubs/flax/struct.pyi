from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform, overload

_T = TypeVar("_T")

def field(pytree_node: bool = True, *, metadata: Any = None, **kwargs: Any) -> Any: ...
@dataclass_transform(field_specifiers=(field,))
@overload
def dataclass(clz: _T, **kwargs: Any) -> _T: ...
@dataclass_transform(field_specifiers=(field,))
@overload
def dataclass(**kwargs: Any) -> Callable[[_T], _T]: ...
