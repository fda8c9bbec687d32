from collections.abc import Callable
from typing import Any

def checkpoint(
    fun: Callable[..., Any], *, prevent_cse: bool = True, policy: Any = None, static_argnums: int | tuple[int, ...] = ()
) -> Callable[..., Any]: ...
