"""Corrects the lists of a jit call: as the note says, or without what the advice takes off."""

import re
from typing import Final

import libcst as cst

from jaxtyped_static_mypy.reporting.mechanical import (
    COUNTED,
    DYNAMIC_IN_CALL,
    IS_ARRAY,
    LAST_POSITION,
    LEAVE_OUT,
    MARKED_DYNAMIC,
    NO_SUCH_POSITION,
    SOME_CALLS,
    TAKE_OFF,
    UNMARK,
    UNREAD_MARKER,
)
from jaxtyped_static_mypy.reporting.reading import filled, offered

from ..editing.edits import Edit
from ..editing.keywords import argument
from ..findings import Finding
from .callers import why_not_all_raise
from .jit_sites import items, read_lists, site_of, with_lists
from .parameters import annotated, annotation_of, parameters
from .proofs.compiling import TRACING, compiled_by
from .proofs.passed import is_array, is_untraceable_as
from .proposals import Change, Program, Spot, spot_of, to_add, written_instead

_SOME: Final = "calls that do not pass one work as they are"
_OPTION: Final = re.compile(r"\b\w+_arg(?:num|name)s\b")
_GUESSED: Final = "which parameter was meant is a guess"
_ANNOTATION: Final = re.compile(r"(\w+): (.+)", re.DOTALL)
_STATIC_ARGUMENT: Final = re.compile(r'Static argument "(\w+)"')
# What runs as it is. JAX, and our jit, raise about all else.
_RUNNING: Final = (DYNAMIC_IN_CALL, MARKED_DYNAMIC, UNREAD_MARKER)
_OTHERWISE: Final = "the function runs as it is, and other parameters would be static"


def correct_lists(finding: Finding, program: Program) -> Change | None:
    """jit-argnames. Safe if JAX raises about the lists when it compiles the function."""
    text = written_instead(finding) or to_add(finding)
    if text is None and offered(TAKE_OFF, finding.advice) is None:
        return None
    spot = spot_of(finding, program)
    if spot is None:
        return None
    doubt = _why_it_may_run(finding, spot, program)
    return write_text(spot, text, finding, doubt) if text is not None else _dropped(spot, finding, doubt)


def _why_it_may_run(finding: Finding, spot: Spot, program: Program) -> str:
    if any(filled(template, finding.problem) is not None for template in _RUNNING):
        return _OTHERWISE
    site, source = site_of(spot, _OPTION.findall(finding.message)), program.code.source(spot.path)
    if site is None or source is None or compiled_by(spot.document.code(site), source, program.code) not in TRACING:
        return "nothing shows that what compiles the function raises about its lists"
    return ""


def count_from_zero(finding: Finding, program: Program) -> Change | None:
    """jit-argnames: a position beyond the last, which is probably what was meant."""
    advice, wrong = offered(LAST_POSITION, finding.advice), filled(NO_SUCH_POSITION, finding.problem)
    spot = spot_of(finding, program) if advice is not None else None
    if spot is None or advice is None or wrong is None:
        return None
    option, last = wrong["option"], int(advice["last"])
    site = site_of(spot, [option])
    given = argument(site, option) if isinstance(site, cst.Call) else None
    listed = items(given.value) if given is not None else None
    if site is None or listed is None or last in listed:
        return None
    meant = [last if item == int(wrong["number"]) else item for item in listed]
    return spot.change(with_lists(spot.document, site, {option: rendered(meant)}, ()), _GUESSED)


def make_static(finding: Finding, program: Program) -> Change | None:
    """jit-untraceable, where the note has the text. Safe if no call passes what may be traced after all."""
    text = written_instead(finding) or to_add(finding)
    spot = spot_of(finding, program) if text is not None else None
    if spot is None or text is None:
        return None
    if SOME_CALLS in finding.problem:
        return write_text(spot, text, finding, _SOME)
    return write_text(spot, text, finding, why_not_all_raise(spot, program, is_untraceable_as, text))


def trace_arrays(finding: Finding, program: Program) -> Change | None:
    """static-dynamic, for an argument that is itself an array: JAX cannot hash it, so every call raises.

    One that may be something else is left alone: calls that pass no array work.
    """
    is_alone = filled(IS_ARRAY, finding.problem) is not None and offered(LEAVE_OUT, finding.advice) is None
    spot = spot_of(finding, program) if finding.positions and is_alone else None
    if spot is None:
        return None
    position = finding.positions[0].description
    if (miscounted := offered(COUNTED, finding.advice)) is not None:
        return write_text(spot, miscounted["lists"], finding, why_not_all_raise(spot, program, is_array))
    parameter = spot.document.starting_at(spot.place, cst.Param)
    if parameter is None or not position.endswith('"') or _STATIC_ARGUMENT.match(position) is None:
        return None
    doubt = why_not_all_raise(spot, program, is_array)
    if offered(UNMARK, finding.advice) is not None:
        return _unmarked(spot, parameter, doubt)
    return _taken_off(spot, parameter, finding, doubt) if offered(TAKE_OFF, finding.advice) is not None else None


def write_text(spot: Spot, text: str, finding: Finding, doubt: str = "") -> Change | None:
    """Writes `static_argnames="n"` into what compiles the function, or `n: Static[int]` into its parameters."""
    if (marked := _ANNOTATION.fullmatch(text)) is not None:
        parameter = spot.document.starting_at(spot.place, cst.Param)
        if parameter is None or parameter.name.value != marked[1]:
            return None
        return spot.change(annotated(spot.document, parameter, marked[2]), doubt)
    lists = read_lists(text)
    if lists is None:
        return None
    options = dict.fromkeys([*_OPTION.findall(finding.message), *lists])
    site = site_of(spot, options)
    if site is None:
        return None
    replaced = [
        name
        for name in options
        if name not in lists and isinstance(site, cst.Call) and argument(site, name) is not None
    ]
    return spot.change(with_lists(spot.document, site, lists, replaced), doubt)


def _dropped(spot: Spot, finding: Finding, doubt: str) -> Change | None:
    """Drops a list whose only item goes."""
    options = _OPTION.findall(finding.advice) or _OPTION.findall(finding.problem)
    site = site_of(spot, options)
    if not isinstance(site, cst.Call):
        return None
    found = {name: one for name in options if (one := argument(site, name)) is not None}
    if not found or any(len(items(one.value) or ()) != 1 for one in found.values()):
        return None
    return spot.change(with_lists(spot.document, site, {}, found), doubt)


def _unmarked(spot: Spot, parameter: cst.Param, doubt: str) -> Change | None:
    """Writes `x: Array` for `x: Static[Array]`."""
    marked = annotation_of(parameter)
    inner = marked.slice[0].slice if isinstance(marked, cst.Subscript) and len(marked.slice) == 1 else None
    if (
        not isinstance(marked, cst.Subscript)
        or not isinstance(inner, cst.Index)
        or spot.document.code(marked.value).rpartition(".")[2] != "Static"
    ):
        return None
    return spot.change(Edit({marked: inner.value}), doubt)


def _taken_off(spot: Spot, parameter: cst.Param, finding: Finding, doubt: str) -> Change | None:
    """Takes a parameter off the lists that the advice names."""
    function = spot.document.parent(parameter, cst.FunctionDef)
    options = _OPTION.findall(finding.advice)
    site = site_of(spot, options)
    if function is None or not isinstance(site, cst.Call):
        return None
    wrong = {parameter.name.value, parameters(function).index(parameter)}
    lists: dict[str, str] = {}
    dropped: list[str] = []
    for option in options:
        given = argument(site, option)
        listed = items(given.value) if given is not None else None
        if listed is None or not wrong.intersection(listed):
            return None
        left = [item for item in listed if item not in wrong]
        if left:
            lists[option] = rendered(left)
        else:
            dropped.append(option)
    return spot.change(with_lists(spot.document, site, lists, dropped), doubt)


def rendered(listed: list[str | int]) -> str:
    """A list of names or numbers, as code."""
    texts = [f'"{item}"' if isinstance(item, str) else str(item) for item in listed]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
