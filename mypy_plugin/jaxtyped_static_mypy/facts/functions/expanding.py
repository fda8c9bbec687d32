"""What a helper does in the end: the known functions that it applies, through the helpers that it calls."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from mypy.nodes import MypyFile

from ...compat.mypy_api import lookup_fully_qualified
from ...knowledge.full_names import KNOWN_PACKAGES, RE_EXPORTED
from .keeping import facts_of_function, is_of_program, split_name
from .scope import ANY
from .steps import NESTED, FunctionFacts, Step, result_of
from .tables import filled

_DEPTH: Final = 8  # helpers that call each other


class Applied(NamedTuple):
    """One function that is applied: `function(subject, *positional, **keywords)`."""

    function: str  # full name, as mypy resolves it
    # By name: what the program gives, or a literal that the helper gives; None for what the helper computes.
    keywords: dict[str, Any]
    positional: tuple[Any, ...] = ()


class Expansion(NamedTuple):
    """What a function of the program does in the end."""

    steps: tuple[Applied, ...]  # innermost first
    modules: frozenset[str]  # whose helpers were looked for: for `record_helpers`


def expansion(
    function: str,
    keywords: Mapping[str, Any],
    modules: dict[str, MypyFile],
    positional: tuple[Any, ...] = (),
    consulted: set[str] | None = None,
    is_known: Callable[[str], bool] = lambda name: False,
    *,
    decorates: bool = False,
) -> Expansion | None:
    """The known functions that a call applies to its subject: through a helper, or just itself; None if unknown.

    `keywords`, `positional`: the other arguments, of any form; they are handed on as they are.
    `consulted`: gets the modules that the answer depends on, even if that is None. `is_known`: whether more is known of
    a function than its source shows. `decorates`: whether the function is given a function or class to wrap.
    """
    chain = _Chain(modules, set() if consulted is None else consulted, is_known)
    try:
        steps = tuple(chain.expand(Applied(function, dict(keywords), positional), decorates))
    except LookupError:
        return None
    return Expansion(steps, frozenset(chain.consulted))


@dataclass(frozen=True)
class _Chain:
    """Helpers that call each other."""

    modules: dict[str, MypyFile]
    consulted: set[str]
    is_known: Callable[[str], bool]

    def expand(self, call: Applied, decorates: bool, depth: int = _DEPTH) -> Iterator[Applied]:
        """Yields the known functions.

        Raises:
            LookupError: a helper changes what it is given, or helpers call each other endlessly.
        """
        name = _resolved(call.function, self.modules)
        if name.partition(".")[0] in KNOWN_PACKAGES or self.is_known(name):
            yield call._replace(function=name)
            return
        facts = facts_of_function(name, self.modules)
        if facts is not None or is_of_program(name, self.modules):
            self.consulted.add(split_name(name, self.modules)[0])
        if facts is None:
            yield call._replace(function=name)
            return
        takes_none = not (facts.get("takes") or facts.get("direct") or facts.get("options"))
        if facts.get("opaque") or depth == 0 or (decorates and takes_none):
            raise LookupError(name)
        for step in facts.get("steps", ()):
            yield from self.expand(_given(step, facts, call), decorates or bool(facts["takes"]), depth - 1)


def made_by_factory(
    function: str, modules: dict[str, MypyFile], consulted: set[str], item: str | None = None, depth: int = _DEPTH
) -> list[str]:
    """The known functions whose results a factory returns, or `NESTED`; none if it is not one.

    `consulted`: gets the modules of the answer. `item`: the number of the item that is taken of a returned tuple.
    """
    name = _resolved(function, modules)
    if name.partition(".")[0] in KNOWN_PACKAGES or not is_of_program(name, modules):
        return [name]
    consulted.add(split_name(name, modules)[0])
    facts: FunctionFacts = (facts_of_function(result_of(name), modules) if depth else None) or {}
    items = facts.get("items", {})
    makers, inner = (items[item], None) if item in items else (facts.get("makes", []), item)
    found: list[str] = []
    for maker in makers:
        found += [NESTED] if maker == NESTED else made_by_factory(maker, modules, consulted, inner, depth - 1)
    return found


def _resolved(fullname: str, modules: dict[str, MypyFile]) -> str:
    """The full name of what an imported name stands for; the name itself if mypy does not know it."""
    if fullname in RE_EXPORTED:
        return fullname
    symbol = lookup_fully_qualified(fullname, modules) if "." in fullname else None
    return symbol.node.fullname if symbol is not None and symbol.node is not None else fullname


def _given(step: Step, facts: FunctionFacts, call: Applied) -> Applied:
    """The arguments of a step, with those of the helper's call where the helper passes them on."""
    names = facts.get("parameters", [])
    after_subject = [name for name in names if name != facts["takes"]]
    given = {**dict(zip(after_subject, call.positional, strict=False)), **call.keywords}
    packed = facts.get("packed", "")
    if packed:
        given[packed] = list(call.positional[len(after_subject) :])
    own = {**facts.get("defaults", {}), **given}
    is_open = ANY in call.keywords  # the call may give any option
    keywords = dict(step["keywords"])
    for option, name in step["passed"].items():
        if name in own or is_open:
            keywords[option] = None if is_open and name not in given else own[name]
    for option, entries in step["built"].items():
        keywords[option] = filled(entries, own, is_open=is_open)
    if step["spreads"]:
        known = {*names, *facts.get("named_only", []), *(keywords.keys() - {*step["yields"]})}
        keywords |= {name: value for name, value in call.keywords.items() if name not in known}
    positional = (*step["positional"], *(call.positional if not (names or packed) and step["spreads"] else ()))
    return Applied(step["function"], keywords, positional)
