"""Makes a parameter static that a message names: lists it, or marks it."""

from typing import Final

import libcst as cst

from jaxtyped_static_mypy.libraries import JIT_FUNCTIONS
from jaxtyped_static_mypy.reporting.actions import Action

from ..editing.jit_lists import rendered, written_items
from ..editing.keywords import argument
from ..editing.parameters import annotated, annotation_of, parameters
from ..findings.causes import Finding
from .jit_sites import site_of, with_lists
from .proposals import Change, ProjectFiles, spot_of

_PER_VALUE: Final = "JAX then compiles again for each value"
_NAMES: Final = "static_argnames"
_NUMBERS: Final = "static_argnums"


def make_named_static(finding: Finding, files: ProjectFiles) -> Change | None:
    """jit-branch, static-traced: JAX then compiles again for each value, so this is not safe."""
    advised = finding.reported.offered(Action.MAKE_STATIC)
    spot = spot_of(finding, files) if advised is not None else None
    if spot is None or advised is None:
        return None
    name = advised.value("parameter")
    function = spot.document.around(spot.place, cst.FunctionDef)
    parameter = _parameter(function, name) if function is not None else None
    site = site_of(spot, finding)
    if function is None or parameter is None or site is None or not _decorates(site, function):
        return None
    if not isinstance(site, cst.Call) and _reads_markers(finding):
        annotation = annotation_of(parameter)
        text = f"Static[{spot.document.code(annotation)}]" if annotation is not None else None
        edit = annotated(spot.document, parameter, text) if text is not None else None
        return spot.change(edit, _PER_VALUE)
    lists = _with(site, name, parameters(function).index(parameter))
    return spot.change(with_lists(spot.document, site, lists, ()), _PER_VALUE) if lists is not None else None


def _parameter(function: cst.FunctionDef, name: str) -> cst.Param | None:
    return next((parameter for parameter in parameters(function) if parameter.name.value == name), None)


def _decorates(site: cst.BaseExpression, function: cst.FunctionDef) -> bool:
    return any(decorator.decorator is site for decorator in function.decorators)


def _reads_markers(finding: Finding) -> bool:
    """Whether what compiles reads `Static[...]`, as the `jit` of jaxtyped_static does."""
    row = JIT_FUNCTIONS.get(finding.reported.site.function) if finding.reported.site is not None else None
    return row is not None and row.reads_markers


def _with(site: cst.BaseExpression, name: str, number: int) -> dict[str, str] | None:
    """The lists with a parameter added; None if they are not written out, or are two."""
    given = {option: argument(site, option) for option in (_NAMES, _NUMBERS)} if isinstance(site, cst.Call) else {}
    written = {option: value for option, value in given.items() if value is not None}
    if len(written) > 1:
        return None
    option = next(iter(written), _NAMES)
    listed = written_items(written[option].value) if written else []
    if listed is None:
        return None
    return {option: rendered([*listed, number if option == _NUMBERS else name])}
