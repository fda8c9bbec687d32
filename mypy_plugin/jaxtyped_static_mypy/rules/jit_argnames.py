"""jit-argnames: lists of static or donated parameters that do not fit the function or its annotations."""

from typing import Final

from mypy.nodes import Expression, TupleExpr
from mypy.plugin import FunctionContext
from mypy.types import Type

from ..config.settings import Settings
from ..jit.listing import listings
from ..jit.signatures import claimed_signatures
from ..jit.sites import JitSite
from ..jit.written_lists import WrittenLists, written_lists
from ..knowledge.function_rows import JitFunction
from ..reporting.errors import report
from ..reporting.jit_sites import site_of_lists
from ..reporting.messages import Message
from . import CODES
from ._list_problem import ListProblem
from ._listed_items import item_problems
from ._listed_parameters import parameter_problems

CODE: Final = CODES["jit-argnames"]

_IGNORED: Final = Message(
    "{function} makes parameters static by position only, so {ignored} does nothing",
    "list positions in {nums}",
    kind="ignored-option",
)


def check_lists(
    ctx: FunctionContext, expression: Expression, typ: Type, site: JitSite, row: JitFunction, settings: Settings
) -> bool:
    """Compares the lists of a jit call with the function it compiles; returns whether every listed item fits.

    Says nothing about a function whose parameters are unknown.
    """
    written = written_lists(ctx, site)
    misfits = _ignored(written, site, row)
    signatures = claimed_signatures(typ, expression, ctx.context)
    found = list(listings(ctx, expression, signatures, site, row, written))
    if found:
        misfits += item_problems(found)
    disagreements = parameter_problems(found[0], settings) if len(found) == 1 else ()
    place = site_of_lists(written, site, row)
    for problem in (*misfits, *disagreements):
        report(ctx.api, problem.context, problem.statement, CODE, written=problem.written, site=place)
    return not misfits


def _ignored(written: WrittenLists, site: JitSite, row: JitFunction) -> list[ListProblem]:
    """`jax.checkpoint(static_argnames=...)`: type checkers accept it, and it has no effect."""
    value = written.values.get(row.ignored_option or "")
    if value is None or (isinstance(value, TupleExpr) and not value.items):
        return []
    place = value.items[0] if isinstance(value, TupleExpr) else value
    function = site.function.rpartition(".")[2]
    message = _IGNORED.fill(function=function, ignored=row.ignored_option or "", nums=row.nums_option or "")
    return [ListProblem(place, message)]
