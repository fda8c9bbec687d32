"""Functions keep their signature under every form of `jit`."""

from jax import Array
from typing_extensions import assert_type

from jaxtyped_static import Dynamic, Static, jit


@jit
def bare(x: Array, n: Static[int], *, name: Static[str] = "a") -> Array:
    return x * n


@jit(donate_argnames="x", inline=True)
def with_options(x: Dynamic[Array], n: Static[int]) -> tuple[Array, Array]:
    return x, x


def plain(x: Array, n: Static[int]) -> Array:
    return x * n


called = jit(plain)
called_with_options = jit(plain, keep_unused=True, static_argnames=("n",))
made_by_factory = jit(keep_unused=True)(plain)


def use(x: Array) -> None:
    assert_type(bare(x, 1), Array)
    assert_type(bare(x, n=1, name="b"), Array)
    assert_type(with_options(x, 1), tuple[Array, Array])
    assert_type(called(x, 1), Array)
    assert_type(called_with_options(x, 1), Array)
    assert_type(made_by_factory(x, 1), Array)

    bare(x, "1")  # error
    bare(x)  # error
    bare(x, 1, nome="b")  # error
    bare(x, 1, "b")  # error
    with_options(x, "1")  # error
    with_options(x)  # error
    called(x, 1.5)  # error
    called(x)  # error
    called_with_options(x)  # error
    made_by_factory(x)  # error
    made_by_factory("x", 1)  # error


jit(1)  # error
jit(plain, donate_argnumz=0)  # error
jit(static_argnames=3)  # error
