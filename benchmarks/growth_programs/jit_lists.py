"""The lists of parameters in a call of `jit`."""

from benchmarks.growth_programs.family import family, jitted, joined, lines


@family
def wrong_names(n: int) -> str:
    names = [f"zz{i}" for i in range(n)]
    return f"@partial(jax.jit, static_argnames={names!r})\ndef f({joined('a{i}: int', n)}) -> None: ...\n"


@family
def right_names(n: int) -> str:
    names = [f"a{i}" for i in range(n)]
    return f"@partial(jax.jit, static_argnames={names!r})\ndef f({joined('a{i}: int', n)}) -> None: ...\n"


@family
def half_wrong_names(n: int) -> str:
    names = [f"a{i}" if i % 2 else f"b{i}" for i in range(n)]
    return f"@partial(jax.jit, static_argnames={names!r})\ndef f({joined('a{i}: int', n)}) -> None: ...\n"


@family
def right_numbers(n: int) -> str:
    return f"@partial(jax.jit, static_argnums={list(range(n))!r})\ndef f({joined('a{i}: int', n)}) -> None: ...\n"


@family
def wrong_numbers(n: int) -> str:
    return (
        f"@partial(jax.jit, static_argnums={list(range(n, 2 * n))!r})\ndef f({joined('a{i}: int', n)}) -> None: ...\n"
    )


@family
def same_numbers(n: int) -> str:
    return f"@partial(jax.jit, static_argnums={[0] * n!r})\ndef f({joined('a{i}: int', n)}) -> None: ...\n"


@family
def donated_numbers(n: int) -> str:
    numbers = list(range(n))
    return f"@partial(jax.jit, donate_argnums={numbers!r})\ndef f({joined('a{i}: jax.Array', n)}) -> None: ...\n"


@family
def donated_and_static(n: int) -> str:
    numbers = list(range(n))
    return (
        f"@partial(jax.jit, static_argnums={numbers!r}, donate_argnums={numbers!r})\n"
        f"def f({joined('a{i}: int', n)}) -> None: ...\n"
    )


@family
def names_and_numbers(n: int) -> str:
    names, numbers = [f"a{i}" for i in range(0, n, 2)], list(range(1, n, 2))
    return (
        f"@partial(jax.jit, static_argnames={names!r}, static_argnums={numbers!r})\n"
        f"def f({joined('a{i}: int', n)}) -> None: ...\n"
    )


@family
def marked_and_not_listed(n: int) -> str:
    return f"@partial(jax.jit, static_argnames='a0')\ndef f({joined('a{i}: Static[int]', n)}) -> None: ...\n"


@family
def names_in_constants(n: int) -> str:
    constants = lines("N{i} = 'a'\n", n) + f"NAMES = ({joined('N{i}', n)},)\n"
    return constants + "@partial(jax.jit, static_argnames=NAMES)\ndef f(a: int) -> None: ...\n"


@family
def many_untraceable_parameters(n: int) -> str:
    return jitted("return 1", joined("a{i}: str", n), "int")


@family
def many_untraceable_classes(n: int) -> str:
    classes = lines("class C{i}:\n    a: int = 0\n", n)
    return classes + lines("@jit\ndef f{i}(c: C{i}) -> None: ...\n", n)


@family
def many_markers_beside_types(n: int) -> str:
    return "from typing import Annotated\n" + jitted("return 1", joined("a{i}: Annotated[int, 'unit']", n), "int")
