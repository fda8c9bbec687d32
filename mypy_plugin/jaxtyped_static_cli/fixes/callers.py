"""Whether every call of the function that a finding is about raises, as far as the project shows its calls."""

from collections.abc import Callable, Iterator

import libcst as cst

from ..editing.jit_lists import written_items
from ..editing.keywords import argument
from ..editing.parameters import annotation_of, parameters
from .jit_sites import options_in
from .proofs.calls import Fits, why_not_every_call
from .proofs.code import Code, Source
from .proofs.compiling import why_not_compiled
from .proofs.passed import is_array_or_none, is_array_or_number
from .proofs.uses import Parameter
from .proposals import ProjectFiles, Spot

Fitting = Callable[[str, Code], Fits]  # what makes a call raise, for a parameter with an annotation


def why_not_all_raise(
    spot: Spot, files: ProjectFiles, fitting: Fitting, lists: str = "", site: cst.BaseExpression | None = None
) -> str:
    """Why some call may not raise.

    `lists`: the new lists of a site, which may name other parameters than the one at the spot.
    """
    document, source = spot.document, files.code.source(spot.path)
    parameter = document.starting_at(spot.place, cst.Param)
    function = document.parent(parameter, cst.FunctionDef) if parameter is not None else None
    if source is None or parameter is None or function is None:
        return "nothing shows what the calls of the function pass"
    if eager := why_not_compiled(files.code):
        return eager
    concerned = dict.fromkeys([parameter, *_newly_listed(lists, function, site)])
    doubts = (_doubt(taken, function, spot, source, files.code, fitting) for taken in concerned)
    return next(filter(None, doubts), "")


def why_may_be_empty(
    operand: cst.BaseExpression, spot: Spot, files: ProjectFiles, fitting: Fitting = is_array_or_none
) -> str:
    """Why what a condition looks at may be neither an array nor None, and false: `()` is not None."""
    document, source = spot.document, files.code.source(spot.path)
    function = document.parent(operand, cst.FunctionDef)
    taken = parameters(function) if function is not None else []
    named = [parameter for parameter in taken if parameter.name.deep_equals(operand)]
    if source is None or function is None or not named or _doubt(named[0], function, spot, source, files.code, fitting):
        return "a caller may pass an empty container"
    return ""


def why_may_be_false(test: cst.BaseExpression, spot: Spot, files: ProjectFiles) -> str:
    """Why a part of a condition that is only a name may be neither an array nor a number, and false.

    Other parts are comparisons: that of None or `()` with a number raises.
    """
    if isinstance(test, cst.Name | cst.Attribute):
        return why_may_be_empty(test, spot, files, is_array_or_number)
    if isinstance(test, cst.UnaryOperation):
        return why_may_be_false(test.expression, spot, files)
    if isinstance(test, cst.BooleanOperation):
        return why_may_be_false(test.left, spot, files) or why_may_be_false(test.right, spot, files)
    return ""


def _newly_listed(lists: str, function: cst.FunctionDef, site: cst.BaseExpression | None) -> Iterator[cst.Param]:
    """The parameters that are in new lists, and not in those that are there."""
    new = options_in(lists) if lists and not lists.partition(":")[1] else None
    for option, text in (new or {}).items():
        given = argument(site, option) if isinstance(site, cst.Call) else None
        old = written_items(given.value) if given is not None else []
        for index, parameter in enumerate(parameters(function)):
            if {index, parameter.name.value} & {*(written_items(cst.parse_expression(text)) or ())} - {*(old or ())}:
                yield parameter


def _doubt(
    parameter: cst.Param, function: cst.FunctionDef, spot: Spot, source: Source, code: Code, fitting: Fitting
) -> str:
    document = spot.document
    if parameter not in parameters(function):
        return f'"{parameter.name.value}" takes any number of arguments'
    annotation = annotation_of(parameter)
    owner = next(
        (outer for outer in document.ancestors(function) if isinstance(outer, cst.FunctionDef | cst.ClassDef)), None
    )
    found = Parameter(
        function.name.value,
        parameter.name.value,
        parameters(function).index(parameter),
        source,
        owner.name.value if isinstance(owner, cst.ClassDef) else "",
    )
    return why_not_every_call(found, fitting(document.code(annotation) if annotation is not None else "", code), code)
