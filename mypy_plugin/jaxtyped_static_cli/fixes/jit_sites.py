"""Finds the call or decorator that compiles a function, and edits the lists in it."""

from collections.abc import Iterable, Mapping
from typing import Final

import libcst as cst

from ..editing.documents import EXPRESSION, Document
from ..editing.edits import Edit
from ..editing.imports import Import, spelling
from ..editing.keywords import with_keyword, without_keyword
from ..editing.names import Names
from ..findings.causes import Finding
from .proposals import Spot

_PARTIAL: Final = "functools.partial"


def site_of(spot: Spot, finding: Finding) -> cst.BaseExpression | None:
    """The call, or the name, that compiles what a finding is about; None if its lists cannot be written there."""
    site, document = finding.reported.site, spot.document
    if site is None:
        return None
    # mypy counts the columns of trees from 0, and those that it prints from 1.
    start = document.place(site.line, site.column + 1)
    end = document.place(site.end_line, site.end_column + 1)
    return document.spanning(start, end, EXPRESSION)


def with_lists(
    document: Document, site: cst.BaseExpression, lists: Mapping[str, str], dropped: Iterable[str]
) -> Edit | None:
    """Sets options of what compiles a function, and drops others."""
    imports: tuple[Import, ...] = ()
    if isinstance(site, cst.Call):
        call = site
    elif (partial := spelling(document, _PARTIAL)) is not None:
        call = cst.Call(cst.parse_expression(partial.text), [cst.Arg(site)])
        imports = partial.imports
    else:
        return None
    for option in dropped:
        call = without_keyword(call, option)
    for option, value in lists.items():
        call = with_keyword(call, option, value)
    new, unneeded = _without_idle_partial(call, document)
    return Edit({site: new}, imports=imports, unneeded=unneeded)


def _without_idle_partial(call: cst.Call, document: Document) -> tuple[cst.BaseExpression, tuple[Import, ...]]:
    """`jax.jit` for `partial(jax.jit)`."""
    if len(call.args) == 1 and document.once(Names).full_name(call.func) == _PARTIAL:
        return call.args[0].value, (Import("functools", "partial"), Import("functools"))
    return call, ()


def options_in(text: str) -> dict[str, str] | None:
    """`static_argnames="n", static_argnums=1`: each option and its value."""
    call = cst.parse_expression(f"f({text})")
    if not isinstance(call, cst.Call) or any(argument.keyword is None for argument in call.args):
        return None
    code = cst.Module([]).code_for_node
    return {argument.keyword.value: code(argument.value) for argument in call.args if argument.keyword is not None}
