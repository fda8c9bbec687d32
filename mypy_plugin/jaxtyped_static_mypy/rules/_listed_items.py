"""Finds names and numbers in the lists of a jit call that are not parameters of the function."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from mypy.nodes import Context

from ..jit.listing import Listing
from ..jit.signatures import CallForms
from ..jit.sites import GivenList
from ..reporting.actions import NO_SUCH_POSITION, OFF_ONE_LIST, OFF_THE_LIST, Action, Alternative
from ..reporting.finding import Written
from ..reporting.harm import Harm
from ..reporting.messages import Message, Statement
from ._static_or_traced import seems_static

_SIMILARITY: Final = 0.7  # from which a name counts as a misspelling of another
_MAX_COMPARED: Final = 2_500  # pairs of names, as comparing is slow

_TWICE: Final = Message("{option} lists {item} twice", "remove one", kind="listed-twice")
_STARRED: Final = Message(
    '"{name}", which {option} lists, takes any number of arguments, and JAX can make only single parameters static',
    "give each static argument a parameter of its own",
    kind="listed-star",
)
_POSITIONAL_ONLY: Final = Message(
    '"{name}", which {option} lists, is positional-only',
    "list its position, {position}, in {twin} instead",
    kind="positional-only",
)
_UNKNOWN: Final = Message(
    '{subject} has no parameter "{name}", which {option} lists', OFF_THE_LIST, kind="unknown-parameter"
)
_MISSPELT: Final = Message(_UNKNOWN.problem, "did you mean {meant}?", kind="unknown-parameter")
_DONATED: Final = Message("position {number} is static and donated", OFF_ONE_LIST, kind="donated-position")
_KEYWORD_ONLY: Final = Message(
    "{parameter}, number {number} in {option}, is keyword-only", "list its name in {twin} instead", kind="keyword-only"
)
_NEVER_KEYWORD: Final = Message(_KEYWORD_ONLY.problem, "make it positional", kind="keyword-only")
_NO_POSITIONS: Final = Message(
    "position {number}, which {option} lists, does not exist: {subject} has {counted}",
    OFF_THE_LIST,
    kind=NO_SUCH_POSITION,
)
_LIST_LAST: Final = Alternative("positions count from 0, so the last is {last}", Action.LIST_LAST_POSITION)
_OUT_OF_RANGE: Final = Message(_NO_POSITIONS.problem, _LIST_LAST, kind=NO_SUCH_POSITION)
_UNCLEAR: Final = Message(
    _NO_POSITIONS.problem,
    ("list the position of the parameter that was meant, counted from 0", OFF_THE_LIST.text),
    kind=NO_SUCH_POSITION,
)
_WHERE_LAST: Final = {True: _OUT_OF_RANGE, False: _NO_POSITIONS, None: _UNCLEAR}  # can be static


class ListProblem(NamedTuple):
    """A list item or parameter that does not fit: where to report it, and what to write there."""

    context: Context
    statement: Statement
    written: Written | None = None
    harm: Harm | None = None  # None for that of its kind


def item_problems(listings: Sequence[Listing]) -> Iterator[ListProblem]:
    """The items that fit no signature of the function."""
    for given in listings[0].call.site.lists:
        corrected = _corrected(listings[0], given)
        occurrences = Counter[str | int]()
        found = zip(*(_problems(listing, given) for listing in listings), strict=True)
        for item, problems in zip(given.items, found, strict=True):
            first = problems[0]
            if first is not None and all(problems):
                context = listings[0].written.context_of(given.option, item, occurrences[item])
                yield ListProblem(context, first, Written.instead(corrected))
                corrected = None
            occurrences[item] += 1


def _problems(listing: Listing, given: GivenList) -> Iterator[Statement | None]:
    """The problem of each item of a list, if it has one."""
    earlier: set[str | int] = set()
    for item in given.items:
        counted = _from_front(listing, item) if isinstance(item, int) else item
        if counted in earlier:
            yield _TWICE.fill(option=listing.shown_option(given.option), item=_shown(item))
        elif isinstance(item, str):
            yield _problem_of_name(listing, given, item)
        else:
            yield _problem_of_number(listing, given.option, item)
        earlier.add(counted)


def _from_front(listing: Listing, number: int) -> int:
    """A negative number counted from the front; with `*args`, that depends on the call."""
    count = len(listing.forms.positional)
    return number + count if -count <= number < 0 and not listing.forms.takes_any_position else number


def _problem_of_name(listing: Listing, given: GivenList, name: str) -> Statement | None:
    forms, option = listing.forms, listing.shown_option(given.option)
    if name in forms.named or forms.takes_any_name:
        return None
    position = listing.declared.get(name)
    if position is not None and position not in forms.positional:
        return _STARRED.fill(name=name, option=option)
    if position is not None:
        twin = listing.twin(given.option) or ""
        return _POSITIONAL_ONLY.fill(name=name, option=option, position=str(position), twin=twin)
    suggested = _suggested(name, forms, given)
    words, meant = _MISSPELT if suggested else _UNKNOWN, " and ".join(map(_shown, suggested))
    return words.fill(subject=listing.subject, name=name, option=option, meant=meant)


def _problem_of_number(listing: Listing, option: str, number: int) -> Statement | None:
    forms = listing.forms
    count = len(forms.positional)
    if number >= count and number in listing.call.site.nums and option == listing.call.row.donated_nums_option:
        return _DONATED.fill(number=str(number))
    if -count <= number < count or forms.takes_any_position:
        return None
    kinds = listing.signature.arg_kinds
    if 0 <= number < len(kinds) and kinds[number].is_named():
        twin = listing.twin(option)
        words = _KEYWORD_ONLY if twin is not None else _NEVER_KEYWORD
        parameter, shown = listing.shown(number), listing.shown_option(option)
        return words.fill(parameter=parameter, number=str(number), option=shown, twin=twin or "")
    receiver = f', "{listing.name(0)}" included' if count and listing.is_receiver(0) else ""
    counted = f"{count} positional parameter{'s' * (count != 1)}{receiver}"
    words = _beyond_the_last(listing, option, number)
    last, shown = str(count - 1), listing.shown_option(option)
    return words.fill(number=str(number), option=shown, subject=listing.subject, counted=counted, last=last)


def _beyond_the_last(listing: Listing, option: str, number: int) -> Message:
    """What is wrong with a position that does not exist: was the last meant, or one that the function no longer has?

    The last, if the only position is that of the last counted from 1, and it can be static; an array can be donated.
    """
    positional = listing.forms.positional
    listed = listing.listed(listing.call.site.lists)
    if not positional or positional[-1] in listed:
        return _NO_POSITIONS
    given = listing.call.site.given(option)
    is_counted_from_one = number == len(positional) and given is not None and len(given.items) == 1
    is_donated = option == listing.call.row.donated_nums_option
    can_be_meant = True if is_donated else seems_static(listing, positional[-1])
    return _UNCLEAR if can_be_meant and not is_counted_from_one else _WHERE_LAST[can_be_meant]


def _suggested(name: str, forms: CallForms, given: GivenList) -> list[str]:
    """What the author meant: several names in one string, or a misspelled one."""
    parts = [part for part in re.split(r"[,\s]+", name) if part]
    if len(parts) > 1 and all(part in forms.named for part in parts):
        return parts
    if len(given.items) * len(forms.named) > _MAX_COMPARED:
        return []
    return get_close_matches(name, [known for known in forms.named if known not in given.items], 1, _SIMILARITY)


def _corrected(listing: Listing, given: GivenList) -> str | None:
    """The corrected list; in the other option if only that can hold it."""
    meant = [_meant(listing, given, item) for item in given.items]
    indices = dict.fromkeys(index for found in meant for index in found or ())
    if None in meant or not given.known or given.option not in listing.written.values:
        return None
    twin = listing.twin(given.option)
    other = listing.only(twin, indices) if twin is not None and listing.call.site.given(twin) is None else None
    return listing.only(given.option, indices) or other


def _meant(listing: Listing, given: GivenList, item: str | int) -> list[int] | None:
    """The parameters that an item stands for, none for a name that no longer exists; None if unknown."""
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
