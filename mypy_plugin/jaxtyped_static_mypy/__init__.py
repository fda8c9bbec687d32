"""The mypy plugin of jaxtyped-static: `plugins = ["jaxtyped_static_mypy"]`.

knowledge   what is known of types and functions, as tables
syntax      walks over mypy's trees
compat      mypy's private API
source      the file being checked, by its syntax
facts       what the code declares
libraries   what is known of each library
markers     what is marked static
classes     what a class is, by its facts
jit         what is compiled, with which static lists
reach       how a function reaches JAX, and how often it runs
judgement   a type -> its faults against the static contract
flow        what values are in function bodies: traced, changed, new each time
rules       error codes, messages and checks
reporting   faults -> mypy's errors
hooks       which check runs when mypy calls a hook of the plugin
plugin      what mypy loads
config      the settings
memory      forgets what functions were decorated to keep
digest      identifies this version of the plugin
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
