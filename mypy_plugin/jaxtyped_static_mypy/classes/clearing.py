"""Which attributes a method clears, by itself and in the methods that it calls on its object."""

from mypy.nodes import TypeInfo

from ..facts.class_facts import facts_of
from ..facts.clearing_facts import ANY, CALLED


def may_clear(info: TypeInfo, method: str, attribute: str) -> bool:
    """Whether the source of a class, or of its bases, shows that a method clears an attribute, or may do so."""
    pending, seen = [method], set[str]()
    while pending:
        name = pending.pop()
        if name in seen:
            continue
        seen.add(name)
        for base in info.mro:
            tokens = facts_of(base).get("clears", {}).get(name, ())
            if ANY in tokens or attribute in tokens:
                return True
            pending += [token.removeprefix(CALLED) for token in tokens if token.startswith(CALLED)]
    return False
