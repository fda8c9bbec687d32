"""jit-argnames: lists of static or donated parameters that do not fit the function or its annotations."""

from typing import Final

from mypy.nodes import TupleExpr
from mypy.types import Type

from ..jit.application import JitCall
from ..jit.listing import listings
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
    written = written_lists(call)
    misfits = _ignored(call, written)
    found = list(listings(call, written, claimed_signatures(typ, call.expression, call.context)))
    if found:
        misfits += item_problems(found)
    disagreements = parameter_problems(found[0]) if len(found) == 1 else ()
    site = site_of_call(call)
    for problem in (*misfits, *disagreements):
        report(
            call.file, problem.context, problem.statement, CODE, written=problem.written, site=site, harm=problem.harm
        )
    return not misfits


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
