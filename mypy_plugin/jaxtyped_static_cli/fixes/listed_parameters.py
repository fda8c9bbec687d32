"""Makes a parameter static that a message names: lists it, or marks it."""

import re
from typing import Final

import libcst as cst

from jaxtyped_static_mypy.reporting.actions import Action

from ..editing.keywords import argument
from ..findings.causes import Finding
from .jit_sites import items, jitting_decorator, with_lists
from .parameters import annotated, annotation_of, parameters
from .proposals import Change, Program, Spot, spot_of
from .static_lists import rendered

_PER_VALUE: Final = "JAX then compiles again for each value"
_NAMES: Final = "static_argnames"
_NUMBERS: Final = "static_argnums"


def make_named_static(finding: Finding, program: Program) -> Change | None:
    """jit-branch, static-traced: JAX then compiles again for each value, so this is not safe."""
    advised = finding.reported.offered(Action.MAKE_STATIC)
    spot = spot_of(finding, program) if advised is not None else None
    if spot is None or advised is None:
        return None
    name = advised.value("parameter")
    function = spot.document.around(spot.place, cst.FunctionDef)
    parameter = _parameter(function, name) if function is not None else None
    site = jitting_decorator(function) if function is not None else None
    if function is None or parameter is None or site is None:
        return None
    if not isinstance(site, cst.Call) and _reads_markers(spot, site):
        annotation = annotation_of(parameter)
        text = f"Static[{spot.document.code(annotation)}]" if annotation is not None else None
        edit = annotated(spot.document, parameter, text) if text is not None else None
        return spot.change(edit, _PER_VALUE)
    lists = _with(site, name, parameters(function).index(parameter))
    return spot.change(with_lists(spot.document, site, lists, ()), _PER_VALUE) if lists is not None else None


def _parameter(function: cst.FunctionDef, name: str) -> cst.Param | None:
    return next((one for one in parameters(function) if one.name.value == name), None)


def _reads_markers(spot: Spot, decorator: cst.BaseExpression) -> bool:
    """Whether this is `jit` of jaxtyped_static."""
    code = spot.document.code(decorator)
    text = spot.document.text
    return code == "jaxtyped_static.jit" or (
        code == "jit" and re.search(r"from jaxtyped_static import .*\bjit\b", text) is not None
    )


def _with(site: cst.BaseExpression, name: str, number: int) -> dict[str, str] | None:
    """The lists with a parameter added; None if they are not written out, or are two."""
    given = {option: argument(site, option) for option in (_NAMES, _NUMBERS)} if isinstance(site, cst.Call) else {}
    written = {option: one for option, one in given.items() if one is not None}
    if len(written) > 1:
        return None
    option = next(iter(written), _NAMES)
    listed = items(written[option].value) if written else []
    if listed is None:
        return None
    return {option: rendered([*listed, number if option == _NUMBERS else name])}
