"""Removes a cache that keeps tracers, or is lost."""

from typing import Final

import libcst as cst
from libcst.helpers import get_full_name_for_node

from ..editing.edits import Edit
from ..editing.imports import Import
from ..findings.causes import Finding
from .proposals import Change, ProjectFiles, spot_of

_SLOW: Final = "the value is then computed each time, which may take long"
_CACHES: Final = ("cached_property", "lru_cache", "cache")


def remove_cache(finding: Finding, files: ProjectFiles) -> Change | None:
    """pytree-cache, static-cache: the value is then computed each time, which may take long."""
    spot = spot_of(finding, files)
    if spot is None:
        return None
    decorator = spot.document.around(spot.place, cst.Decorator)
    if decorator is None:
        return None
    callee = decorator.decorator.func if isinstance(decorator.decorator, cst.Call) else decorator.decorator
    name = (get_full_name_for_node(callee) or "").rpartition(".")[2]
    if name not in _CACHES:
        return None
    unneeded = (Import("functools", name), Import("functools"))
    new = cst.Name("property") if name == "cached_property" else None
    if new is not None:
        return spot.change(Edit({decorator.decorator: new}, unneeded=unneeded), _SLOW)
    return spot.change(Edit({decorator: cst.RemovalSentinel.REMOVE}, unneeded=unneeded), _SLOW)
