"""Finds how a call differs from the most similar earlier one, and so why it was traced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from jaxtyped_static._annotations.functions import place as place_of
from jaxtyped_static._traces.argument_trees import Leaf, TreeNode, tree_differences
from jaxtyped_static._traces.call_forms import Argument, How, one_form
from jaxtyped_static._traces.differences import Difference, Kind
from jaxtyped_static._traces.entries import Entry
from jaxtyped_static._traces.snapshots import Snapshot
from jaxtyped_static._traces.static_differences import KEYWORDS_BY_CLASS, static_differences

# How many earlier calls are searched for the most similar one.
_MAX_EARLIER: Final = 256
_OTHER_CONTEXT: Final = "JAX's context differs: an enclosing loop or branch, a vmap's axis, a mesh or a setting"
_NEW_EACH_TIME: Final = frozenset({"static-callable", "static-hash", "jit-retrace"})


class Nearest(NamedTuple):
    """The most similar earlier entry, and the differences; an entry with only needless differences comes first."""

    place: int
    differences: tuple[Difference, ...]


def nearest(earlier: Sequence[Entry], now: Entry) -> Nearest | None:
    """Returns the nearest earlier entry; None if there is none."""
    start = max(0, len(earlier) - _MAX_EARLIER)
    found = (Nearest(start + index, differences(entry, now)) for index, entry in enumerate(earlier[start:]))
    return min(found, key=_distance, default=None)


def _distance(found: Nearest) -> tuple[bool, int, int]:
    """Returns a sort key; among equally distant entries, the latest comes first."""
    return not is_needless(found.differences), sum(map(_weight, found.differences)), -found.place


def _weight(difference: Difference) -> int:
    """Returns the weight of a difference; one inside an argument leaves the rest of it alike."""
    return 1 if "." in difference.path or "[" in difference.path else 3


def differences(before: Entry, now: Entry) -> tuple[Difference, ...]:
    """Returns every visible difference by which JAX distinguishes the two."""
    return (*_function(before, now), *_arguments(before, now), *_context(before, now), *_cleared(before, now))


def is_needless(found: Sequence[Difference]) -> bool:
    """Returns whether the values are the same, only written or made differently, so that one program would do."""
    return all(difference.kind is Kind.FORM or difference.code in _NEW_EACH_TIME for difference in found)


def _function(before: Entry, now: Entry) -> Iterator[Difference]:
    if before.fun is not now.fun:
        name = place_of(now.function).rpartition("<locals>.")[2]
        says = f"{name} is a new function: it was defined and jitted again; do both once"
        yield Difference("", says, Kind.FUNCTION, "jit-retrace")


def _arguments(before: Entry, now: Entry) -> Iterator[Difference]:
    names = [*before.arguments, *(name for name in now.arguments if name not in before.arguments)]
    moved: list[tuple[str, How, How]] = []
    for name in names:
        old, new = before.arguments.get(name), now.arguments.get(name)
        if old is None or new is None:
            yield _only_in_one(name, old, new)
            continue
        found = tuple(_values(name, old, new))
        yield from found
        explained = any(difference.kind is Kind.FORM for difference in found) or (
            found and How.DEFAULT in (old.how, new.how)
        )
        if old.how is not new.how and not explained:
            moved.append((name, old.how, new.how))
    if moved:
        yield _form(now, moved)


def _only_in_one(name: str, old: Argument | None, new: Argument | None) -> Difference:
    says = f"is passed now, {new.how.value}; it was not before" if new is not None else "was passed, but is not now"
    argument = new or old
    return Difference(name, says, Kind.STATIC if argument is not None and argument.is_static else Kind.DYNAMIC)


def _values(name: str, old: Argument, new: Argument) -> Iterator[Difference]:
    if isinstance(old.value, Snapshot) and isinstance(new.value, Snapshot):
        by_class = KEYWORDS_BY_CLASS or How.NAME not in (old.how, new.how)
        yield from static_differences(name, old.value, new.value, by_class=by_class)
    elif isinstance(old.value, Leaf | TreeNode) and isinstance(new.value, Leaf | TreeNode):
        yield from tree_differences(name, old.value, new.value)
    elif How.DEFAULT in (old.how, new.how):
        says = f"{old.how.value} before, {new.how.value} now: an omitted argument is a constant of the program"
        yield Difference(name, f"{says}; pass it always or never", Kind.DYNAMIC)
    elif old.is_static is new.is_static:
        yield from tree_differences(name, old.value, new.value)
    else:
        how = {argument.is_static: argument.how.value for argument in (old, new)}
        says = f"static {how[True]}, traced {how[False]}"
        yield Difference(name, f"{says}; list it in static_argnums and static_argnames", Kind.FORM, "jit-argnames")


def _form(now: Entry, moved: Sequence[tuple[str, How, How]]) -> Difference:
    """Describes a difference in form: JAX does not normalise calls before it looks for a program."""
    moves = ", ".join(f'"{name}" {old.value} before, {new.value} now' for name, old, new in moved)
    form = one_form(now.function, now.form.partition("(")[0], now.arguments)
    says = f"{moves}: JAX compiles each form of a call separately; write {form} each time"
    return Difference("", says, Kind.FORM)


def _cleared(before: Entry, now: Entry) -> Iterator[Difference]:
    known = before.generation is not None and now.generation is not None
    if known and before.generation is not now.generation:
        yield Difference("", "jax.clear_caches() was called, which drops what was compiled", Kind.CONTEXT)


def _context(before: Entry, now: Entry) -> Iterator[Difference]:
    found = [
        Difference(name, f"{before.context[name] or 'none'} → {now.context[name] or 'none'}", Kind.CONTEXT)
        for name in before.context
        if before.context[name] != now.context.get(name, before.context[name])
    ]
    known = before.whole_context is not None and now.whole_context is not None
    if not found and known and before.whole_context != now.whole_context:
        found = [Difference("", _OTHER_CONTEXT, Kind.CONTEXT)]
    yield from found
