"""One file a rule. Those about the static contract are rows of `CONTRACT_RULES`; hooks lead to the others."""

from typing import Final

from . import static_cache, static_dynamic, static_eq, static_hash, static_mutable, static_unverified
from ._rule import Rule

CONTRACT_RULES: Final[tuple[Rule, ...]] = (
    static_mutable.RULE,
    static_hash.RULE,
    static_eq.RULE,
    static_dynamic.RULE,
    static_cache.RULE,
    static_unverified.RULE,
)

# For what is no compilation key, and only must not be traced.
TRACE_RULES: Final[tuple[Rule, ...]] = (static_dynamic.RULE,)
