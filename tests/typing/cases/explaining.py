"""What `explain` and `assert_max_traces` accept and return."""

from collections.abc import Callable, Mapping
from typing import Any

from jax import Array
from typing_extensions import assert_type

from jaxtyped_static import Static, explain, jit
from jaxtyped_static.testing import TraceLimit, assert_max_traces
from jaxtyped_static.types import Explanation, Trace


@jit
def step(x: Array, n: Static[int]) -> Array:
    return x * n


class Model:
    @jit
    def run(self: Static["Model"], x: Array) -> Array:
        return x


@assert_max_traces(step, 1)
def check(size: int) -> str:
    return str(size)


def use(x: Array, model: Model) -> None:
    with explain(step) as why:
        step(x, 1)
    assert_type(why, Explanation)
    assert_type(why.traces, tuple[Trace, ...])
    assert_type(why.traces[0].call, str)
    assert_type(why.traces[0].static, Mapping[str, Any])
    assert_type(why.traces[0].differences[0].code, str | None)
    assert_type(why.calls, int)
    with explain(model.run) as why, assert_max_traces(Model.run, 2) as limited:
        model.run(x)
    assert_type(limited, Explanation)
    assert_type(assert_max_traces(step, 0), TraceLimit)
    assert_type(check(1), str)
    limited_check: Callable[[int], str] = check
    limited_check(2)

    explain()  # error
    explain(1)  # error
    explain(fun=step)  # error
    why.traces = ()  # error
    why.traces[0].unknown  # error
    assert_max_traces(step)  # error
    assert_max_traces(step, "1")  # error
    assert_max_traces(step, n=1)  # error
    check("1")  # error
