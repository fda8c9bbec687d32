"""Which evidence a fault needs, to be reported where nobody signed the contract, and whether the program shows it."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import TypeInfo
from mypy.types import Instance, ProperType, get_proper_type

from ...classes import class_model
from ...classes.hashing import hashes_parts, is_hashable
from ...classes.identity import is_left_out_of_hash
from ...classes.reasons import BY_IDENTITY, COARSE_EQUALITY, FREEZABLE, HOLDS_ARRAYS, MUTABLE, UNPROVEN, Fault, Reason
from ...facts.objects.uses import Change
from ...flow.crossing import reaches_jax
from ...markers.marker import without_marker
from ...reach.callers import constructions
from ...source.checked_file import CheckedFile
from ..errors import is_for_tools
from ..finding import Evidence, Question
from ..harm import Harm, harm_of
from ..positions import Position
from .changes import (
    Changing,
    changes_shown,
    changing,
    field_of,
    freezing,
    making,
    question_of_freezing,
    questions_of_changes,
    stale,
)
from .comparing import is_mistaken
from .containers import changes_after_passing, changes_in_place
from .making import MadeWith, made_again, made_twice, made_with_pytrees, questions_of_making, shown_making
from .passing import is_left_to_default, is_never_shown, question_of_default, questions_of_passing

_UNHASHABLE: Final = frozenset(
    {Reason.MUTABLE_TYPE, Reason.TYPED_DICT, Reason.EQ_WITHOUT_HASH, Reason.HASH_IS_NONE, Reason.NOT_HASHABLE}
)
_IN_PLACE: Final = frozenset({Reason.MUTABLE_TYPE, Reason.TYPED_DICT, Reason.MUTABLE_MEMBER})
_ARRAYS: Final = frozenset({Reason.ARRAY, Reason.DYNAMIC_MARKER})
# These do harm whatever the program does with the object.
_ALWAYS: Final = UNPROVEN | {Reason.EQ_NOT_BOOL, Reason.MEMO_OF_ARRAYS, Reason.CACHED_ARRAY}
_BY_IDENTITY: Final = BY_IDENTITY | {Reason.HASH_WITHOUT_EQ, Reason.IDENTITY_EQ}


class Shown(NamedTuple):
    """What a fault does to the program, and what of the program shows it."""

    harm: Harm
    is_raising: bool = False
    is_left: bool = False  # every call of the file leaves it to its default
    searched: Changing | None = None
    changes: tuple[tuple[str, Change], ...] = ()
    is_kept_back: bool = False  # no other module can show that it does harm: JAX never hashes the objects
    made_with: tuple[MadeWith, ...] = ()  # places that make a new object for each pytree


def shown(position: Position, fault: Fault, code: str, kind: str, file: CheckedFile, *, is_certain: bool) -> Shown:
    """`code`, `kind`: of the error. `is_certain`: whether every value of the position has the fault."""
    if not position.is_key:  # what a call passes there is found at the call
        return Shown(Harm.CONTRACT if position.is_signed else Harm.POTENTIAL, is_kept_back=True)
    # A default may be such a value itself, and what a class may hold is for the callers to give. The command looks for
    # calls that pass it in other modules.
    is_left = not fault.path and is_left_to_default(position, file)
    is_asked = bool(position.compiled) and is_for_tools(file)
    is_unseen = (is_left and not is_asked) or is_never_shown(position, file)
    is_raising = is_certain and _raises(position, fault) and not is_unseen
    made_with = tuple(made_with_pytrees(position, fault, file)) if fault.reason in _BY_IDENTITY else ()
    if position.holder is not None and not (position.is_signed or made_with or reaches_jax(position.holder, file)):
        is_kept_back = bool(constructions(position.holder, file))
        return Shown(Harm.POTENTIAL, is_raising, searched=changing(position, fault, file), is_kept_back=is_kept_back)
    if is_raising:
        return Shown(Harm.RAISES, is_raising=True, is_left=is_left)
    searched = changing(position, fault, file)
    changes = tuple(changes_shown(searched, file))
    if not changes and fault.reason in _IN_PLACE:
        changes = tuple((file.tree.fullname, change) for change in changes_after_passing(position, fault, file))
    if changes or made_with or fault.reason in _ALWAYS or _is_seen(position, fault, file):
        harm = Harm.WRONG if changes and fault.reason in HOLDS_ARRAYS else harm_of(code, kind)
        return Shown(harm, searched=searched, changes=changes, made_with=made_with)
    return Shown(Harm.CONTRACT if position.is_signed else Harm.POTENTIAL, searched=searched)


def _raises(position: Position, fault: Fault) -> bool:
    """Whether JAX cannot hash any value of the position, and always does."""
    if not position.is_hashed:
        return False
    if fault.reason in _ARRAYS:
        holder = fault.holder if fault.fields else None
        return holder is None or not is_left_out_of_hash(holder, fault.fields[-1])
    if not all(map(hashes_parts, _classes_above(position, fault))):
        return False
    if fault.reason is Reason.NOT_FROZEN:
        return fault.declared is not None and not is_hashable(fault.declared)
    if fault.reason is Reason.PYTREE_DATA:
        return fault.declared is not None and _cannot_be_hashed(fault.declared, fault.detail)
    if any(map(class_model.is_its_leaves, _classes_above(position, fault))):
        return False  # a list or dict has leaves, too
    return fault.reason in _UNHASHABLE and not (fault.declared is not None and is_hashable(fault.declared))


def _classes_above(position: Position, fault: Fault) -> Iterator[TypeInfo]:
    """The classes whose hash asks that of the offender, as far as the fields of a path show them."""
    if fault.holder is not None:
        yield fault.holder
    found: ProperType | None = get_proper_type(without_marker(position.type))
    for step in fault.path:
        if not isinstance(found, Instance) or not step.startswith("."):
            return
        yield found.type
        typ = next((field.type for field in class_model.fields(found.type) if field.name == step[1:]), None)
        found = get_proper_type(typ) if typ is not None else None


def _cannot_be_hashed(info: TypeInfo, name: str) -> bool:
    """Whether a pytree has no hash, or that of its fields, of which this one is declared to hold arrays."""
    if not is_hashable(info):
        return True
    declared = next((field.type for field in class_model.fields(info) if field.name == name), None)
    return declared is not None and class_model.declaration_of(info) is not None and hashes_parts(info)


def _is_seen(position: Position, fault: Fault, file: CheckedFile) -> bool:
    if fault.reason in _BY_IDENTITY:
        return bool(made_again(fault.declared, file))
    if fault.reason in COARSE_EQUALITY:
        return is_mistaken(position, fault, file)
    if fault.reason not in HOLDS_ARRAYS or position.is_hashed:
        return False
    holder = fault.holder if fault.path else field_of(position)[0]
    return made_twice(holder, file)  # then JAX compares two, and == of two arrays is no answer


def evidence(
    position: Position, fault: Fault, found: Shown, file: CheckedFile, *, can_be_frozen: bool
) -> Iterator[Evidence]:
    """The lines that show it, and those that the advice has to do with."""
    yield from stale(list(found.changes), file)
    if fault.reason is Reason.MUTABLE_TYPE:
        yield from changes_in_place(position, fault, file)
    elif can_be_frozen and fault.reason in FREEZABLE and fault.declared is not None:
        yield from freezing(position, fault.declared, file)
        if fault.reason is Reason.NOT_FROZEN:
            yield from making(fault.declared, file)
    if fault.reason in _BY_IDENTITY:
        yield from shown_making(fault, found.made_with, file)


def questions(
    position: Position, fault: Fault, found: Shown, shows: Harm, file: CheckedFile, *, can_be_frozen: bool
) -> Iterator[Question]:
    """What modules that import this one may show. `shows`: the harm of an object that is made again."""
    if found.is_kept_back:
        return
    if found.harm is Harm.RAISES:
        yield from questions_of_passing(position, fault, file)
        yield from question_of_default(position) if found.is_left else ()
    if fault.reason in _BY_IDENTITY:
        yield from questions_of_making(fault, found.made_with, shows)
    elif fault.reason in MUTABLE or fault.reason in HOLDS_ARRAYS:
        yield from questions_of_changes(position, found.searched, None if found.is_raising else Harm.WRONG)
        if can_be_frozen and fault.reason in FREEZABLE and fault.declared is not None:
            yield question_of_freezing(position, fault.declared)
