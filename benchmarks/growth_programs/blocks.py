"""Nested statements and expressions."""

from typing import Final

from benchmarks.growth_programs.family import deep, jitted, joined, lines, nest

_SWAP: Final = "a, b, c = b, c, a + 1"


@deep
def nested_for(n: int) -> str:
    return jitted(nest(n, "for i{i} in range(n):", _SWAP))


@deep
def nested_for_else(n: int) -> str:
    return jitted(nest(n, "for i{i} in range(n):", _SWAP, "else:\n    b = a"))


@deep
def nested_while(n: int) -> str:
    return jitted(nest(n, "while n > {i}:", _SWAP))


@deep
def nested_for_that_continues(n: int) -> str:
    return jitted(nest(n, "for i{i} in range(n):", _SWAP, "    if n: continue\n    if n > 3: break\n    a = c"))


@deep
def nested_try_finally(n: int) -> str:
    return jitted(nest(n, "try:", _SWAP, "finally:\n    b = a"))


@deep
def nested_try_except(n: int) -> str:
    return jitted(nest(n, "try:", _SWAP, "except ValueError:\n    b = a\nelse:\n    c = b"))


@deep
def nested_finally(n: int) -> str:
    """A `try` in each `finally`."""
    opened = "".join("    " * i + f"try:\n{'    ' * i}    a = b\n{'    ' * i}finally:\n" for i in range(n))
    return jitted(f"a = b = c = x\n{opened}{'    ' * n}{_SWAP}\nreturn a\n")


@deep
def nested_with(n: int) -> str:
    return jitted(nest(n, "with jax.named_scope('s{i}'):", _SWAP))


@deep
def nested_if(n: int) -> str:
    return jitted(nest(n, "if n > {i}:", _SWAP, "else:\n    a = c"))


@deep
def nested_match(n: int) -> str:
    opened = "".join("    " * (2 * i) + f"match n:\n{'    ' * (2 * i + 1)}case {i}:\n" for i in range(n))
    return jitted(f"a = b = c = x\n{opened}{'    ' * (2 * n)}{_SWAP}\nreturn a\n")


@deep
def nested_comprehensions(n: int) -> str:
    return jitted("return " + "[" * n + "x" + "".join(f" for i{i} in range(n)]" for i in range(n)))


@deep
def comprehension_of_many_loops(n: int) -> str:
    return jitted("return [x " + " ".join(f"for i{i} in range(n) if i{i}" for i in range(n)) + "]")


@deep
def nested_functions(n: int) -> str:
    opened = "".join("    " * i + f"def g{i}(y{i}: jax.Array, k: int) -> jax.Array:\n" for i in range(n))
    calls = "".join("    " * (i + 1) + f"return g{i + 1}(y{i}, k)\n" for i in reversed(range(n - 1)))
    inner = "    " * n + f"return x + y{n - 1}\n"
    return jitted(f"{opened}{inner}{calls}return g0(x, n)\n")


@deep
def nested_lambdas(n: int) -> str:
    return jitted("return " + "".join(f"(lambda y{i}: " for i in range(n)) + "x" + ")(x)" * n)


@deep
def nested_lambdas_under_vmap(n: int) -> str:
    return jitted("return " + "".join(f"jax.vmap(lambda y{i}: " for i in range(n)) + "x" + ")(x)" * n)


@deep
def nested_conditionals(n: int) -> str:
    return jitted("return " + "".join(f"(x + {i} if n > {i} else " for i in range(n)) + "x" + ")" * n)


@deep
def nested_calls(n: int) -> str:
    return jitted("return " + "jnp.sin(" * n + "x" + ")" * n)


@deep
def nested_calls_of_jitted(n: int) -> str:
    return "@jit\ndef g(x: jax.Array, n: Static[int]) -> jax.Array:\n    return x\n" + jitted(
        "return " + "g(" * n + "x" + ", n)" * n
    )


@deep
def nested_tuples(n: int) -> str:
    return jitted("return " + "(" * n + "x" + ", x)" * n)


@deep
def nested_subscripts(n: int) -> str:
    return jitted("return x" + "[0]" * n)


@deep
def chain_of_attributes(n: int) -> str:
    return jitted("return x" + ".T" * n)


@deep
def chain_of_methods(n: int) -> str:
    return jitted("return x" + ".at[0].set(1)" * n)


@deep
def chain_of_fields(n: int) -> str:
    return (
        "@static_dataclass\nclass C:\n    n: int\n    @property\n    def own(self) -> C:\n        return self\n"
        + jitted("return jnp.zeros(c" + ".own" * n + ".n)", "x: jax.Array, c: Static[C]")
    )


@deep
def long_sum(n: int) -> str:
    return jitted("return x" + " + x" * n)


@deep
def long_and(n: int) -> str:
    return jitted("if " + joined("n > {i}", n, " and ") + ":\n    x = x + 1\nreturn x")


@deep
def long_or(n: int) -> str:
    return jitted("return " + joined("n == {i}", n, " or "))


@deep
def long_not(n: int) -> str:
    return jitted("return " + "not " * n + "n")


@deep
def long_elif(n: int) -> str:
    chain = "if n == 0:\n    a = x\n" + lines("elif n == {i} + 1:\n    a = x + {i}\n", n) + "else:\n    a = x\n"
    return jitted(chain + "return a")


@deep
def inheritance(n: int) -> str:
    classes = "@dataclass(frozen=True)\nclass C0:\n    a0: int\n" + "".join(
        f"@dataclass(frozen=True)\nclass C{i}(C{i - 1}):\n    a{i}: int = 0\n" for i in range(1, n)
    )
    return classes + jitted("return x", f"x: jax.Array, c: Static[C{n - 1}]")


@deep
def inheritance_of_pytrees(n: int) -> str:
    classes = "@dynamic_dataclass\nclass C0:\n    a0: jax.Array\n" + "".join(
        f"@dynamic_dataclass\nclass C{i}(C{i - 1}):\n    a{i}: jax.Array\n" for i in range(1, n)
    )
    return classes + jitted("return c.a0", f"c: C{n - 1}")
