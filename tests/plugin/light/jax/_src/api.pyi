"""Where jax defines `jit`: by this the command tells it from another module of that name."""

from typing import Any

def jit(fun: Any = ..., **options: Any) -> Any: ...
