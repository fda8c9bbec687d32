"""Finds attributes that can differ only if others do, by what constructors compute them from."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from mypy.nodes import TypeInfo, Var

from ..facts.class_facts import facts_of
from ..facts.derivation_facts import SELF
from .class_model import Field, managed_names, user_bases


class Derivation(NamedTuple):
    """The sources of each attribute: parameters, as `Class:name`, and attributes, as `.name`."""

    info: TypeInfo
    members: frozenset[str]
    sources: dict[str, list[str]]
    passed_on: list[str]
    given: frozenset[str]  # fields that a generated constructor sets to its parameters
    seen: frozenset[str]  # attributes whose sources are known

    @classmethod
    def of(cls, info: TypeInfo, members: Collection[Field]) -> "Derivation":
        sources: dict[str, list[str]] = {}
        passed_on: list[str] = []
        for base in reversed(list(user_bases(info))):
            facts = facts_of(base)
            direct = {name: [parameter] for name, parameter in facts.get("parameters", {}).items()}
            for name, found in (direct | facts.get("derived", {})).items():
                sources[name] = _qualified(found, base)
            passed_on += _qualified(facts.get("passed_on", ()), base)
        managed = [member for member in members if member.name in (managed_names(member.owner) or ())]
        generated = _has_generated_init(info)
        return cls(
            info,
            members=frozenset(member.name for member in members),
            sources=sources,
            passed_on=passed_on,
            given=frozenset(member.name for member in managed if member.in_init and generated),
            seen=frozenset(member.name for member in managed).union(sources),
        )

    def behind(self, compared: Iterable[str]) -> set[str] | None:
        """What is compared, and all that it is computed from; None if that may be everything."""
        reached = set(self.passed_on)
        pending = list(compared)
        while pending:
            name = pending.pop()
            if name not in reached:
                if not (name in self.seen or _is_parameter(name) or self._is_constant(name)):
                    return None
                reached.add(name)
                pending += [source.removeprefix(SELF) for source in self.sources.get(name, ())]
        return reached

    def _is_constant(self, name: str) -> bool:
        symbol = self.info.get(name)
        return name not in self.members and symbol is not None and isinstance(symbol.node, Var)

    def varying(self, covered: set[str]) -> set[str]:
        """The attributes that can differ if nothing covered does."""
        users: dict[str, list[str]] = {}
        for name, found in self.sources.items():
            for source in found:
                users.setdefault(source.removeprefix(SELF), []).append(name)
        pending = [*self.given, *filter(_is_parameter, users)]
        reached: set[str] = set()
        while pending:
            name = pending.pop()
            if name not in reached and name not in covered:
                reached.add(name)
                pending += users.get(name, ())
        return reached


def _is_parameter(name: str) -> bool:
    return ":" in name


def _qualified(sources: Iterable[str], base: TypeInfo) -> list[str]:
    """Qualifies parameters by the class whose constructor has them."""
    return [source if source.startswith(SELF) else f"{base.fullname}:{source}" for source in sources]


def _has_generated_init(info: TypeInfo) -> bool:
    init = info.get("__init__")
    return init is None or init.plugin_generated or init.node is None or init.node.fullname.startswith("builtins.")
