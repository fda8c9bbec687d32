"""A digest of the plugin's source: mypy's cache is valid only for the same plugin.

mypy (2.4.1, `take_module_snapshot`) compares the file that `plugins` names and its `__version__`, and sees no edit of
the plugin's other modules.
"""

import functools
import hashlib
import os
from pathlib import Path


@functools.cache
def digest(folder: Path = Path(__file__).parent) -> str:
    """Computed in every run, even if all is cached; using `Path` would take twice as long."""
    walked = os.walk(folder)
    sources = [f"{parent}{os.sep}{name}" for parent, _, names in walked for name in names if name.endswith(".py")]
    found = hashlib.sha256()
    for source in sorted(sources):
        with open(source, "rb", buffering=0) as file:  # noqa: PTH123
            found.update(file.read() + b"\0")
    return found.hexdigest()[:16]
