from collections.abc import Callable
from typing import Any

def cond(pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], *operands: Any) -> Any: ...
