"""Large classes, and many classes in a file."""

from benchmarks.growth_programs.family import family, jitted, joined, lines


@family
def many_fields(n: int) -> str:
    return f"@dataclass(frozen=True)\nclass C:\n{lines('    a{i}: int' + chr(10), n)}" + jitted(
        "return x", "x: jax.Array, c: Static[C]"
    )


@family
def many_static_fields(n: int) -> str:
    return f"@dynamic_dataclass\nclass C:\n    x: jax.Array\n{lines('    a{i}: Static[int]' + chr(10), n)}" + jitted(
        "return c.x", "c: C"
    )


@family
def many_dynamic_fields(n: int) -> str:
    reads = lines("y = y + c.a{i}\n", n)
    return f"@dynamic_dataclass\nclass C:\n{lines('    a{i}: jax.Array' + chr(10), n)}" + jitted(
        f"y = c.a0\n{reads}return y", "c: C"
    )


@family
def many_field_options(n: int) -> str:
    body = lines("    a{i}: int = dataclasses.field(default=0, metadata=dict(static=True))\n", n)
    return f"@register_dataclass\n@dataclass(frozen=True)\nclass C:\n    x: jax.Array\n{body}" + jitted(
        "return c.x", "c: C"
    )


@family
def many_field_defaults(n: int) -> str:
    return f"@static_dataclass\nclass C:\n{lines('    a{i}: tuple[int, ...] = ({i}, 2)' + chr(10), n)}"


@family
def many_fields_registered(n: int) -> str:
    half = range(n)
    return (
        f"@partial(register_dataclass, data_fields={[f'a{i}' for i in half]!r}, "
        f"meta_fields={[f'b{i}' for i in half]!r})\n"
        f"@dataclass(frozen=True)\nclass C:\n"
        f"{lines('    a{i}: jax.Array' + chr(10), n)}{lines('    b{i}: int' + chr(10), n)}"
    ) + jitted("return c.a0", "c: C")


@family
def many_fields_flattened(n: int) -> str:
    names, data = joined("self.b{i}", n), joined("self.a{i}", n)
    init = f"    def __init__(self, {joined('a{i}: jax.Array, b{i}: int', n)}) -> None:\n" + lines(
        "        self.a{i} = a{i}\n        self.b{i} = b{i}\n", n
    )
    flatten = f"    def tree_flatten(self) -> Any:\n        return ({data},), ({names},)\n"
    return f"@jax.tree_util.register_pytree_node_class\nclass C:\n{init}{flatten}" + jitted("return c.a0", "c: C")


@family
def many_fields_derived(n: int) -> str:
    init = "    def __init__(self, a: int) -> None:\n        self._a0 = a\n" + "".join(
        f"        self._a{i} = self._a{i - 1} + 1\n" for i in range(1, n)
    )
    eq = (
        "    def __eq__(self, other: object) -> bool:\n        return isinstance(other, C) and self._a0 == other._a0\n"
        "    def __hash__(self) -> int:\n        return hash(self._a0)\n"
    )
    return f"class C:\n{init}{eq}" + jitted("return x", "x: jax.Array, c: Static[C]")


@family
def many_fields_replaced(n: int) -> str:
    given = joined("a{i}={i}", n)
    return (
        f"@static_dataclass\nclass C:\n{lines('    a{i}: int' + chr(10), n)}def g(c: C) -> C:\n"
        f"    return dataclasses.replace(c, {given})\n"
    )


@family
def many_attributes_set(n: int) -> str:
    return (
        "class C:\n    def __init__(self) -> None:\n"
        + lines("        self._a{i} = {i}\n", n)
        + lines("    def set{i}(self) -> None:\n        self._a{i} = 1\n", n)
        + "@jit\ndef f(x: jax.Array, c: Static[int]) -> None: ...\n"
    )


@family
def many_enum_members(n: int) -> str:
    return (
        "class E(enum.Enum):\n"
        + lines("    A{i} = {i}\n", n)
        + jitted(lines("if e is E.A{i}:\n    x = x + {i}\n", n) + "return x", "x: jax.Array, e: Static[E]")
    )


@family
def many_registrations(n: int) -> str:
    classes = lines("@dataclass(frozen=True)\nclass C{i}:\n    a: jax.Array\n", n)
    calls = lines("register_dataclass(C{i}, data_fields=['a'], meta_fields=[])\n", n)
    return classes + calls + lines("@jit\ndef f{i}(c: C{i}) -> None: ...\n", n)


@family
def many_registrations_with_functions(n: int) -> str:
    classes = lines("class C{i}:\n    def __init__(self, a: jax.Array) -> None:\n        self.a = a\n", n)
    calls = lines(
        "def flatten{i}(c: C{i}) -> Any:\n    return (c.a,), None\n"
        "register_pytree_node(C{i}, flatten{i}, lambda aux, parts: C{i}(*parts))\n",
        n,
    )
    return classes + calls + lines("@jit\ndef f{i}(c: C{i}) -> None: ...\n", n)


@family
def many_registrations_in_a_loop(n: int) -> str:
    classes = lines("@dataclass(frozen=True)\nclass C{i}:\n    a: int\n", n)
    return classes + f"for cls in ({joined('C{i}', n)},):\n    register_static(cls)\n"


@family
def many_static_classes(n: int) -> str:
    return lines("@static_dataclass\nclass C{i}:\n    n: int\n", n)


@family
def many_frozen_classes(n: int) -> str:
    return lines("@dataclass(frozen=True)\nclass C{i}:\n    n: int\n", n)


@family
def many_plain_classes(n: int) -> str:
    return lines(
        "class C{i}:\n    def __init__(self, n: int) -> None:\n"
        "        self.n = n\n    def get(self) -> int:\n        return self.n\n",
        n,
    )


@family
def many_pytree_classes(n: int) -> str:
    return lines("@dynamic_dataclass\nclass C{i}:\n    x: jax.Array\n    n: Static[int]\n", n)


@family
def many_subclasses_with_eq(n: int) -> str:
    base = (
        "class B:\n    def __eq__(self, other: object) -> bool:\n"
        "        return type(self) is type(other)\n    def __hash__(self) -> int:\n        return 0\n"
    )
    return (
        base
        + lines(
            "class C{i}(B):\n    def __eq__(self, other: object) -> bool:\n"
            "        return isinstance(other, C{i})\n    def __hash__(self) -> int:\n        return {i}\n",
            n,
        )
        + lines("@jit\ndef f{i}(x: jax.Array, c: Static[C{i}]) -> None: ...\n", n)
    )


@family
def many_class_decorators(n: int) -> str:
    return (
        "F = TypeVar('F')\ndef same(cls: F) -> F:\n    return cls\n"
        + lines("@same\n", n)
        + "@dataclass(frozen=True)\nclass C:\n    n: int\n"
        + jitted("return x", "x: jax.Array, c: Static[C]")
    )
