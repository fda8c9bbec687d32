"""The cost of a dynamic dataclass, against `jax.tree_util.register_dataclass` on an equal frozen dataclass.

First: a warm call of a function compiled for many values of the static fields; each call compares several of them with
its argument's. Then: flattening and unflattening an object, alone and in `tree.map` and calls. `made` is an object that
the program made; `passed` is one that came out of JAX, as in a loop over steps. Candidates run in turn, and the fastest
rounds count.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jax.tree_util import register_dataclass, tree_flatten, tree_map, tree_unflatten

from benchmarks.static_values import fastest, static
from jaxtyped_static import Static, dynamic_dataclass

Make = Callable[[tuple[str, ...], tuple[str, ...]], Any]
# Numbers of data fields and of static ones.
SHAPES = ((1, 0), (1, 1), (2, 1), (3, 3), (10, 0), (10, 10), (30, 5))


def registered(data: tuple[str, ...], meta: tuple[str, ...]) -> Any:
    """A frozen dataclass, registered by JAX."""
    cls = dataclasses.make_dataclass("C", [(name, object) for name in (*data, *meta)], frozen=True)
    return register_dataclass(cls, data_fields=data, meta_fields=meta)


def dynamic(data: tuple[str, ...], meta: tuple[str, ...]) -> Any:
    """A dynamic dataclass."""
    annotations = {**dict.fromkeys(data, object), **dict.fromkeys(meta, Static[object])}
    cls: Any = type("C", (), {"__annotations__": annotations, "__module__": __name__})
    return dynamic_dataclass(cls)


def frozen_value(name: str, fields: Mapping[str, type]) -> Any:
    """A frozen dataclass for a static field."""
    return dataclasses.make_dataclass(name, fields.items(), frozen=True)


def flat(make: Callable[..., Any]) -> Callable[[int], Any]:
    """Values of three fields that differ in the first: the fastest to compare."""
    cls = make("Options", {"order": int, "scale": float, "names": tuple})
    return lambda number: cls(number, 0.5, ("a", "b"))


def nested(make: Callable[..., Any]) -> Callable[[int], Any]:
    """Values of two levels that differ in the last field."""
    inner = make("Inner", {"order": int, "scale": float, "name": str})
    cls = make("Outer", {"first": object, "second": object})
    return lambda number: cls(inner(1, 0.5, "a"), inner(1, 0.5, str(number)))


def many_programs(rounds: int, values: int) -> None:
    """Times a call of a function with one compiled program for each of many values of a static field."""
    kinds = {"frozen": (registered, frozen_value), "ours": (dynamic, static)}
    for title, maker in (("flat", flat), ("nested", nested)):
        last: dict[str, Callable[[], object]] = {}
        in_turn: dict[str, Callable[[], object]] = {}
        for kind, (make, make_value) in kinds.items():
            cls, value_of = make(("u",), ("options",)), maker(make_value)
            compiled = jax.jit(lambda state: state.u)
            states = [cls(jnp.ones(2), value_of(number)) for number in range(values)]
            _call_all(compiled, states)
            last[kind], in_turn[kind] = partial(compiled, states[-1]), partial(_call_all, compiled, states)
        for which, timed, calls in (("the last value", last, 1), ("each value in turn", in_turn, values)):
            times = fastest(timed, rounds, 100 if calls == 1 else 1)
            frozen, ours = (times[kind] / calls * 1e6 for kind in kinds)
            print(f"{values} programs, {title}, {which}: frozen {frozen:.2f} µs, ours {ours:.2f}: {ours / frozen:.2f}")


def _call_all(compiled: Callable[[Any], object], states: list[Any]) -> None:
    for state in states:
        compiled(state)


def operations(cls: Any, data: int, meta: int) -> Mapping[str, Callable[[], object]]:
    """Returns the timed operations for a class with this many fields."""
    made = cls(*map(float, range(data)), *range(meta))
    leaves, treedef = tree_flatten(made)
    passed = tree_unflatten(treedef, leaves)
    arrays = [jnp.float32(number) for number in range(data)]
    state = tree_unflatten(treedef, arrays)
    call = partial(jax.jit(lambda state: None), state)
    loop = partial(jax.jit(lambda state: state), state)
    call(), loop()
    return {
        "flatten made": partial(tree_flatten, made),
        "flatten passed": partial(tree_flatten, passed),
        "unflatten": partial(tree_unflatten, treedef, leaves),
        "both": partial(_both, passed),
        "tree.map": partial(tree_map, float, passed),
        "call": call,
        "call, returned": loop,
        "construction": partial(cls, *leaves, *range(meta)),
    }


def _both(value: Any) -> object:
    leaves, treedef = tree_flatten(value)
    return tree_unflatten(treedef, leaves)


def by_fields(rounds: int) -> None:
    """Prints ratios for classes with few and many fields."""
    header_written = False
    for data, meta in SHAPES:
        names = tuple(f"u{number}" for number in range(data)), tuple(f"n{number}" for number in range(meta))
        pairs = {kind: operations(make(*names), data, meta) for kind, make in (("ours", dynamic), ("jax", registered))}
        if not header_written:
            print(f"{'data + static fields':22}" + "".join(f"{name:>16}" for name in pairs["ours"]))
            header_written = True
        ratios = []
        for name in pairs["ours"]:
            times = fastest({kind: calls[name] for kind, calls in pairs.items()}, rounds, 1000)
            ratios.append(times["ours"] / times["jax"])
        print(f"{data:10} + {meta:<9}" + "".join(f"{ratio:16.2f}" for ratio in ratios))


def main() -> None:
    """Prints ratios to `register_dataclass`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50, help="rounds for each of the times (default: %(default)s)")
    parser.add_argument("--values", type=int, default=500, help="different static values (default: %(default)s)")
    arguments = parser.parse_args()
    by_fields(arguments.rounds)
    many_programs(arguments.rounds, arguments.values)


if __name__ == "__main__":
    main()
