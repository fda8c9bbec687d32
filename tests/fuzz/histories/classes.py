"""Kinds of declarations: classes, aliases and other types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.fuzz.histories.grammar import Kind

_FIELD: Final = (
    "    n: int\n",
    "    n: {type}\n",
    "    n: tuple[{type}, ...]\n",
    "    n: list[int]\n",
    "    n: jax.Array\n",
    "    n: Static[{type}]\n",
    "    n: {type} | None = None\n",
    "    n: int = field(default=0, compare=False)\n",
    "    n: int = {fieldmaker}\n",
    '    n: Annotated[{type}, "documented"]\n',
    "    n: Callable[[int], int]\n",
    "    n: {generic}[{type}]\n",
    "    n: ClassVar[int] = 0\n",
    "    n: Final = 0\n",
)
_MORE_FIELDS: Final = (
    "    m: int = 0\n",
    "",
    "    m: {type1} = field(default_factory=anything)\n",
    "    m: Static[{type1}] = field(default_factory=anything)\n",
    '    m: int = field(default=0, metadata={"static": True})\n',
    "    m: {type1} = {fieldmaker}\n",
    "    m = 0\n",
)
_EQ_OF_BOTH: Final = (
    "    def __eq__(self, other: object) -> bool:\n"
    "        return isinstance(other, {itself}) and self.n == other.n and self.m == other.m\n"
    "    def __hash__(self) -> int:\n        return hash((self.n, self.m))\n"
)
_EQ_OF_ONE: Final = _EQ_OF_BOTH.replace(" and self.m == other.m", "")
_METHODS: Final = (
    "",
    "    @property\n    def p(self) -> jax.Array:\n        return jnp.arange(3)\n",
    "    @functools.cached_property\n    def p(self) -> jax.Array:\n        return jnp.arange(3)\n",
    "    @functools.cached_property\n    def p(self) -> {type2}:\n        return anything()\n",
    "    @functools.lru_cache\n    def p(self):\n        return jnp.arange(3)\n",
    "    def grow(self) -> None:\n        self.n = anything()\n",
    "    @jit\n    def step(self, x: jax.Array) -> jax.Array:\n        return x\n",
    "    @jit\n    def step(self, x: jax.Array, c: Static[{type2}]) -> jax.Array:\n"
    "        return -x if self.n else x\n",
    "    @partial(jax.jit, static_argnums=0)\n    def step(self, x: jax.Array) -> jax.Array:\n        return x\n",
    _EQ_OF_BOTH,
    _EQ_OF_ONE,
    "    __hash__ = None  # type: ignore[assignment]\n",
    "    def __setattr__(self, name: str, value: object) -> None:\n        raise AttributeError(name)\n",
    "    def __init_subclass__(cls) -> None:\n        jax.tree_util.register_static(cls)\n",
)

TYPES: Final[Mapping[str, Kind]] = {
    "dataclass": Kind(
        ("class", "type"),
        "{decorator}class {name}{base}:\n{field}{more}{method}",
        {
            "decorator": (
                "@dataclass(frozen=True)\n",
                "@dataclass\n",
                "@dataclass(frozen=True, eq=False)\n",
                "@dataclass(eq=False)\n",
                "@static_dataclass\n",
                "@dynamic_dataclass\n",
                "@struct.dataclass\n",
                "@jax.tree_util.register_dataclass\n@dataclass(frozen=True)\n",
                "@jax.tree_util.register_static\n@dataclass(frozen=True)\n",
                "@attrs.frozen\n",
                "@attrs.define\n",
                "@{classmaker}\n",
                "",
            ),
            "base": ("", "({class})", "({protocol})", "(Generic[T])", "(eqx.Module)", "(abc.ABC)"),
            "field": _FIELD,
            "more": _MORE_FIELDS,
            "method": _METHODS,
        },
    ),
    "plain": Kind(
        ("class", "type"),
        "{decorator}class {name}{base}:\n{init}{eq}{method}",
        {
            "decorator": ("", "@jax.tree_util.register_pytree_node_class\n", "@final\n", "@{classmaker}\n"),
            "base": ("", "({class})", "({protocol})"),
            "init": (
                "    def __init__(self, n: int) -> None:\n        self._n = n\n        self.m: Final = 0\n"
                "    @property\n    def n(self) -> int:\n        return self._n\n",
                "    def __init__(self, n: {type}) -> None:\n        self.n = n\n        self.m = 0\n",
                "    def __init__(self, n: {type}) -> None:\n        self.n: Final = n\n        self.m: Final = 0\n",
                "    n: {type}\n    m: int = 0\n",
                "    n = 0\n    m = 0\n",
            ),
            "eq": (
                _EQ_OF_BOTH.replace("isinstance(other, {itself})", "type(other) is {itself}"),
                _EQ_OF_BOTH,
                _EQ_OF_ONE,
                "",
                "    def tree_flatten(self):\n        return (self.n,), (self.m,)\n"
                "    @classmethod\n    def tree_unflatten(cls, aux, children):\n        return cls(*children)\n",
            ),
            "method": _METHODS,
        },
    ),
    "protocol": Kind(
        ("protocol", "type"),
        "{decorator}class {name}(Protocol):\n{field}{method}    def q(self) -> int:\n        return 1\n",
        {
            "decorator": ("@runtime_checkable\n", "", "@dataclass(frozen=True)\n"),
            "field": _FIELD[:9],
            "method": ("    m: int\n", *_METHODS),
        },
    ),
    "named tuple": Kind(
        ("class", "type"),
        "class {name}(NamedTuple):\n{field}{method}",
        {"field": _FIELD[:6], "method": _METHODS[:2]},
    ),
    "enum": Kind(
        ("class", "type"),
        "class {name}({base}):\n    A = {value}\n{method}",
        {
            "base": ("enum.Enum", "enum.IntEnum", "str, enum.Enum"),
            "value": ("1", "(lambda v: v)", "[1]"),
            "method": ("", "    def __hash__(self) -> int:\n        return 1\n", *_METHODS[1:4]),
        },
    ),
    "typed dict": Kind(("type",), "class {name}(TypedDict):\n{field}", {"field": _FIELD[:5]}),
    "new type": Kind(("type",), '{name} = NewType("{name}", {class})\n'),
    "alias": Kind(
        ("type",),
        "{text}",
        {
            "text": (
                "{name} = {type}\n",
                "{name} = tuple[{type}, ...]\n",
                "{name}: TypeAlias = {type} | None\n",
                "{name} = Static[{type}]\n",
                "{name} = list[{type}]\n",
                '{name} = Annotated[{type}, "documented"]\n',
                "{name} = {generic}[{type}]\n",
                "if TYPE_CHECKING:\n    {name} = {type}\nelse:\n    {name} = int\n",
                "if sys.version_info >= (3, 9):\n    {name} = {type}\nelse:\n    {name} = int\n",
                "{name} = int\n",
            )
        },
    ),
    "generic": Kind(
        ("generic",),
        "{text}",
        {
            "text": (
                "@dataclass(frozen=True)\nclass {name}(Generic[T]):\n    n: T\n",
                "@dataclass\nclass {name}(Generic[T]):\n    n: T\n",
                "class {name}(NamedTuple, Generic[T]):\n    n: T\n",
                "{name} = tuple[T, T]\n",
                "{name} = list[T]\n",
                "@dataclass(frozen=True)\nclass {name}({generic}[T]):\n    m: {type}\n",
                "class {name}(Protocol[T]):\n    n: T\n",
            )
        },
    ),
    "type variable": Kind(
        ("typevar",),
        "{name} = TypeVar({text})\n",
        {"text": ('"{name}", bound={type}', '"{name}"', '"{name}", {type}, int')},
    ),
}
