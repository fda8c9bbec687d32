"""What a finding does to a program: its harm."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final


class Harm(StrEnum):
    """The worst first, as findings are ordered."""

    WRONG = "wrong"  # a number is stale, or belongs to another value
    RAISES = "raises"
    LEAKS = "leaks"  # a tracer, which outlives its trace
    RECOMPILES = "recompiles"
    RECOMPUTES = "recomputes"  # a cache is lost
    CONTRACT = "contract"  # code that declares the contract breaks its letter
    POTENTIAL = "potential"  # it could go wrong, and nothing in the program shows that it does

    @property
    def is_potential(self) -> bool:
        return self is Harm.POTENTIAL


_RANKS: Final = {harm: rank for rank, harm in enumerate(Harm)}

# What the findings of each rule do, where they do harm.
_OF_RULES: Final[Mapping[str, Harm]] = {
    "static-mutable": Harm.WRONG,
    "static-hash": Harm.RECOMPILES,
    "static-eq": Harm.WRONG,
    "static-dynamic": Harm.RAISES,
    "static-traced": Harm.RAISES,
    "static-cache": Harm.LEAKS,
    "static-callable": Harm.RECOMPILES,
    "static-unverified": Harm.CONTRACT,
    "static-marker": Harm.CONTRACT,
    "pytree-cache": Harm.RECOMPUTES,
    "pytree-static": Harm.CONTRACT,
    "pytree-unflatten": Harm.RAISES,
    "jit-argnames": Harm.RAISES,
    "jit-self": Harm.RAISES,
    "jit-untraceable": Harm.RAISES,
    "jit-bound-method": Harm.WRONG,
    "jit-retrace": Harm.RECOMPILES,
    "jit-branch": Harm.RAISES,
    "jit-mutation": Harm.WRONG,
    "jax-call": Harm.RAISES,
    "jax-removed": Harm.RAISES,
    "jax-missing": Harm.RAISES,
}
# Those that do something else, by their kinds.
_OF_KINDS: Final[Mapping[tuple[str, str], Harm]] = {
    ("static-mutable", "memo-of-arrays"): Harm.LEAKS,
    ("static-hash", "eq-without-hash"): Harm.RAISES,
    ("static-hash", "hash-is-none"): Harm.RAISES,
    ("static-hash", "not-hashable"): Harm.RAISES,
    ("static-hash", "eq-not-bool"): Harm.RAISES,
    ("static-hash", "module-as-function"): Harm.RAISES,
    ("static-hash", "array-default"): Harm.RAISES,
    ("static-dynamic", "array-built-in"): Harm.WRONG,
    ("static-dynamic", "array-built-in-compared"): Harm.WRONG,
    ("pytree-unflatten", "not-rebuilt"): Harm.WRONG,
    ("pytree-unflatten", "children-first-unseen"): Harm.WRONG,
    ("pytree-unflatten", "swapped"): Harm.WRONG,
    ("pytree-unflatten", "lost"): Harm.WRONG,
    ("pytree-unflatten", "shared"): Harm.WRONG,
    ("pytree-unflatten", "changed-again"): Harm.WRONG,
    ("jax-missing", "number-for-flag"): Harm.WRONG,
    ("jax-missing", "sorted-copy"): Harm.WRONG,
    ("jit-bound-method", "compiled-each-time"): Harm.RECOMPILES,
    ("jit-bound-method", "compiled-each-time-and-reads-nothing"): Harm.RECOMPILES,
    ("jit-branch", "isinstance"): Harm.WRONG,
    ("jit-branch", "never-equal"): Harm.WRONG,
    ("jax-call", "unread-parameter"): Harm.WRONG,
    ("jit-mutation", "leaks"): Harm.LEAKS,
    ("jit-mutation", "leaks-uncompiled"): Harm.LEAKS,
    ("jit-mutation", "leaks-cache"): Harm.LEAKS,
    ("jit-mutation", "leaks-cache-of-arguments"): Harm.LEAKS,
    ("jit-mutation", "all-leak"): Harm.LEAKS,
    ("jit-mutation", "all-leak-uncompiled"): Harm.LEAKS,
    ("jit-mutation", "another-trace"): Harm.RAISES,
    ("jit-mutation", "lifted-in-another-trace"): Harm.RAISES,
    ("jit-mutation", "linen-field"): Harm.RAISES,
    ("jit-mutation", "linen-frozen"): Harm.RAISES,
    ("jit-mutation", "refused"): Harm.RAISES,
    ("jit-mutation", "refused-new"): Harm.RAISES,
    ("jit-mutation", "refused-while-made"): Harm.RAISES,
}


def harm_of(code: str, kind: str) -> Harm:
    """What a finding does, where it does harm. `kind`: of its message."""
    return _OF_KINDS.get((code, kind), _OF_RULES[code])


def worst(harms: Iterable[Harm]) -> Harm:
    return min(harms, key=_RANKS.__getitem__)


def rank(harm: Harm) -> int:
    """0 for the worst."""
    return _RANKS[harm]
