"""The table of NumPy's functions says what the installed NumPy does with tracers, and that of `math`."""

from __future__ import annotations

import contextlib
import tempfile
from functools import cache
from inspect import Parameter

import jax
import numpy as np
import pytest

from jaxtyped_static_mypy.knowledge.function_rows import Accepted, Conversion
from jaxtyped_static_mypy.knowledge.numpy_functions import MEASURED, NUMPY_FUNCTIONS
from jaxtyped_static_mypy.libraries import known_function
from tests.plugin.numpy_on_tracers import (
    CONCRETE,
    RAISES,
    TRACED,
    Answer,
    answers,
    functions,
    has_counterpart,
    ufunc_methods,
)

pytestmark = pytest.mark.skipif(
    not (np.__version__.startswith(MEASURED["numpy"]) and jax.__version__.startswith(MEASURED["jax"])),
    reason="the table was measured with other releases",
)

_ASKING = (Conversion.HOST_ARRAY, Conversion.HOST_ONLY)
_OF_MATH = (Conversion.FLOAT, Conversion.INTEGER)


@cache
def measured() -> dict[str, list[Answer] | None]:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):  # Some of them write files.
        return {name: answers(name, function) for name, function in (*functions(), *ufunc_methods())}


def test_some_call_of_every_function_works() -> None:
    assert [name for name, found in measured().items() if found is None] == []


def test_every_function_has_a_row() -> None:
    names = {name for name in measured() if not name.startswith("math.")}
    assert names - set(NUMPY_FUNCTIONS) == set()
    assert {name for name, row in NUMPY_FUNCTIONS.items() if row.converts is not None} - names == set()


def test_each_argument_raises_or_is_accepted_as_the_row_says() -> None:
    wrong = []
    for name, found in measured().items():
        row = NUMPY_FUNCTIONS.get(name)
        if row is not None and row.converts in _ASKING:
            said = {_as_text(accepted) for accepted in row.accepts}
            seen = {text for answer in found or () for text in _accepted(answer)}
            wrong += [(name, said, seen)] if said != seen else []
    assert wrong == []


def test_what_is_never_equal_and_what_tells_a_tracer_apart() -> None:
    for name in ("array_equal", "array_equiv"):
        assert NUMPY_FUNCTIONS[name].converts is Conversion.NEVER_EQUAL
        assert {answer.alone for answer in measured()[name] or ()} == {CONCRETE}
        jax.eval_shape(lambda x, name=name: assert_unequal(name, x), np.ones(2))
    assert {answer.alone for answer in measured()["isscalar"] or ()} == {CONCRETE}


def assert_unequal(name: str, x: object) -> float:
    assert getattr(np, name)(x, x) is False
    return 0.0


def test_only_functions_with_a_counterpart_are_said_to_have_one() -> None:
    methods = {name for name, _ in ufunc_methods()}
    rows = {name: row for name, row in NUMPY_FUNCTIONS.items() if row.converts in _ASKING}
    said = {name for name, row in rows.items() if row.converts is Conversion.HOST_ARRAY}
    assert said - methods == {name for name in rows if name not in methods and has_counterpart(name)}


def test_every_function_of_math_raises_that_the_table_has() -> None:
    found = {name: answer for name, answer in measured().items() if name.startswith("math.") and answer}
    raising = {name for name, parts in found.items() if all(answer.alone != TRACED for answer in parts)}
    assert {name for name in found if known_function(name).converts in _OF_MATH} == raising
    assert {answer.alone for name in raising for answer in found[name]} <= {RAISES, "unknown"}


def _accepted(answer: Answer) -> list[str]:
    by_name = answer.parameter.kind is Parameter.KEYWORD_ONLY
    place = "" if by_name else f"{answer.position}."
    star = "*" if answer.parameter.kind is Parameter.VAR_POSITIONAL else ""
    parts = ((answer.alone, ""), (answer.listed, "[]"))
    return [
        f"{place}{star}{answer.parameter.name}{suffix}{'>' if said == TRACED else ''}"
        for said, suffix in parts
        if said in (CONCRETE, TRACED)
    ]


def _as_text(accepted: Accepted) -> str:
    place = f"{accepted.position}." if accepted.position is not None else ""
    star, suffix = "*" if accepted.takes_rest else "", "[]" if accepted.is_list else ""
    return f"{place}{star}{accepted.name}{suffix}{'>' if accepted.hands_over else ''}"
