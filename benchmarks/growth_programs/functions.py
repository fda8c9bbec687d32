"""Many functions in a file."""

from benchmarks.growth_programs.family import family, jitted, joined, lines


@family
def many_jitted_functions(n: int) -> str:
    return lines(
        "@jit\ndef f{i}(x: jax.Array, n: Static[int]) -> jax.Array:\n    y = x + n\n    return jnp.sin(y)\n", n
    )


@family
def many_functions_under_plain_jit(n: int) -> str:
    return lines(
        "@partial(jax.jit, static_argnames='n')\n"
        "def f{i}(x: jax.Array, n: int) -> jax.Array:\n    y = x + n\n    return jnp.sin(y)\n",
        n,
    )


@family
def many_functions_jitted_by_call(n: int) -> str:
    return lines(
        "def f{i}(x: jax.Array, n: int) -> jax.Array:\n    return x + n\ng{i} = jax.jit(f{i}, static_argnames='n')\n", n
    )


@family
def many_lambdas_jitted(n: int) -> str:
    return lines("g{i} = jax.jit(lambda x: x + {i})\n", n)


@family
def many_functions_jitted_inside_a_function(n: int) -> str:
    body = lines("    def f{i}(x: jax.Array) -> jax.Array:\n        return x\n    g{i} = jax.jit(f{i})\n", n)
    return f"def make(x: jax.Array) -> None:\n{body}"


@family
def many_jit_calls_in_a_loop(n: int) -> str:
    body = lines("        g{i} = jax.jit(lambda y: y)\n        g{i}(x)\n", n)
    return f"def make(x: jax.Array) -> None:\n    for _ in range(3):\n{body}"


@family
def many_plain_functions(n: int) -> str:
    return lines("def f{i}(x: int, n: int) -> int:\n    y = x + n\n    return abs(y)\n", n)


@family
def many_plain_functions_of_arrays(n: int) -> str:
    return lines("def f{i}(x: jax.Array, n: int) -> jax.Array:\n    y = x + n\n    return jnp.sin(y)\n", n)


@family
def many_vmapped_functions(n: int) -> str:
    return lines(
        "def f{i}(x: jax.Array, n: int) -> jax.Array:\n    return x + n\ng{i} = jax.vmap(f{i}, in_axes=(0, None))\n", n
    )


@family
def many_scans_in_one_function(n: int) -> str:
    body = lines(
        "def body{i}(c: jax.Array, y: jax.Array) -> tuple[jax.Array, jax.Array]:\n"
        "    return c + y, c\nx, _ = jax.lax.scan(body{i}, x, x)\n",
        n,
    )
    return jitted(f"{body}return x")


@family
def many_scans_of_lambdas(n: int) -> str:
    return jitted(lines("x, _ = jax.lax.scan(lambda c, y: (c + y, c), x, x)\n", n) + "return x")


@family
def many_scans_of_one_body(n: int) -> str:
    body = "def body(c: jax.Array, y: jax.Array) -> tuple[jax.Array, jax.Array]:\n    return c + y, c\n"
    return jitted(body + lines("x, _ = jax.lax.scan(body, x, x)\n", n) + "return x")


@family
def many_methods_jitted(n: int) -> str:
    return "class C:\n" + lines(
        "    @partial(jax.jit, static_argnums=0)\n    def f{i}(self, x: jax.Array) -> jax.Array:\n        return x\n", n
    )


@family
def many_methods_of_pytree(n: int) -> str:
    return (
        "@dynamic_dataclass\nclass C:\n    a: jax.Array\n"
        + lines("    def f{i}(self, x: jax.Array) -> jax.Array:\n        return self.f{j}(x) + self.a\n", n)
        + jitted("return c.f0(c.a)", "c: C")
    )


@family
def many_methods_that_assign(n: int) -> str:
    return (
        "@register_dataclass\n@dataclass\nclass C:\n    a: jax.Array\n"
        + lines("    def f{i}(self, x: jax.Array) -> None:\n        self.a = x\n", n)
        + "def g(c: C) -> None:\n"
        + lines("    c.f{i}(c.a)\n", n)
    )


@family
def many_methods_with_eq(n: int) -> str:
    body = lines("    def f{i}(self) -> int:\n        return self._a{i}\n", n)
    init = f"    def __init__(self, {joined('a{i}: int', n)}) -> None:\n" + lines("        self._a{i} = a{i}\n", n)
    eq = (
        f"    def __eq__(self, other: object) -> bool:\n"
        f"        return isinstance(other, C) and {joined('self.f{i}() == other.f{i}()', n, ' and ')}\n"
    )
    hashed = f"    def __hash__(self) -> int:\n        return hash(({joined('self._a{i}', n)}, 0))\n"
    return f"class C:\n{init}{eq}{hashed}{body}" + jitted("return x", "x: jax.Array, c: Static[C]")


@family
def many_methods_bound(n: int) -> str:
    init = "class C:\n    def __init__(self) -> None:\n        self.n = 0\n"
    body = lines("    def f{i}(self, x: jax.Array) -> jax.Array:\n        return x + self.n\n", n)
    uses = "    def make(self) -> None:\n        self.n = 1\n" + lines("        self.g{i} = jax.jit(self.f{i})\n", n)
    return init + body + uses


@family
def many_decorators(n: int) -> str:
    decorators = lines("@functools.wraps(print)\n", n)
    return f"{decorators}@jax.jit\ndef f(x: jax.Array) -> jax.Array:\n    return x\n"


@family
def many_imports(n: int) -> str:
    imports = lines("import os.path as m{i}\nfrom math import sqrt as s{i}\n", n)
    return imports + lines("@jit\ndef f{i}(x: jax.Array, n: Static[int]) -> None: ...\n", n)


@family
def many_annotations(n: int) -> str:
    return "from typing import Annotated\n" + lines(
        "class C{i}:\n    a: Annotated[int, 'unit'] = 0\n"
        "    def f(self, x: list[tuple[int, str]], y: dict[str, int | None]) -> None: ...\n",
        n,
    )
