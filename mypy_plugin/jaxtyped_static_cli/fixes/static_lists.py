"""Corrects the lists of a jit call: as the note says, or without what the advice takes off."""

import re
from typing import Final

import libcst as cst

from jaxtyped_static_mypy.reporting.actions import (
    DYNAMIC_IN_CALL,
    IS_ARRAY,
    MARKED_DYNAMIC,
    NO_SUCH_POSITION,
    UNREAD_MARKER,
    UNTRACEABLE_IN_SOME_CALLS,
    Action,
    Values,
)
from jaxtyped_static_mypy.reporting.positions import STATIC_ARGUMENT

from ..editing.edits import Edit
from ..editing.jit_lists import rendered, written_items
from ..editing.keywords import argument
from ..editing.parameters import annotated, annotation_of, parameters
from ..findings.causes import Finding
from .callers import why_not_all_raise
from .jit_sites import options_in, site_of, with_lists
from .proofs.compiling import TRACING, compiled_by
from .proofs.passed import is_array, is_untraceable_as
from .proposals import Change, ProjectFiles, Spot, spot_of

_SOME: Final = "calls that do not pass one work as they are"
_OPTION: Final = re.compile(r"\b\w+_arg(?:num|name)s\b")
_GUESSED: Final = "which parameter was meant is a guess"
_ANNOTATION: Final = re.compile(r"(\w+): (.+)", re.DOTALL)
# What runs as it is. JAX, and our jit, raise about all else.
_RUNNING: Final = (DYNAMIC_IN_CALL, MARKED_DYNAMIC, UNREAD_MARKER)
_OTHERWISE: Final = "the function runs as it is, and other parameters would be static"


def correct_lists(finding: Finding, files: ProjectFiles) -> Change | None:
    """jit-argnames. Safe if JAX raises about the lists when it compiles the function."""
    written = finding.reported.written
    if written is None and finding.reported.offered(Action.TAKE_OFF) is None:
        return None
    spot = spot_of(finding, files)
    if spot is None:
        return None
    doubt = _why_it_may_run(finding, spot, files)
    return write_text(spot, written.text, finding, doubt) if written is not None else _dropped(spot, finding, doubt)


def _why_it_may_run(finding: Finding, spot: Spot, files: ProjectFiles) -> str:
    if finding.reported.kind in _RUNNING:
        return _OTHERWISE
    site, source = site_of(spot, finding), files.code.source(spot.path)
    if site is None or source is None or compiled_by(spot.document.code(site), source, files.code) not in TRACING:
        return "nothing shows that what compiles the function raises about its lists"
    return ""


def count_from_zero(finding: Finding, files: ProjectFiles) -> Change | None:
    """jit-argnames: a position beyond the last, which is probably what was meant."""
    reported = finding.reported
    advised = reported.offered(Action.LIST_LAST_POSITION)
    spot = spot_of(finding, files) if advised is not None else None
    if spot is None or advised is None or reported.kind != NO_SUCH_POSITION:
        return None
    option, last = reported.value("option"), int(advised.value("last"))
    site = site_of(spot, finding)
    given = argument(site, option) if isinstance(site, cst.Call) else None
    listed = written_items(given.value) if given is not None else None
    if site is None or listed is None or last in listed:
        return None
    meant = [last if item == int(reported.value("number")) else item for item in listed]
    return spot.change(with_lists(spot.document, site, {option: rendered(meant)}, ()), _GUESSED)


def make_static(finding: Finding, files: ProjectFiles) -> Change | None:
    """jit-untraceable, where the note has the text. Safe if no call passes what may be traced after all."""
    written = finding.reported.written
    spot = spot_of(finding, files) if written is not None else None
    if spot is None or written is None:
        return None
    if finding.reported.kind == UNTRACEABLE_IN_SOME_CALLS:
        return write_text(spot, written.text, finding, _SOME)
    doubt = why_not_all_raise(spot, files, is_untraceable_as, written.text, site_of(spot, finding))
    return write_text(spot, written.text, finding, doubt)


def trace_arrays(finding: Finding, files: ProjectFiles) -> Change | None:
    """static-dynamic, for an argument that is itself an array: JAX cannot hash it, so every call raises.

    One that may be something else is left alone: calls that pass no array work.
    """
    reported, position = finding.reported, finding.reported.position
    is_alone = reported.kind == IS_ARRAY and reported.offered(Action.LEAVE_OUT_ARRAY) is None
    spot = spot_of(finding, files) if position is not None and is_alone else None
    if spot is None or position is None:
        return None
    if (miscounted := reported.offered(Action.COUNT_RECEIVER)) is not None:
        return write_text(spot, miscounted.value("lists"), finding, why_not_all_raise(spot, files, is_array))
    parameter = spot.document.starting_at(spot.place, cst.Param)
    if parameter is None or reported.path or position.label != STATIC_ARGUMENT:
        return None
    doubt = why_not_all_raise(spot, files, is_array)
    if reported.offered(Action.UNMARK) is not None:
        return _unmarked(spot, parameter, doubt)
    return _taken_off(spot, parameter, finding, doubt) if reported.offered(Action.TAKE_OFF) is not None else None


def write_text(spot: Spot, text: str, finding: Finding, doubt: str = "") -> Change | None:
    """Writes `static_argnames="n"` into what compiles the function, or `n: Static[int]` into its parameters."""
    if (marked := _ANNOTATION.fullmatch(text)) is not None:
        parameter = spot.document.starting_at(spot.place, cst.Param)
        if parameter is None or parameter.name.value != marked[1]:
            return None
        return spot.change(annotated(spot.document, parameter, marked[2]), doubt)
    lists = options_in(text)
    if lists is None:
        return None
    options = dict.fromkeys([*_options(finding), *lists])
    site = site_of(spot, finding)
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
    options = _advised_options(finding) or _options_in(finding.reported.values)
    site = site_of(spot, finding)
    if not isinstance(site, cst.Call):
        return None
    found = {name: given for name in options if (given := argument(site, name)) is not None}
    if not found or any(len(written_items(given.value) or ()) != 1 for given in found.values()):
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
    options = _advised_options(finding)
    site = site_of(spot, finding)
    if function is None or not isinstance(site, cst.Call):
        return None
    wrong = {parameter.name.value, parameters(function).index(parameter)}
    lists: dict[str, str] = {}
    dropped: list[str] = []
    for option in options:
        given = argument(site, option)
        listed = written_items(given.value) if given is not None else None
        if listed is None or not wrong.intersection(listed):
            return None
        left = [item for item in listed if item not in wrong]
        if left:
            lists[option] = rendered(left)
        else:
            dropped.append(option)
    return spot.change(with_lists(spot.document, site, lists, dropped), doubt)


def _options(finding: Finding) -> list[str]:
    """The options of a jit call that a finding names."""
    return [*_options_in(finding.reported.values), *_advised_options(finding)]


def _advised_options(finding: Finding) -> list[str]:
    return [option for advised in finding.reported.advice for option in _options_in(advised.values)]


def _options_in(values: Values) -> list[str]:
    """Their names in the values of placeholders: a value may have two, or the name of a wrapper beside one."""
    return [option for _, value in values for option in _OPTION.findall(value)]
