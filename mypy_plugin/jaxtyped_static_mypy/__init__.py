"""The mypy plugin of jaxtyped-static: `plugins = ["jaxtyped_static_mypy"]`.

facts       what the code declares
classes     what a class is, by its facts
judgement   a type -> its faults against the static contract
flow        what values are in function bodies: traced, changed, new each time
rules       error codes, messages and checks
reporting   faults -> mypy's errors
hooks       which check runs when mypy calls a hook of the plugin
"""

import sys

if sys.argv[:1] == ["-m"] and any(part.endswith(__name__) for part in sys.orig_argv) and not sys.flags.safe_path:
    # `python -m jaxtyped_static_mypy` puts the current folder first, whose modules may have the names of Python's own.
    # mypy takes the first folder for this one, and leaves it out of those that it searches.
    sys.path[0] = sys.path[1]

from .config.daemon import version
from .plugin import plugin as plugin


def __getattr__(name: str) -> str:
    """Computes `__version__`. mypy compares it, and of a plugin's files only this one."""
    if name == "__version__":
        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
