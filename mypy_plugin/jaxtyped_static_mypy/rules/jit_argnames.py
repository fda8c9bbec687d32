"""jit-argnames: lists of static or donated parameters that do not fit the function or its annotations."""

from collections.abc import Iterable, Sequence
from typing import Final

from mypy.nodes import TupleExpr
from mypy.types import Type

from ..jit.application import JitCall
from ..jit.listing import Listing, listings
from ..jit.signatures import claimed_signatures
from ..jit.written_lists import WrittenLists, written_lists
from ..reporting.errors import report
from ..reporting.jit_sites import site_of_call
from ..reporting.messages import Message
from . import CODES
from ._listed_items import ListProblem, item_problems
from ._listed_parameters import parameter_problems

CODE: Final = CODES["jit-argnames"]

_IGNORED: Final = Message(
    "{function} makes parameters static by position only, so {ignored} does nothing",
    "list positions in {nums}",
    kind="ignored-option",
)


def check_lists(call: JitCall, typ: Type) -> bool:
    """Compares the lists of a jit call with the function it compiles; returns whether every listed item fits.

    Says nothing about a function whose parameters are unknown.
    """
    written, found, misfits = _read(call, typ)
    misfits = [*_ignored(call, written), *misfits]
    _report(call, (*misfits, *(parameter_problems(found[0]) if len(found) == 1 else ())))
    return not misfits


def check_items(call: JitCall, typ: Type) -> None:
    """The same of what JAX refuses where the function is defined, whoever calls it."""
    _report(call, _read(call, typ)[2])


def _read(call: JitCall, typ: Type) -> tuple[WrittenLists, Sequence[Listing], list[ListProblem]]:
    """The lists, how they fit each signature, and the items that fit none."""
    written = written_lists(call)
    found = list(listings(call, written, claimed_signatures(typ, call.expression, call.context)))
    return written, found, list(item_problems(found)) if found else []


def _report(call: JitCall, problems: Iterable[ListProblem]) -> None:
    site = site_of_call(call)
    for problem in problems:
        report(
            call.file, problem.context, problem.statement, CODE, written=problem.written, site=site, harm=problem.harm
        )


def _ignored(call: JitCall, written: WrittenLists) -> list[ListProblem]:
    """`jax.checkpoint(static_argnames=...)`: type checkers accept it, and it has no effect."""
    row = call.row
    value = written.values.get(row.ignored_option or "")
    if value is None or (isinstance(value, TupleExpr) and not value.items):
        return []
    place = value.items[0] if isinstance(value, TupleExpr) else value
    function = call.site.function.rpartition(".")[2]
    message = _IGNORED.fill(function=function, ignored=row.ignored_option or "", nums=row.nums_option or "")
    return [ListProblem(place, message)]
