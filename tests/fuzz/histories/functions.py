"""Kinds of declarations: functions, how they are jitted and called, and code that makes and registers classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.fuzz.histories.grammar import Kind

# Functions reveal the type of `c`, so a stale type of plain mypy is visible in its own output, too.
_BODY: Final = (
    "    return x\n",
    "    return -x if c else x\n",
    "    return -x if c.n else x\n",
    "    for _ in range(n):\n        x = -x\n    return x\n",
    "    c.n = n\n    return x\n",
    "    c.n.append(x)\n    return x\n",
    "    return x + jnp.zeros(c.n)\n",
    "    return {jitted}(x, c)\n",
    "    return {jitted}(x, c.n)\n",
    "    return jax.lax.cond(x.sum() > 0, lambda v: -v if c else v, lambda v: v, x)\n",
)


MAKERS: Final[Mapping[str, Kind]] = {
    "names": Kind(
        ("names",),
        "{name}{final} = {value}\n",
        {
            "final": (": Final", ""),
            "value": ('("c",)', '"c"', '("c", "n")', '("d",)', '["c"]', '"n"', "()"),
        },
    ),
    "numbers": Kind(
        ("numbers",),
        "{name}{final} = {value}\n",
        {"final": (": Final", ""), "value": ("(1,)", "1", "(1, 2)", "(7,)", "[1]", "-2", "()")},
    ),
    "class maker": Kind(
        ("classmaker",),
        "{text}",
        {
            "text": (
                "{name} = dataclass(frozen=True)\n",
                "{name} = dataclass\n",
                "@dataclass_transform(frozen_default=True)\n"
                "def {name}(cls: type[T]) -> type[T]:\n    return dataclass(frozen=True)(cls)\n",
                "@dataclass_transform(eq_default=False)\n"
                "def {name}(cls: type[T]) -> type[T]:\n    return dataclass(eq=False)(cls)\n",
                "{name} = static_dataclass\n",
                "{name} = struct.dataclass\n",
                "{name} = partial(dataclass, frozen=True)\n",
                "def {name}(cls: type[T]) -> type[T]:\n    return cls\n",
                "from dataclasses import dataclass as {name}\n",
                "from jaxtyped_static import static_dataclass as {name}\n",
                "{name} = jax.tree_util.register_static\n",
            )
        },
    ),
    "field maker": Kind(
        ("fieldmaker",),
        "{text}",
        {
            "text": (
                "{name}: Any = 0\n",
                "{name} = field(default=0)\n",
                "{name} = field(default=0, compare=False)\n",
                '{name} = field(default=0, metadata={"static": True})\n',
                "{name}: Any = field(hash=False)\n",
            )
        },
    ),
    "decorator": Kind(
        ("decorator",),
        "{text}",
        {
            "text": (
                "def {name}(f: F) -> F:\n    return f\n",
                "def {name}(f: Callable[P, R]) -> Callable[P, R]:\n    return f\n",
                "def {name}(f):\n    return f\n",
                "def {name}(f: Callable[..., R]) -> Callable[..., R]:\n    return f\n",
                "{name} = jax.checkpoint\n",
                "{name} = jax.named_call\n",
                "{name} = functools.cache\n",
                "from functools import lru_cache as {name}\n",
            )
        },
    ),
    "jit": Kind(
        ("jit",),
        "{text}",
        {
            "text": (
                "{name} = partial(jax.jit, static_argnames={names})\n",
                "{name} = partial(jax.jit, static_argnums={numbers})\n",
                "{name} = jax.jit\n",
                "{name} = jit\n",
                '{name} = jax.jit(static_argnames="c")\n',
                "from jaxtyped_static import jit as {name}\n",
                'def {name}(f: F) -> F:\n    return jax.jit(f, static_argnames="c")  # type: ignore[return-value]\n',
            )
        },
    ),
}

FUNCTIONS: Final[Mapping[str, Kind]] = {
    "function": Kind(
        ("function",),
        "{decorator}def {name}(x: jax.Array, c: {of}, n: int = 0) -> jax.Array:\n    reveal_type(c)\n{body}",
        {
            "decorator": ("", "@{decorator}\n"),
            "of": ("Static[{type}]", "{type}", "{typevar}", "Any"),
            "body": _BODY,
        },
    ),
    "jitted": Kind(
        ("jitted",),
        "{above}{jit}{below}def {name}(x: jax.Array, c: {of}, n: int = 0) -> jax.Array:\n    reveal_type(c)\n{body}",
        {
            "above": ("", "@{decorator}\n"),
            "jit": (
                "@jit\n",
                "@partial(jax.jit, static_argnames={names})\n",
                "@partial(jax.jit, static_argnums={numbers})\n",
                "@{jit}\n",
                '@jit(donate_argnames="x")\n',
                "@jax.jit\n",
            ),
            "below": ("", "@{decorator1}\n"),
            "of": ("Static[{type}]", "{type}", "{typevar}", "Static[{typevar}]", "Static[{generic}[{type}]]"),
            "body": _BODY,
        },
    ),
    "jitted elsewhere": Kind(
        ("jitted",),
        "{name} = {text}\n",
        {
            "text": (
                "jit({function})",
                "jax.jit({function}, static_argnames={names})",
                "jax.jit({function}, static_argnums={numbers})",
                "{jit}({function})",
                "{jitted}",
                "jax.jit({class}.step)",
                "jax.jit({value}.step)",
            )
        },
    ),
    "maker": Kind(
        ("maker",),
        "{decorator}def {name}() -> {type}:\n    return anything()\n",
        {"decorator": ("", "@functools.cache\n", "@{decorator}\n")},
    ),
    "value": Kind(
        ("value",),
        "{name}{text}\n",
        {
            "text": (
                ": {type} = anything()",
                " = {maker}()",
                " = {class}(*anything())",
                ": Final = {class}(*anything())",
                " = lambda v: v",
                " = partial({function}, n=3)",
                " = [{value1}]",
                ": Any = None",
            )
        },
    ),
    "user": Kind(
        (),
        "def {name}(x: jax.Array, c: {type}) -> None:\n    {text}\n",
        {
            "text": (
                "{jitted}(x, {value})",
                "{jitted}(x, {maker}())",
                "{jitted}(x, c)",
                "{jitted}(x, {class}(*anything()))",
                "{jitted}(x, lambda v: v)",
                "{jitted}(x, c=[1])",
                "{jitted}(c=c, x=x)",
                "{class}(lambda v: v)",
                "{class}([1])",
                "dataclasses.replace({value}, n=[1])",
                "for i in range(100):\n        {jitted}(x, {value}, i)",
                "jax.vmap({function})(x, c)",
                "jax.jit({function})(x, c)",
                "{value}.step(x, c)",
                "jax.lax.cond(c, {jitted}, {jitted}, x)",
            )
        },
    ),
    "top level": Kind(
        (),
        "{name} = {text}\n",
        {
            "text": (
                "{jitted}(jnp.ones(3), {value})",
                "{jitted}(jnp.ones(3), {maker}())",
                "{class}([1])",
                "{class}(lambda v: v)",
                "{jitted}",
            )
        },
    ),
    "registration": Kind(
        (),
        "{text}",
        {
            "text": (
                "jax.tree_util.register_pytree_node({class}, lambda o: anything(), lambda a, c: anything())\n",
                'jax.tree_util.register_dataclass({class}, data_fields=["n"], meta_fields=[])\n',
                'jax.tree_util.register_dataclass({class}, data_fields=[], meta_fields=["n"])\n',
                "jax.tree_util.register_static({class})\n",
                "jax.tree_util.register_pytree_node_class({class})\n",
                "for cls in ({class}, {class1}):\n    jax.tree_util.register_static(cls)\n",
            )
        },
    ),
}
