"""`Static[T]` and `Dynamic[T]` are `T`, also through aliases."""

from typing import Annotated, TypeAlias, TypeVar

from jax import Array
from typing_extensions import assert_type

from jaxtyped_static import Dynamic, Static, jit

T = TypeVar("T")

StaticInt = Static[int]
Named: TypeAlias = Static[str]
Pair = Static[tuple[T, T]]


@jit
def f(
    x: Dynamic[Array],
    n: StaticInt,
    name: Named,
    pair: Pair[int],
    some: Static[int | None] = None,
    doc: Annotated[Static[int], "how many"] = 1,
) -> Array:
    assert_type(x, Array)
    assert_type(n, int)
    assert_type(name, str)
    assert_type(pair, tuple[int, int])
    assert_type(some, int | None)
    assert_type(doc, int)
    return x


def use(x: Array) -> None:
    f(x, 1, "a", (1, 2))
    f(x, 1, "a", (1, 2), None, 3)

    f(x, "1", "a", (1, 2))  # error
    f(x, 1, 2, (1, 2))  # error
    f(x, 1, "a", (1, "2"))  # error
    f(x, 1, "a", (1, 2), "3")  # error
    f(x, 1, "a", (1, 2), 3, "4")  # error
    f("x", 1, "a", (1, 2))  # error
