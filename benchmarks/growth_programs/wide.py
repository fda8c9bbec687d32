"""Types, signatures and calls with many parts."""

from benchmarks.growth_programs.family import family, jitted, joined, lines


@family
def wide_union(n: int) -> str:
    classes = lines("@dataclass(frozen=True)\nclass C{i}:\n    a: int\n", n)
    return classes + f"U = {joined('C{i}', n, ' | ')}\n" + jitted("return x", "x: jax.Array, c: Static[U]")


@family
def wide_union_in_many_places(n: int) -> str:
    union = joined("tuple[Literal[{i}], int]", 20, " | ")
    return f"U = {union}\n" + lines("@jit\ndef f{i}(x: jax.Array, c: Static[U]) -> None: ...\n", n)


@family
def wide_tuple(n: int) -> str:
    return jitted("return x", f"x: jax.Array, c: Static[tuple[{joined('int', n)}]]")


@family
def wide_tuple_of_arrays(n: int) -> str:
    return jitted("return c[0]", f"c: tuple[{joined('jax.Array', n)}]")


@family
def wide_literal(n: int) -> str:
    return (
        jitted("return x", f"x: jax.Array, c: Static[Literal[{joined('{i}', n)}]]")
        + "def g(x: jax.Array) -> None:\n"
        + lines("    f(x, {i})\n", n)
    )


@family
def wide_typed_dict(n: int) -> str:
    return (
        f"class D(TypedDict):\n{lines('    a{i}: jax.Array', n)}".replace("jax.Array    ", "jax.Array\n    ")
        + "\n"
        + jitted("return d['a0']", "d: D")
    )


@family
def wide_type_variable(n: int) -> str:
    classes = lines("@dataclass(frozen=True)\nclass C{i}:\n    a: int\n", n + 2)
    return (
        classes
        + f"T = TypeVar('T', {joined('C{i}', n + 2)})\n"
        + lines("@jit\ndef f{i}(x: jax.Array, c: Static[int]) -> None: ...\n", 1)
    )


@family
def wide_signature(n: int) -> str:
    return jitted("return a0", joined("a{i}: jax.Array, b{i}: Static[int]", n))


@family
def wide_signature_of_untyped(n: int) -> str:
    return (
        f"@partial(jax.jit, static_argnames={[f'b{i}' for i in range(n)]!r})\n"
        f"def f({joined('a{i}, b{i}', n)}):\n    return a0\n"
    )


@family
def wide_call(n: int) -> str:
    given = joined("x, n", n)
    return (
        jitted("return a0", joined("a{i}: jax.Array, b{i}: Static[int]", n))
        + f"def g(x: jax.Array, n: int) -> None:\n    f({given})\n"
    )


@family
def wide_call_inside_jit(n: int) -> str:
    given = joined("x, n", n)
    return (
        jitted("return a0", joined("a{i}: jax.Array, b{i}: Static[int]", n))
        + f"@jit\ndef g(x: jax.Array, n: Static[int]) -> None:\n    f({given})\n"
    )


@family
def many_overloads(n: int) -> str:
    classes = lines("@dataclass(frozen=True)\nclass C{i}:\n    a: int\n", n + 2)
    overloads = lines("@overload\ndef f(x: C{i}, n: Static[int]) -> C{i}: ...\n", n + 2)
    return classes + overloads + "@jit\ndef f(x: Any, n: Static[int]) -> Any:\n    return x\n"
