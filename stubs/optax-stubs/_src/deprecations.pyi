from collections.abc import Callable
from typing import Any

def deprecation_getattr(module: str, deprecations: dict[str, tuple[str, Any]]) -> Callable[[str], Any]: ...
def warn_deprecated_function(
    fun: Callable[..., Any], replacement: str | None = None, version_removed: str | None = None
) -> Callable[..., Any]: ...
