"""For any signature and any way of calling it, exactly the parameters marked Static arrive concrete."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from jaxtyped_static import Dynamic, Static, jit, static_params
from tests.runtime.tracing import arrival

ANNOTATIONS = {"": "int", "Static": "Static[int]", "Dynamic": "Dynamic[int]"}
KINDS = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.KEYWORD_ONLY,
)


@dataclass(frozen=True)
class Call:
    """A signature, and the arguments of one call of it."""

    signature: inspect.Signature
    positional: tuple[str, ...]
    keyword: tuple[str, ...]


@st.composite
def calls(draw: st.DrawFn) -> Call:
    kinds = sorted(draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=5)))
    required = draw(st.integers(0, len(kinds)))
    parameters = [
        inspect.Parameter(
            f"p{index}",
            kind,
            default=inspect.Parameter.empty if index < required else index,
            annotation=draw(st.sampled_from(sorted(ANNOTATIONS.values()))),
        )
        for index, kind in enumerate(kinds)
    ]
    by_position = [parameter for parameter in parameters if parameter.kind is not inspect.Parameter.KEYWORD_ONLY]
    must = sum(
        parameter.kind is inspect.Parameter.POSITIONAL_ONLY and i < required for i, parameter in enumerate(parameters)
    )
    count = draw(st.integers(must, len(by_position)))
    rest = [parameter for parameter in parameters[count:] if parameter.kind is not inspect.Parameter.POSITIONAL_ONLY]
    chosen = [p for p in rest if p.default is inspect.Parameter.empty or draw(st.booleans())]
    return Call(
        inspect.Signature(parameters),
        tuple(parameter.name for parameter in parameters[:count]),
        tuple(draw(st.permutations([parameter.name for parameter in chosen]))),
    )


def build(signature: inspect.Signature, as_text: bool) -> tuple[Callable[..., Any], dict[str, str]]:
    """Returns a function of this signature, and a record of how its arguments arrive."""
    seen: dict[str, str] = {}
    header = "from __future__ import annotations\n" if as_text else ""
    written = str(signature).replace("'", "")
    namespace = {
        "Static": Static,
        "Dynamic": Dynamic,
        "record": lambda **values: seen.update(values),
        "arrival": arrival,
    }
    recorded = ", ".join(f"{name}=arrival({name})" for name in signature.parameters)
    exec(f"{header}def f{written}:\n    record({recorded})\n    return 0", namespace)
    return namespace["f"], seen


@settings(max_examples=120)
@given(calls(), st.booleans())
def test_exactly_the_static_parameters_arrive_concrete(call: Call, as_text: bool) -> None:
    fun, seen = build(call.signature, as_text)

    jit(fun)(*range(len(call.positional)), **dict.fromkeys(call.keyword, 7))

    marked = {name for name, p in call.signature.parameters.items() if p.annotation == ANNOTATIONS["Static"]}
    passed = {*call.positional, *call.keyword}
    assert {name for name, how in seen.items() if how == "concrete" and name in passed} == marked & passed
    # An omitted argument is the default itself.
    assert {how for name, how in seen.items() if name not in passed} <= {"concrete"}


@settings(max_examples=120)
@given(calls(), st.booleans())
def test_the_lists_name_every_way_to_pass_a_static_parameter(call: Call, as_text: bool) -> None:
    fun, _ = build(call.signature, as_text)
    static = [
        (index, name, p.kind)
        for index, (name, p) in enumerate(call.signature.parameters.items())
        if p.annotation == ANNOTATIONS["Static"]
    ]

    params = static_params(fun)

    assert params.argnums == tuple(i for i, _, kind in static if kind is not inspect.Parameter.KEYWORD_ONLY)
    assert params.argnames == tuple(n for _, n, kind in static if kind is not inspect.Parameter.POSITIONAL_ONLY)
