"""Whether every call of the function that a finding is about raises, as far as the project shows its calls."""

from collections.abc import Callable, Iterator

import libcst as cst

from ..editing.keywords import argument
from .jit_sites import items, read_lists, site_of
from .parameters import annotation_of, parameters
from .proofs.calls import Fits, Parameter, why_not_every_call
from .proofs.code import Code, Source
from .proposals import Program, Spot

Fitting = Callable[[str, Code], Fits]  # what makes a call raise, for a parameter with an annotation


def why_not_all_raise(spot: Spot, program: Program, fitting: Fitting, lists: str = "") -> str:
    """Why some call may not raise. `lists`: the new lists, which may name other parameters than the one at the spot."""
    document, source = spot.document, program.code.source(spot.path)
    parameter = document.starting_at(spot.place, cst.Param)
    function = document.parent(parameter, cst.FunctionDef) if parameter is not None else None
    if source is None or parameter is None or function is None:
        return "nothing shows what the calls of the function pass"
    concerned = dict.fromkeys([parameter, *_newly_listed(lists, function, spot)])
    doubts = (_doubt(one, function, spot, source, program.code, fitting) for one in concerned)
    return next(filter(None, doubts), "")


def _newly_listed(lists: str, function: cst.FunctionDef, spot: Spot) -> Iterator[cst.Param]:
    """The parameters that are in new lists, and not in those that are there."""
    new = read_lists(lists) if lists and not lists.partition(":")[1] else None
    site = site_of(spot, new or ())
    for option, text in (new or {}).items():
        given = argument(site, option) if isinstance(site, cst.Call) else None
        old = items(given.value) if given is not None else []
        for index, one in enumerate(parameters(function)):
            if {index, one.name.value} & {*(items(cst.parse_expression(text)) or ())} - {*(old or ())}:
                yield one


def _doubt(
    parameter: cst.Param, function: cst.FunctionDef, spot: Spot, source: Source, code: Code, fitting: Fitting
) -> str:
    document = spot.document
    if parameter not in parameters(function):
        return f'"{parameter.name.value}" takes any number of arguments'
    annotation = annotation_of(parameter)
    owner = next((one for one in document.ancestors(function) if isinstance(one, cst.FunctionDef | cst.ClassDef)), None)
    found = Parameter(
        function.name.value,
        parameter.name.value,
        parameters(function).index(parameter),
        source,
        owner.name.value if isinstance(owner, cst.ClassDef) else "",
    )
    return why_not_every_call(found, fitting(document.code(annotation) if annotation is not None else "", code), code)
