"""The mypy plugin of jaxtyped-static: `plugins = ["jaxtyped_static_mypy"]`.

Facts (what the code declares) -> judgement (a type's verdict) -> rules (message and advice per code) -> plugin
(dispatch).
"""

from .config.daemon import version
from .plugin import plugin as plugin


def __getattr__(name: str) -> str:
    """`__version__`: mypy compares it, and of the files of a plugin only this one."""
    if name == "__version__":
        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
