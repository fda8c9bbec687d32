"""Names and numbers in the lists of a jit call that are none of the function's parameters."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Final

from ..jit_sites import GivenList
from ..listing import Listing, Problem
from ..signatures import CallForms

_SIMILARITY: Final = 0.7  # of a name that is taken for a misspelling of another
_MAX_COMPARED: Final = 2_500  # pairs of names: each takes its time


def item_problems(listings: Sequence[Listing]) -> Iterator[Problem]:
    """What no signature of the function has."""
    for given in listings[0].site.lists:
        mend = _mended(listings[0], given)
        occurrences = Counter[str | int]()
        found = zip(*(_problems(listing, given) for listing in listings), strict=True)
        for item, problems in zip(given.items, found, strict=True):
            if all(problems):
                context = listings[0].written.place(given.option, item, occurrences[item])
                yield Problem(context, problems[0] or "", mend)
                mend = None
            occurrences[item] += 1


def _problems(listing: Listing, given: GivenList) -> Iterator[str | None]:
    """What is wrong with each item of a list."""
    earlier: set[str | int] = set()
    for item in given.items:
        counted = _from_front(listing, item) if isinstance(item, int) else item
        if counted in earlier:
            yield f"{given.option} lists {_shown(item)} twice; drop one"
        elif isinstance(item, str):
            yield _problem_of_name(listing, given, item)
        else:
            yield _problem_of_number(listing, given.option, item)
        earlier.add(counted)


def _from_front(listing: Listing, number: int) -> int:
    """A number as it counts from the front; behind `*args` only a call tells."""
    count = len(listing.forms.positional)
    return number + count if -count <= number < 0 and not listing.forms.takes_any_position else number


def _problem_of_name(listing: Listing, given: GivenList, name: str) -> str | None:
    forms = listing.forms
    if name in forms.named or forms.takes_any_name:
        return None
    position = listing.declared.get(name)
    if position is not None and position not in forms.positional:
        return (
            f'"{name}", which {given.option} lists, takes any number of arguments, and JAX makes single parameters '
            "static; give those that are static names of their own"
        )
    if position is not None:
        return f'"{name}", which {given.option} lists, is positional-only; list its position, {position}, instead'
    suggested = _suggested(name, forms, given)
    advice = f"did you mean {' and '.join(map(_shown, suggested))}?" if suggested else "take it off the list"
    return f"{listing.subject} has no parameter {_shown(name)}, which {given.option} lists; {advice}"


def _problem_of_number(listing: Listing, option: str, number: int) -> str | None:
    forms = listing.forms
    count = len(forms.positional)
    if number >= count and number in listing.site.nums and option == listing.row.donated_nums_option:
        return f"position {number} is static and donated; take it off one of the lists"
    if -count <= number < count or forms.takes_any_position:
        return None
    kinds = listing.signature.arg_kinds
    if 0 <= number < len(kinds) and kinds[number].is_named():
        return f"{listing.shown(number)}, number {number} in {option}, is keyword-only; list its name instead"
    receiver = f', "{listing.name(0)}" included' if count and listing.is_receiver(0) else ""
    return (
        f"position {number}, which {option} lists, does not exist: {listing.subject} has "
        f"{count} positional parameter{'s' * (count != 1)}{receiver}, counted from 0"
    )


def _suggested(name: str, forms: CallForms, given: GivenList) -> list[str]:
    """What was meant: several names in one string, or one misspelt."""
    parts = [part for part in re.split(r"[,\s]+", name) if part]
    if len(parts) > 1 and all(part in forms.named for part in parts):
        return parts
    if len(given.items) * len(forms.named) > _MAX_COMPARED:
        return []
    return get_close_matches(name, [known for known in forms.named if known not in given.items], 1, _SIMILARITY)


def _mended(listing: Listing, given: GivenList) -> str | None:
    """The list with what was meant; in the other option where only that will do."""
    meant = [_meant(listing, given, item) for item in given.items]
    indices = dict.fromkeys(index for found in meant for index in found or ())
    if None in meant or not given.known or given.option not in listing.written.values:
        return None
    twin = listing.twin(given.option)
    other = listing.only(twin, indices) if twin is not None and listing.site.given(twin) is None else None
    return listing.only(given.option, indices) or other


def _meant(listing: Listing, given: GivenList, item: str | int) -> list[int] | None:
    """The parameters that an item stands for, none for a name that has gone; None if it cannot be told."""
    forms = listing.forms
    if isinstance(item, int):
        kinds, index = listing.signature.arg_kinds, _from_front(listing, item)
        is_parameter = 0 <= index < len(kinds) and (index in forms.positional or kinds[index].is_named())
        return [index] if is_parameter else None
    if item in forms.named:
        return [forms.named[item]]
    position = listing.declared.get(item)
    if position is not None or forms.takes_any_name:
        return [position] if position in forms.positional else None
    return [forms.named[name] for name in _suggested(item, forms, given)]


def _shown(item: str | int) -> str:
    return f'"{item}"' if isinstance(item, str) else str(item)
