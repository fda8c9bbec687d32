"""Keeps what a module does with objects in the module, and finds it again.

The lines of the source are not kept: each edit would move some, and mypy would check all modules again that import this
one. Calls are not kept for the same reason.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from mypy.nodes import MypyFile

from ...compat.modules import is_installed, keep_text, text_symbol
from ...memory import once_per_run
from .module_uses import read_uses
from .uses import Change, How, ModuleUses

SYMBOL: Final = "__jaxtyped_static_objects"
_NO_LINE: Final = 0
_KEPT: Final = Change._fields.index("line")  # parts of a change; what the object may be, only the command asks
_NOTHING: Final = "{}"


def keep_uses(file: MypyFile, *, always: bool = False) -> None:
    """Stores what a file does with objects in it, when it is parsed or written to the cache.

    Not in one of an installed package: users do not change it, and reading them all takes 3 % of mypy's time.
    `always`: even if there is nothing, so that the daemon notices an edit that adds the first.
    """
    if (
        is_installed(file)
        or file.is_stub
        or file.is_cache_skeleton
        or SYMBOL in file.names
        or not (file.defs or always)
    ):
        return
    if (text := _text(file)) != _NOTHING or always:
        keep_text(file, SYMBOL, text)


def _text(file: MypyFile) -> str:
    return json.dumps(_to_keep(read_uses(file)), sort_keys=True, separators=(",", ":"))


def _to_keep(uses: ModuleUses) -> dict[str, Any]:
    """The parts of it that are kept, and say something, as JSON can hold them."""
    changes = dict.fromkeys((*change[:_KEPT],) for change in uses.changes)
    parts = uses._asdict() | {"module": "", "changes": list(changes)}
    return {name: dict(part) if isinstance(part, Mapping) else part for name, part in parts.items() if part}


def _from_kept(module: str, text: str) -> ModuleUses:
    kept = json.loads(text)
    found = [
        Change(
            *(owner, attribute, How(how), where, compiles_again, tuple(gives), is_of_set_up, is_same, is_updated),
            _NO_LINE,
        )
        for owner, attribute, how, where, compiles_again, gives, is_of_set_up, is_same, is_updated in kept.get(
            "changes", ()
        )
    ]
    return ModuleUses(**kept | {"module": module, "changes": tuple(found)})


@once_per_run
def kept_uses(file: MypyFile) -> ModuleUses | None:
    """What a module does with objects, without lines and calls; None if nothing is known of it.

    The daemon loses the symbols of a module that it analyses again because of another one (mypy 2.4.1).
    """
    text = text_symbol(file, SYMBOL)
    if text is None and not file.is_stub and not file.is_cache_skeleton:
        text = _text(file)
    return _from_kept(file.fullname, text) if text is not None else None
