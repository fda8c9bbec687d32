"""Classes that one module registers for another: known to be registered there, and in modules that import it.

mypy (2.4.1) does not keep what a plugin records of a class of another module: it is lost when that module comes from
the cache, and in the other processes of `mypy -n`. So the registering module keeps these facts, in a private symbol.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from mypy.nodes import MypyFile
from mypy.plugin import CheckerPluginInterface

from ..compat import mypy_api
from ..compat.dependencies import record_symbol_use, target_of_check
from ..compat.modules import imported_modules, keep_text, text_symbol
from ..knowledge.full_names import REGISTER
from ..memory import clear, once_per_run
from .registration_facts import RegistrationFacts, read_foreign_registrations

_SYMBOL: Final = "__jaxtyped_static_registrations"


@dataclass
class _Seen:
    """The registrations that the module being checked can see."""

    check: object = None  # of the module
    facts: dict[str, RegistrationFacts] = field(default_factory=dict)  # by the full name of a class
    imported: list[MypyFile] = field(default_factory=list)  # modules they may come from
    target: object = None  # the function, or top level, whose dependency on these modules is recorded
    kept: object = None  # the check in which the module's own registrations were kept for others


@once_per_run
def _seen() -> _Seen:
    return _Seen()


def registrations_seen() -> Mapping[str, RegistrationFacts]:
    """The facts of each class that is known to be registered in another module than its own, by its full name."""
    return _seen().facts


def see_registrations(api: CheckerPluginInterface, pytree_types: frozenset[str]) -> None:
    """Makes the registrations known that the module being checked does itself, or imports.

    Forgets what was found out about classes while other registrations were known. `pytree_types`: classes of which the
    user says that they are registered somewhere.
    """
    seen, check = _seen(), mypy_api.checker_run(api)
    if check is not seen.check:
        imported = imported_modules(api)
        facts = _registrations(mypy_api.checked_tree(api), imported, pytree_types)
        if facts != seen.facts:
            clear()
        seen = _seen()
        seen.check, seen.facts, seen.imported = check, facts, imported
    target = target_of_check(api)
    if target != seen.target:
        seen.target = target
        record_symbol_use(api, seen.imported, _SYMBOL)


def see_all_registrations(files: Iterable[MypyFile], pytree_types: frozenset[str]) -> None:
    """Makes the registrations of a whole program known, for who looks at it when it has been checked."""
    known = _declared(pytree_types)
    for file in files:
        known |= read_foreign_registrations(file)
    clear()
    _seen().facts = known


def keep_registrations(api: CheckerPluginInterface) -> None:
    """Called where the module being checked registers a class: the first time, keeps all that it registers."""
    check = mypy_api.checker_run(api)
    if check is _seen().kept:
        return
    _seen().kept = check
    if facts := read_foreign_registrations(mypy_api.checked_tree(api)):
        keep_text(mypy_api.checked_tree(api), _SYMBOL, json.dumps(facts, sort_keys=True))


def _registrations(
    checked: MypyFile, imported: list[MypyFile], pytree_types: frozenset[str]
) -> dict[str, RegistrationFacts]:
    """Facts by the full name of a class: the module's own first, then those of the settings, then the imported."""
    known = _declared(pytree_types) | read_foreign_registrations(checked)
    for file in imported:
        if (text := text_symbol(file, _SYMBOL)) is not None:
            known = json.loads(text) | known
    return known


def _declared(pytree_types: frozenset[str]) -> dict[str, RegistrationFacts]:
    return {name: {"registrations": [[REGISTER, {}]]} for name in pytree_types}
