"""Many calls."""

from benchmarks.growth_programs.family import deep, family, jitted, lines


@family
def many_calls_of_jitted(n: int) -> str:
    return jitted("return x") + "def g(x: jax.Array) -> None:\n" + lines("    f(x, {i})\n", n)


@family
def many_calls_of_jitted_inside_jit(n: int) -> str:
    return jitted("return x") + "@jit\ndef g(x: jax.Array, n: Static[int]) -> None:\n" + lines("    f(x, n)\n", n)


@family
def many_calls_of_jitted_at_top_level(n: int) -> str:
    return jitted("return x", result="jax.Array") + "x = jnp.zeros(3)\n" + lines("f(x, {i})\n", n)


@family
def many_calls_of_jitted_method(n: int) -> str:
    return (
        "@static_dataclass\nclass C:\n    n: int\n    @jit\n"
        "    def f(self: Static[C], x: jax.Array) -> jax.Array:\n        return x\n"
        + "def g(c: C, x: jax.Array) -> None:\n"
        + lines("    c.f(x)\n", n)
    )


@family
def many_calls_with_callables(n: int) -> str:
    return (
        "def h(x: jax.Array) -> jax.Array:\n    return x\n"
        + jitted("return x", "x: jax.Array, g: Static[Callable[[jax.Array], jax.Array]]")
        + "def g(x: jax.Array) -> None:\n"
        + lines("    h{i} = h\n    f(x, h{i})\n", n)
    )


@family
def many_calls_with_one_name(n: int) -> str:
    return jitted("return x") + "def g(x: jax.Array) -> None:\n    k = 0\n" + lines("    k = k + 1\n    f(x, k)\n", n)


@family
def many_calls_with_callables_in_one_name(n: int) -> str:
    return (
        "def h(x: jax.Array) -> jax.Array:\n    return x\n"
        + jitted("return x", "x: jax.Array, g: Static[Callable[[jax.Array], jax.Array]]")
        + "def g(x: jax.Array) -> None:\n    k = h\n"
        + lines("    k = h if x is not None else k\n    f(x, k)\n", n)
    )


@family
def many_constructor_calls(n: int) -> str:
    return "@static_dataclass\nclass C:\n    n: int\n    t: tuple[int, ...]\ndef g(n: int) -> None:\n" + lines(
        "    C(n, (n, {i}))\n", n
    )


@family
def many_shapes(n: int) -> str:
    return jitted(lines("y{i} = jnp.zeros((n, {i}))\n", n) + "return x")


@family
def many_calls_of_plain_functions(n: int) -> str:
    return "def h(n: int) -> int:\n    return n\ndef g(n: int) -> None:\n" + lines("    h(n)\n", n)


@family
def many_calls_of_methods(n: int) -> str:
    return "class C:\n    def h(self, n: int) -> int:\n        return n\ndef g(c: C, n: int) -> None:\n" + lines(
        "    c.h(n)\n", n
    )


@family
def many_cached_calls(n: int) -> str:
    return "@functools.cache\ndef h(n: int) -> jax.Array:\n    return jnp.zeros(n)\ndef g(n: int) -> None:\n" + lines(
        "    h({i})\n", n
    )


@family
def many_calls_in_one_loop(n: int) -> str:
    return jitted("return x") + (
        "def g(x: jax.Array) -> None:\n    for run in range(9):\n        y0 = x\n"
        + lines("        y{i} = f(y{j}, run)\n", n)
    )


@deep
def list_handed_down_twice(n: int) -> str:
    """Each function calls the next one twice, so that twice as many ways lead to it."""
    handed = "def h{i}(x: jax.Array, sizes: list[int]) -> None:\n    h{j}(x, sizes)\n    h{j}(x, sizes)\n"
    first = (
        "@partial(jax.jit, static_argnames='sizes')\n"
        "def f(x: jax.Array, sizes: list[int]) -> jax.Array:\n    return x\n"
        "def h(x: jax.Array, sizes: list[int]) -> None:\n    f(x, sizes)\n"
    )
    numbered = "".join(handed.format(i=i, j=i - 1 if i else "") for i in range(n))
    return first + numbered + f"def g(x: jax.Array, config: Any) -> None:\n    h{n - 1}(x, config.sizes)\n"
