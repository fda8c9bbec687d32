"""Classes that hold each other."""

from benchmarks.growth_programs.family import family, lines


@family
def classes_in_a_cycle(n: int) -> str:
    """Each of n classes holds three others, and is the type of a static parameter."""
    classes = lines("@dataclass(frozen=True)\nclass C{i}:\n    a: C{j} | None\n    b: C{k} | None\n", n)
    return classes + lines("@jit\ndef f{i}(x: jax.Array, c: Static[C{i}]) -> None: ...\n", n)


@family
def pytrees_in_a_cycle(n: int) -> str:
    classes = lines("@dynamic_dataclass\nclass C{i}:\n    x: jax.Array\n    a: C{j} | None\n    b: C{k} | None\n", n)
    return classes + lines("@jit\ndef f{i}(c: C{i}) -> None: ...\n", n)


@family
def static_classes_in_a_cycle(n: int) -> str:
    return lines("@static_dataclass\nclass C{i}:\n    a: C{j} | None\n    b: C{k} | None\n", n)


@family
def plain_classes_in_a_cycle(n: int) -> str:
    """None of them is a pytree: no error, as `Any` may hold anything."""
    classes = lines(
        "class C{i}:\n    def __init__(self, a: C{j} | None, b: C{k} | None) -> None:\n"
        "        self._a = a\n        self._b = b\n    def __eq__(self, other: object) -> bool:\n"
        "        return isinstance(other, C{i}) and self._a == other._a and self._b == other._b\n"
        "    def __hash__(self) -> int:\n        return hash((self._a, self._b))\n",
        n,
    )
    return classes + lines("@jit\ndef f{i}(x: jax.Array, c: Static[C{i}]) -> None: ...\n", n)


@family
def generic_classes_in_a_cycle(n: int) -> str:
    classes = lines(
        "@dataclass(frozen=True)\nclass C{i}(Generic[T]):\n    t: T\n    a: C{j}[T] | None\n    b: C{k}[int] | None\n",
        n,
    )
    return (
        "T = TypeVar('T')\n" + classes + lines("@jit\ndef f{i}(x: jax.Array, c: Static[C{i}[str]]) -> None: ...\n", n)
    )


@family
def chain_of_classes(n: int) -> str:
    classes = "@dataclass(frozen=True)\nclass C0:\n    a: int\n" + "".join(
        f"@dataclass(frozen=True)\nclass C{i}:\n    a: C{i - 1}\n" for i in range(1, n)
    )
    return classes + lines("@jit\ndef f{i}(x: jax.Array, c: Static[C{i}]) -> None: ...\n", n)


@family
def chain_of_arrays(n: int) -> str:
    """Each class holds the next, and a method behind a cache returns it."""
    classes = "@dataclass(frozen=True)\nclass C0:\n    a: int\n" + "".join(
        f"@dataclass(frozen=True)\nclass C{i}:\n    a: C{i - 1}\n"
        f"    @functools.cached_property\n    def c(self) -> C{i - 1}:\n        return self.a\n"
        for i in range(1, n)
    )
    return classes + lines("@jit\ndef f{i}(x: jax.Array, c: Static[C{i}]) -> None: ...\n", n)


@family
def protocols_in_a_cycle(n: int) -> str:
    classes = lines(
        "class C{i}(Protocol):\n    @property\n    def a(self) -> C{j} | None: ...\n    def b(self) -> C{k}: ...\n", n
    )
    return classes + lines("@jit\ndef f{i}(x: jax.Array, c: Static[C{i}]) -> None: ...\n", n)


@family
def alias_that_recurs(n: int) -> str:
    aliases = "".join(
        f"type A{i} = int | tuple[A{(i - 1) % n}, ...] | frozenset[A{(i * 7 + 3) % n}]\n" for i in range(n)
    )
    return aliases + lines("@jit\ndef f{i}(x: jax.Array, c: Static[A{i}]) -> None: ...\n", n)
