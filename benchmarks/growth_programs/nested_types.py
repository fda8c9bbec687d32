"""Types made of other types."""

from benchmarks.growth_programs.family import deep, jitted, lines


def aliases(template: str, count: int, first: str = "int") -> str:
    """Each type is made from the previous one, `A{j}`."""
    following = "".join(f"A{i} = {template.format(j=i - 1)}\n" for i in range(1, count + 1))
    return f"A0 = {first}\n{following}"


@deep
def doubling_alias(n: int) -> str:
    return aliases("tuple[A{j}, A{j}]", n) + jitted("return x", f"x: jax.Array, a: Static[A{n}]")


@deep
def doubling_alias_that_is_traced(n: int) -> str:
    return aliases("tuple[A{j}, A{j}]", n, "jax.Array") + jitted("return x", f"x: A{n}")


@deep
def doubling_alias_of_untraceable(n: int) -> str:
    return aliases("tuple[A{j}, A{j}]", n) + jitted("return x", f"x: A{n}")


@deep
def doubling_alias_in_call(n: int) -> str:
    return (
        aliases("tuple[A{j}, A{j}]", n)
        + jitted("return x", f"x: jax.Array, a: Static[A{n}]")
        + f"def g(x: jax.Array, a: A{n}) -> None:\n    f(x, a)\n"
    )


@deep
def doubling_alias_that_is_returned(n: int) -> str:
    return (
        aliases("tuple[A{j}, A{j}]", n)
        + f"def g(x: jax.Array) -> A{n}: ...\nseen: list[Any] = []\n"
        + jitted("y = g(x)\nseen.append(y)\nreturn x")
    )


@deep
def doubling_alias_behind_a_cache(n: int) -> str:
    cached = f"@functools.cache\ndef g(n: int) -> A{n}: ...\n"
    return aliases("tuple[A{j}, A{j}]", n) + cached + jitted("g(n)\nreturn x")


@deep
def doubling_constants(n: int) -> str:
    constants = "N0 = ('a',)\n" + "".join(f"N{i} = (N{i - 1}, N{i - 1})\n" for i in range(1, n + 1))
    return f"{constants}g = jax.jit(lambda a: a, static_argnames=N{n})  # type: ignore\n"


@deep
def generic_class_that_grows(n: int) -> str:
    """Mutual recursion: each class holds the next one with type arguments twice as large."""
    classes = lines(
        "@dataclass(frozen=True)\nclass G{i}(Generic[T]):\n    a: T\n"
        "    b: G{j}[tuple[T, int]] | None\n    c: G{j}[tuple[int, T]] | None\n",
        max(n // 10, 1),
    )
    return "T = TypeVar('T')\n" + classes + jitted("return x", "x: jax.Array, c: Static[G0[int]]")


@deep
def chain_of_aliases(n: int) -> str:
    return aliases("A{j}", n, "tuple[int, ...]") + jitted("return x", f"x: jax.Array, a: Static[A{n}]")


@deep
def doubling_dict(n: int) -> str:
    return aliases("dict[str, tuple[A{j}, A{j}]]", n, "jax.Array") + jitted("return x", f"x: A{n}")


@deep
def doubling_union(n: int) -> str:
    return aliases("tuple[A{j}, ...] | frozenset[A{j}]", n) + jitted("return x", f"x: jax.Array, a: Static[A{n}]")


@deep
def doubling_callable(n: int) -> str:
    return aliases("tuple[Callable[[A{j}], A{j}], int]", n) + jitted("return x", f"x: jax.Array, a: Static[A{n}]")


@deep
def doubling_generic(n: int) -> str:
    return (
        "S = TypeVar('S')\nT = TypeVar('T')\n"
        "@dataclass(frozen=True)\nclass G(Generic[S, T]):\n    a: S\n    b: T\n" + aliases("G[A{j}, A{j}]", n)
    ) + jitted("return x", f"x: jax.Array, a: Static[A{n}]")


@deep
def doubling_pytree(n: int) -> str:
    return (
        "S = TypeVar('S')\nT = TypeVar('T')\n"
        "@dynamic_dataclass\nclass G(Generic[S, T]):\n    a: S\n    b: T\n" + aliases("G[A{j}, A{j}]", n, "jax.Array")
    ) + jitted("return a.a", f"a: A{n}")


@deep
def doubling_named_tuple(n: int) -> str:
    classes = "class N0(NamedTuple):\n    a: int\n" + "".join(
        f"class N{i}(NamedTuple):\n    a: N{i - 1}\n    b: N{i - 1}\n" for i in range(1, n + 1)
    )
    return classes + jitted("return x", f"x: jax.Array, a: Static[N{n}]")


@deep
def doubling_named_tuple_that_is_traced(n: int) -> str:
    classes = "class N0(NamedTuple):\n    a: jax.Array\n" + "".join(
        f"class N{i}(NamedTuple):\n    a: N{i - 1}\n    b: N{i - 1}\n" for i in range(1, n + 1)
    )
    return classes + jitted("return x", f"x: N{n}")


@deep
def doubling_typed_dict(n: int) -> str:
    classes = "class N0(TypedDict):\n    a: jax.Array\n" + "".join(
        f"class N{i}(TypedDict):\n    a: N{i - 1}\n    b: N{i - 1}\n" for i in range(1, n + 1)
    )
    return classes + jitted("return x", f"x: N{n}")


@deep
def deep_tuple(n: int) -> str:
    return jitted("return x", f"x: jax.Array, a: Static[{'tuple[int, ' * n}int{']' * n}]")


@deep
def deep_dict_of_arrays(n: int) -> str:
    return jitted("return x", f"x: {'dict[str, ' * n}jax.Array{']' * n}")
