"""The table of all fixes."""

from collections.abc import Iterable, Iterator
from typing import Final

from ..editing.edits import keeps_comments
from ..findings.causes import Finding
from .array_functions import (
    call_array_function,
    call_jax_numpy,
    compare_by_halves,
    compare_with_none,
    keep_arrays,
)
from .branches import select
from .caches import remove_cache
from .containers import make_immutable
from .dataclasses_ import compare_by_value, compare_field, freeze, register_dataclass
from .everywhere import everywhere
from .hoisting import jit_before_loop, make_at_module_level
from .listed_parameters import make_named_static
from .markers import move_marker
from .proposals import NEVER, Fix, ProjectFiles, Proposal
from .receivers import make_receiver_static
from .static_lists import correct_lists, count_from_zero, make_static, trace_arrays

_RAISES: Final = "every call raises"
_COMPILED: Final = "the code only runs with tracers"
_SAME: Final = "tracing it again does the same"

FIXES: Final[tuple[Fix, ...]] = (
    Fix(
        ("jit-argnames",),
        "writes the list that the note gives, or drops what is not a parameter",
        "JAX raises about the list that is there",
        correct_lists,
    ),
    Fix(("jit-untraceable",), "makes the parameter static, as the note says", _RAISES, make_static),
    Fix(
        ("jit-self",),
        "makes `self` static",
        "nothing may make a pytree of the class, or of one below it",
        make_receiver_static,
    ),
    Fix(("static-dynamic",), "takes an array off the static arguments", _RAISES, trace_arrays),
    Fix(
        ("static-marker",),
        "puts the marker around the whole type, or removes it",
        "the marker is of `jaxtyped_static`",
        move_marker,
    ),
    Fix(
        ("static-mutable",),
        "adds `frozen=True` to a dataclass, and takes `eq=False` off",
        "it is of the standard library, without `eq=False`, and no code may set or delete an attribute of its objects",
        freeze,
    ),
    Fix(
        ("static-mutable",),
        "writes `tuple` for `list` and `frozenset` for `set`, with the values written there",
        "it is an argument, or a field of a static class",
        make_immutable,
    ),
    Fix(("static-hash",), "removes `eq=False` from a frozen dataclass", NEVER, compare_by_value),
    Fix(("static-eq",), "removes `compare=False` from a field", NEVER, compare_field),
    Fix(
        ("jit-branch",),
        "writes `jnp.where` for an `if` that returns one of two values",
        f"{_COMPILED}, and both are sums or products of arrays and numbers",
        everywhere(select),
    ),
    Fix(
        ("jit-branch",),
        "writes `jnp.maximum` for `max`; also for `min`, `any` and `all`",
        _COMPILED,
        everywhere(call_array_function),
    ),
    Fix(
        ("jit-branch",),
        "writes `jnp.sin` for `np.sin`, and so on",
        f"{_COMPILED}, and NumPy's function raises for them",
        everywhere(call_jax_numpy),
    ),
    Fix(("jit-branch",), "writes `(a < x) & (x < b)` for `a < x < b`", _COMPILED, everywhere(compare_by_halves)),
    Fix(
        ("jit-branch",),
        "writes `x is not None` for `x`",
        f"{_COMPILED}, and every call passes an array or `None`",
        everywhere(compare_with_none),
    ),
    Fix(
        ("jit-retrace",),
        "moves a jitted lambda out of a loop",
        _SAME,
        everywhere(jit_before_loop),
    ),
    Fix(
        ("jit-retrace", "static-callable"),
        "makes a function once, at module level, if it uses only what the module defines above",
        f"{_SAME}, also for the compiled function that takes it",
        everywhere(make_at_module_level),
    ),
    Fix(("jit-argnames",), "writes the last position for one that does not exist", NEVER, count_from_zero),
    Fix(
        ("jit-branch",),
        "writes `jnp.logical_and` for `and`, `jnp.asarray` for `float`, `jnp.sqrt` for `math.sqrt`, and so on",
        NEVER,
        everywhere(keep_arrays),
    ),
    Fix(
        ("jit-self", "jit-untraceable"),
        "registers a dataclass as a pytree with `jax.tree_util.register_dataclass`",
        NEVER,
        register_dataclass,
    ),
    Fix(("jit-branch", "static-traced"), "makes the parameter static that the message names", NEVER, make_named_static),
    Fix(("pytree-cache", "static-cache"), "removes the cache", NEVER, everywhere(remove_cache)),
)


def propose(finding: Finding, files: ProjectFiles) -> Proposal | None:
    """The first fix that applies to a finding, and keeps all comments."""
    for fix in FIXES:
        change = fix.propose(finding, files) if finding.code in fix.codes else None
        if change is not None and all(map(keeps_comments, change.edits.values())):
            return Proposal(finding, change, fix.does)
    return None


def proposals(findings: Iterable[Finding], files: ProjectFiles) -> Iterator[Proposal]:
    return (found for finding in findings if (found := propose(finding, files)) is not None)
