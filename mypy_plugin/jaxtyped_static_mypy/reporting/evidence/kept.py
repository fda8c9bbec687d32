"""What changes the object whose method is compiled: the compiled function keeps what it read at first."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from mypy.nodes import AssignmentStmt, MemberExpr, NameExpr, Node, TypeInfo

from ...classes.memos import unread
from ...facts.objects.uses import Change
from ...facts.self_facts import head_of
from ...flow.changes import assignments_to
from ...knowledge import naming
from ...reach.liveness import places_in_call
from ...reach.objects import changes_of
from ...source.checked_file import CheckedFile
from ...source.functions import functions_around
from ...source.surroundings import Surroundings, surroundings, uses_of_bound
from ...syntax.trees import covers, nodes_below
from ..finding import Asked, Question
from ..harm import Harm
from .changes import KEEPS, counts
from .wording import CHANGED


class Kept(NamedTuple):
    """What a compiled method keeps of its object."""

    info: TypeInfo
    owner: str  # the object, as written
    read: frozenset[str]  # the attributes that it reads, by itself and in the methods that it uses, or their parts
    apart: frozenset[str]  # methods that are part of it, or only run while the object is made
    assigned_apart: frozenset[str]  # the attributes that these assign


def changes_kept(
    kept: Kept, place: Surroundings, file: CheckedFile, *, is_found_again: bool
) -> list[tuple[str, Change]]:
    """The changes of what a method reads, after it was compiled. `place`: of what compiles it.

    `is_found_again`: JAX keeps what it compiled, even if the program does not.
    """
    in_tests, harmless = naming.is_test_module(kept.info.module_name), unread(kept.info)
    in_call = places_in_call(place, file) if not is_found_again else None
    uses = in_call if in_call is not None else list(uses_of_bound(place, file))
    called = _names_between(place, uses, file) if in_call is not None else None
    return [
        (module, change)
        for module, change in changes_of(kept.info, file)
        if change.concerns(kept.read)
        and change.attribute not in harmless
        and not _is_apart(module, change, kept)
        and (
            _comes_between(change, kept, place, uses, file)
            if module == file.tree.fullname and _is_beside(change, place, file)
            else counts(module, change, in_tests=in_tests)
            and not change.is_of_set_up
            and (called is None or change.where.rpartition(".")[2] in called)
        )
    ]


def attributes_given(place: Surroundings, file: CheckedFile) -> frozenset[str]:
    """The attributes that calls of what is compiled pass to it, too: it hardly reads these of the object by itself.

    `self.run = jax.jit(self._run)`, and then `self.run(self.params)`.
    """
    target = place.parent.lvalues[0] if isinstance(place.parent, AssignmentStmt) else None
    uses = file.uses_by_name.get(target.name, ()) if isinstance(target, (MemberExpr, NameExpr)) else ()
    given = (argument for call in file.calls_at(uses) for argument in call.args)
    return frozenset(argument.name for argument in given if isinstance(argument, MemberExpr))


def question_of_kept(kept: Kept, method: str) -> Iterator[Question]:
    """What modules that import this one may show. `method`: what is compiled."""
    among = tuple(sorted(name for name in kept.read if head_of(name) not in kept.assigned_apart))
    for asked in (Asked.ASSIGNED, Asked.CHANGED) if among else ():
        yield Question(asked, kept.info.fullname, CHANGED, KEEPS, among, Harm.WRONG, compiled=method)


def _is_apart(module: str, change: Change, kept: Kept) -> bool:
    """Whether a method makes the change that is part of what is compiled, or only runs while the object is made."""
    around = change.where.split(".")
    own = {base.name.partition("@")[0] for base in kept.info.mro if base.module_name == module}
    return any(cls in own and method in kept.apart for cls, method in pairwise(around))


def _names_between(place: Surroundings, uses: Sequence[Surroundings], file: CheckedFile) -> frozenset[str]:
    """The names that a function uses between calls of what it compiles: what changes the object there is among them.

    All names, if it does not call that itself.
    """
    below = nodes_below(place.function.body) if place.function is not None else ()
    is_seen = bool(uses)
    return frozenset(
        name
        for node in below
        if isinstance(name := getattr(node, "name", None), str)
        and not (is_seen and _is_own(node, place, file) and not _is_between(node.line, uses, place))
    )


def _is_own(node: Node, place: Surroundings, file: CheckedFile) -> bool:
    """Whether it stands in the function itself, and not in one that is nested there, which runs at any time."""
    return surroundings(node, file).function is place.function


def _is_beside(change: Change, place: Surroundings, file: CheckedFile) -> bool:
    """Whether the change stands in the function, or the module, that compiles the method."""
    around = functions_around(change.line, file)
    return (around[-1].node if around else None) is place.function


def _comes_between(
    change: Change, kept: Kept, place: Surroundings, uses: Sequence[Surroundings], file: CheckedFile
) -> bool:
    """Whether calls of what is compiled stand before and after the change, or one in a loop around it."""
    owners = {found.owner for found in assignments_to(kept.info, file) if found.line == change.line}
    if owners and kept.owner not in owners and kept.owner.isidentifier():
        return False  # another object
    return _is_between(change.line, uses, place)


def _is_between(line: int, uses: Iterable[Surroundings], place: Surroundings) -> bool:
    """Whether `uses` of what is compiled stand before and after a line, or one in a loop around it."""
    start, before = place.around[0], False
    after = place.function is None  # other modules may call it
    for use in uses:
        around = [loop for loop in use.loops if covers(loop, line) and not covers(loop, start.line)]
        used = use.around[0].line
        is_here = use.function is place.function
        before = before or bool(around) or (is_here and start.line <= used < line)
        after = after or bool(around) or used > line or not is_here
    return before and after
