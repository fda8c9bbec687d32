"""Finds parameters on which the lists of a jit call disagree with each other or with the annotations."""

from collections.abc import Iterable, Iterator
from typing import Final

from mypy.nodes import ArgKind, AssignmentStmt, CallExpr, Decorator, MemberExpr, NameExpr
from mypy.types import CallableType

from ..jit.listing import Listing
from ..jit.sites import GivenList
from ..knowledge.full_names import JAX
from ..libraries import COMPILED_BY_LISTS
from ..markers.marker import Marker, marker_of
from ..reporting.actions import DYNAMIC_IN_CALL, MARKED_DYNAMIC, TAKE_OFF, UNREAD_MARKER
from ..reporting.finding import Written
from ..reporting.harm import Harm
from ..reporting.messages import Message
from ..source.surroundings import surroundings
from ._listed_items import ListProblem

_STARRED: Final = Message(
    '"{stars}{name}" cannot be Static: JAX can make single parameters static, but not all that a {stars} takes',
    "write a separate parameter for each, as in n: Static[int]",
    kind="marked-star",
)
_MISSING: Final = Message(
    "{parameter} is annotated Static, but missing from {lists}",
    "remove the lists, or add it to them",
    kind="missing-from-lists",
)
_UNREAD_ELSEWHERE: Final = Message(
    "{parameter} is annotated Static, which this jit does not read", "list it in {option}", kind=UNREAD_MARKER
)
_UNREAD: Final = Message(
    _UNREAD_ELSEWHERE.problem, "use jaxtyped_static.jit, or list it in {option}", kind=UNREAD_MARKER
)
_STATIC_BELOW: Final = Message(
    "{parameter} is static in the jitted function below, which gets a tracer for it here",
    "list it in {option} here, too",
    kind="static-below",
)
_DYNAMIC: Final = Message(
    "{parameter} is annotated Dynamic and listed as static", (TAKE_OFF, "annotate it Static"), kind=MARKED_DYNAMIC
)
_DONATED: Final = Message(
    "{parameter} is static and donated, but only the memory of arrays can be donated",
    TAKE_OFF,
    kind="donated-parameter",
)
_INFERRED_NOWHERE: Final = Message(
    "{parameter} is dynamic in {call}: JAX infers nothing if both {nums} and {names} are given",
    "give only one of them, or list it in both",
    kind=DYNAMIC_IN_CALL,
)


def parameter_problems(listing: Listing) -> Iterator[ListProblem]:
    settings = listing.call.file.settings
    markers = [marker_of(typ, settings.static_markers) for typ in listing.signature.arg_types]
    static = listing.listed(listing.call.site.static)
    if listing.call.row.may_donate:
        yield from _starred(listing, markers)
        yield from _unlisted(listing, markers, static)
    if listing.call.row.is_key:
        yield from _dynamic(listing, markers, static)
    is_marked = listing.call.row.reads_markers
    marked = [index for index, marker in enumerate(markers) if is_marked and marker is Marker.STATIC]
    yield from _donated(listing, {*static, *marked})
    yield from _inferred_nowhere(listing, static)


def _starred(listing: Listing, markers: list[Marker | None]) -> Iterator[ListProblem]:
    for index, kind in enumerate(listing.signature.arg_kinds):
        if kind.is_star() and markers[index] is Marker.STATIC:
            stars = "**" if kind.is_named(star=True) else "*"
            yield ListProblem(listing.context_of(index), _STARRED.fill(stars=stars, name=listing.name(index)))


def _unlisted(listing: Listing, markers: list[Marker | None], static: list[int]) -> Iterator[ListProblem]:
    """Leaves out parameters of a `partial` that have a default: it may have bound them."""
    row, kinds = listing.call.row, listing.signature.arg_kinds
    if not listing.call.site.known or (row.reads_markers and not listing.call.site.static):
        return
    is_partial = isinstance(listing.signature, CallableType) and listing.signature.special_sig == "partial"
    missing = [
        index
        for index, marker in enumerate(markers)
        if marker is Marker.STATIC and index not in static and not kinds[index].is_star()
        if not (is_partial and kinds[index].is_optional())
    ]
    option = _one_option(listing)
    instead = listing.only(option, sorted({*static, *missing}))
    for index in missing:
        message = _unlisted_message(listing).fill(
            parameter=listing.shown(index), lists=_options(listing.call.site.static), option=option
        )
        written = Written(instead, is_added=listing.call.site.given(option) is None) if instead is not None else None
        may_be_left_out = _is_jitted_below(listing) and kinds[index].is_optional() and not _is_passed(listing, index)
        yield ListProblem(listing.context_of(index), message, written, Harm.POTENTIAL if may_be_left_out else None)
        instead = None


def _is_jitted_below(listing: Listing) -> bool:
    """Whether lists made the parameters static that have a marker, not annotations."""
    signature = listing.signature
    return isinstance(signature, CallableType) and signature.fallback.type.fullname in COMPILED_BY_LISTS


def _unlisted_message(listing: Listing) -> Message:
    if listing.call.row.reads_markers:
        return _MISSING
    if _is_jitted_below(listing):
        return _STATIC_BELOW
    return _UNREAD if listing.call.site.function.startswith(JAX) else _UNREAD_ELSEWHERE


def _one_option(listing: Listing) -> str:
    """The option that should list all static parameters."""
    given = [given.option for given in listing.call.site.static]
    return given[0] if len(given) == 1 else listing.call.row.names_option or "static_argnames"


def _dynamic(listing: Listing, markers: list[Marker | None], static: list[int]) -> Iterator[ListProblem]:
    for index in static:
        if markers[index] is Marker.DYNAMIC:
            lists = [given for given in listing.call.site.static if index in listing.listed([given])]
            message = _DYNAMIC.fill(parameter=listing.shown(index), lists=_options(lists))
            yield ListProblem(listing.context_of(index), message, Written.instead(_without(listing, lists, index)))


def _donated(listing: Listing, static: Iterable[int]) -> Iterator[ListProblem]:
    for index in sorted(static):
        lists = [given for given in listing.call.site.donated if index in listing.listed([given])]
        if lists:
            message = _DONATED.fill(parameter=listing.shown(index), lists=_options(lists))
            yield ListProblem(listing.context_of(index), message, Written.instead(_without(listing, lists, index)))


def _inferred_nowhere(listing: Listing, static: list[int]) -> Iterator[ListProblem]:
    """If both lists are given, JAX infers neither from the other."""
    row = listing.call.row
    names, nums = listing.call.site.given(row.names_option), listing.call.site.given(row.nums_option)
    if row.reads_markers or not row.may_donate or names is None or nums is None or not listing.call.site.known:
        return
    forms = listing.forms
    by_name, by_number = listing.listed([names]), listing.listed([nums])
    instead = listing.only(names.option, static) or listing.only(nums.option, static)
    for index in static:
        can_be_both = index in forms.positional and index in forms.named.values() and not listing.is_receiver(index)
        if can_be_both and not (index in by_name and index in by_number):
            call = _call(listing, index, by_name=index not in by_name)
            shown = listing.shown(index)
            message = _INFERRED_NOWHERE.fill(parameter=shown, call=call, nums=nums.option, names=names.option)
            harm = None if _is_called(listing, index, by_name=index not in by_name) else Harm.POTENTIAL
            yield ListProblem(listing.context_of(index), message, Written.instead(instead), harm)
            instead = None


def _is_called(listing: Listing, index: int, *, by_name: bool) -> bool:
    """Whether the file passes a parameter by its name, or by its position."""
    file = listing.call.file
    calls = file.calls_at(file.uses_by_name.get(_bound_to(listing) or "", ()))
    if by_name:
        return any(listing.name(index) in call.arg_names for call in calls)
    before = sum(not listing.is_receiver(number) for number in range(index))
    return any(call.arg_kinds.count(ArgKind.ARG_POS) > before for call in calls)


def _is_passed(listing: Listing, index: int) -> bool:
    """Whether a call of the compiled function in the file passes a parameter, by its name or its position."""
    return any(_passes(call, listing, index) for call in _calls_of_compiled(listing))


def _calls_of_compiled(listing: Listing) -> Iterator[CallExpr]:
    """The calls where it is compiled, and by the variable that holds it."""
    context, file = listing.call.context, listing.call.file
    if not isinstance(context, CallExpr):
        return
    if (at_once := file.calls_by_callee.get(context)) is not None:
        yield at_once
    statement = surroundings(context, file).parent
    target = statement.lvalues[0] if isinstance(statement, AssignmentStmt) else None
    if isinstance(target, NameExpr):
        yield from file.calls_at(file.other_uses(target))


def _passes(call: CallExpr, listing: Listing, index: int) -> bool:
    before = sum(not listing.is_receiver(number) for number in range(index))
    return listing.name(index) in call.arg_names or call.arg_kinds.count(ArgKind.ARG_POS) > before


def _bound_to(listing: Listing) -> str | None:
    """The name, or the attribute, that holds the compiled function."""
    context, file = listing.call.context, listing.call.file
    if isinstance(context, Decorator):
        return listing.function
    statement = surroundings(context, file).parent if isinstance(context, CallExpr) else None
    target = statement.lvalues[0] if isinstance(statement, AssignmentStmt) else None
    return target.name if isinstance(target, NameExpr | MemberExpr) else None


def _call(listing: Listing, index: int, *, by_name: bool) -> str:
    before = [listing.name(number) for number in range(index) if not listing.is_receiver(number)]
    last = f"{listing.name(index)}=..." if by_name else listing.name(index)
    return f"{listing.function or 'f'}({', '.join([*before, last])})"


def _options(lists: Iterable[GivenList]) -> str:
    return " and ".join(given.option for given in lists)


def _without(listing: Listing, lists: Iterable[GivenList], index: int) -> str | None:
    """These lists without the parameter, as text."""
    texts = [listing.only(given.option, [i for i in listing.listed([given]) if i != index]) for given in lists]
    return ", ".join(text for text in texts if text is not None) or None
