"""Classes that one module registers for another: known to be registered there, and in modules that import it.

What the checker writes about a class of another module is lost, and its own module cannot know who registers it. So the
registering module keeps the facts, in a private symbol.
"""

import json
from dataclasses import dataclass, field
from typing import Final

from mypy.nodes import MypyFile
from mypy.plugin import CheckerPluginInterface

from ..compat import mypy_api
from ..compat.dependencies import record_symbol_use, target_of_check
from ..compat.modules import imported_modules, keep_text, text_symbol
from ..memory import MEMORY
from .registration_facts import RegistrationFacts, read_foreign_registrations

Foreign = dict[str, RegistrationFacts]  # by the full name of a class

_SYMBOL: Final = "__jaxtyped_static_registrations"


@dataclass
class View:
    """What the module being checked sees of such registrations: one module is checked after another."""

    told: Foreign = field(default_factory=dict)  # by the settings
    run: object = None
    target: object = None
    facts: Foreign = field(default_factory=dict)
    imported: list[MypyFile] = field(default_factory=list)
    kept: object = None  # the run whose own registrations are kept


VIEW: Final = View()


def begin_run(pytree_types: frozenset[str]) -> None:
    """Forgets the last run of mypy; the user says of these classes that they are registered somewhere."""
    VIEW.told = {name: {"registrations": [["jax.tree_util.register_pytree_node", {}]]} for name in pytree_types}
    VIEW.run = VIEW.target = VIEW.kept = None


def look_from(api: CheckerPluginInterface) -> None:
    """Sees what the module being checked does. What was found out about classes before may then be otherwise."""
    run = mypy_api.checker_run(api)
    if run is not VIEW.run:
        VIEW.run, VIEW.imported = run, imported_modules(api)
        facts = _seen_from(mypy_api.checked_tree(api), VIEW.imported)
        if facts != VIEW.facts:
            VIEW.facts = facts
            MEMORY.clear()
    target = target_of_check(api)
    if target != VIEW.target:
        VIEW.target = target
        record_symbol_use(api, VIEW.imported, _SYMBOL)


def keep_registrations(api: CheckerPluginInterface) -> None:
    """Called where the module being checked registers a class: the first time, all are kept."""
    run = mypy_api.checker_run(api)
    if run is VIEW.kept:
        return
    VIEW.kept = run
    if facts := read_foreign_registrations(mypy_api.checked_tree(api)):
        keep_text(api, _SYMBOL, json.dumps(facts, sort_keys=True))


def _seen_from(checked: MypyFile, imported: list[MypyFile]) -> Foreign:
    seen = VIEW.told | read_foreign_registrations(checked)
    for file in imported:
        if (text := text_symbol(file, _SYMBOL)) is not None:
            seen = json.loads(text) | seen
    return seen
