"""The mypy plugin of jaxtyped-static: `plugins = ["jaxtyped_static_mypy"]`.

Facts (what the code declares) -> judgement (a type's verdict) -> rules (message and advice per code) -> plugin
(dispatch).
"""

from .digest import digest
from .plugin import plugin as plugin

__version__ = digest()  # mypy itself notices an edit of a plugin's entry file only
