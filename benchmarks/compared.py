"""What the common faults do to a program with each way to write a static class, and what a call costs.

python -m benchmarks.compared             # both tables of docs/guide/compared.md
python -m benchmarks.compared --outcomes  # the first, which is the same on every machine

TORAX's base class is read from its source distribution; the others are installed with the extra `dev`.
"""

from __future__ import annotations

import argparse
import dataclasses
import functools
import importlib.util
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import jax_dataclasses as jdc

from benchmarks.static_values import fastest
from jaxtyped_static import static_dataclass
from tests.real.packages import PACKAGES
from tests.real.workspace import programs

Jitted = Callable[[jax.Array, Any], jax.Array]
REFUSED, RAISES, LATER = "refused when made", "raises", "raises in the second call"
WRONG, AGAIN, RIGHT = "**wrong number**", "compiles each time", "right"


class Approach(NamedTuple):
    """One way to write a static class: how a class is made of fields, and how a function of its objects is compiled."""

    name: str
    define: Callable[[str, Sequence[str]], Any]
    jit: Callable[[Callable[..., Any]], Jitted]


def _with_fields(decorate: Callable[[type], Any], name: str, fields: Sequence[str], base: type = object) -> Any:
    body = {"__annotations__": dict.fromkeys(fields, Any), "__module__": __name__}
    return decorate(type(base)(name, (base,) if base is not object else (), body))


def _equinox(name: str, fields: Sequence[str]) -> Any:
    body = {"__annotations__": dict.fromkeys(fields, Any), "__module__": __name__}
    make: Any = type(eqx.Module)
    return make(name, (eqx.Module,), body | {field: eqx.field(static=True) for field in fields})


def _jax_dataclasses(name: str, fields: Sequence[str]) -> Any:
    static: Any = jdc.Static
    static = static[Any]
    body = {"__annotations__": dict.fromkeys(fields, static), "__module__": __name__}
    return jdc.pytree_dataclass(type(name, (), body))


@functools.cache
def _torax() -> type:
    (package,) = (package for package in PACKAGES if package.name == "torax")
    (program,) = programs(package)
    spec = importlib.util.spec_from_file_location("torax_base", program.tree / "torax/_src/static_dataclass.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    base: type = module.StaticDataclass
    return base


def approaches() -> tuple[Approach, ...]:
    frozen = dataclasses.dataclass(frozen=True)
    torax = partial(_with_fields, dataclasses.dataclass(frozen=True, eq=False))
    by_position = partial(jax.jit, static_argnums=1)
    return (
        Approach("frozen dataclass", partial(_with_fields, frozen), by_position),
        Approach("jax_dataclasses", _jax_dataclasses, jdc.jit),
        Approach("`eqx.filter_jit`", _equinox, eqx.filter_jit),
        Approach("TORAX's base", lambda name, fields: torax(name, fields, base=_torax()), by_position),
        Approach("`static_dataclass`", partial(_with_fields, static_dataclass), by_position),
    )


# What each fault does.


class Fault(NamedTuple):
    """Two objects that a program gets one after the other, or one object that changes in between."""

    name: str
    first: Callable[[], Any]
    second: Callable[[], Any] | None
    use: Callable[[jax.Array, Any], jax.Array]
    compilations: int
    change: Callable[[Any], None] | None = None


def _summed(x: jax.Array, value: Any) -> jax.Array:
    return jnp.asarray(x + sum(value))


def _powered(x: jax.Array, value: Any) -> jax.Array:
    return jnp.asarray(x**value)


def _applied(x: jax.Array, value: Any) -> jax.Array:
    return jnp.asarray(value(x))


def _change_list(config: Any) -> None:
    config.value[0] = 2


def _set_by_force(config: Any) -> None:
    object.__setattr__(config, "value", 2)


FAULTS: Final = (
    Fault("`2`, then `2.0`", lambda: 2, lambda: 2.0, _powered, 2),
    Fault("an array in a field", lambda: jnp.ones(2), lambda: jnp.ones(2), _summed, 1),
    Fault("a list in a field, changed in place", lambda: [1], None, _summed, 2, _change_list),
    Fault("a field set by force", lambda: 1, None, _powered, 2, _set_by_force),
    Fault("a new lambda in each object", lambda: lambda x: x, lambda: lambda x: x, _applied, 1),
    Fault("NaN", lambda: float("nan"), lambda: float("nan"), _powered, 1),
    Fault("equal values, made anew", lambda: (1, 2), lambda: (1, 2), _summed, 1),
)


def outcome(approach: Approach, fault: Fault) -> str:
    """Returns what comes of calling a compiled function with the first object, and then with the second."""
    compiled = 0

    def program(x: jax.Array, config: Any) -> jax.Array:
        nonlocal compiled
        compiled += 1
        return fault.use(x, config.value)

    cls, jitted, x = approach.define("Config", ["value"]), approach.jit(program), jnp.int32(100_000)
    try:
        first = cls(fault.first())
        second = cls(fault.second()) if fault.second else first
    except Exception:
        return REFUSED
    for when, value in ((RAISES, first), (LATER, second)):
        try:
            said = jitted(x, value)
        except Exception:
            return when
        if not jnp.array_equal(said, fault.use(x, value.value), equal_nan=True):
            return WRONG
        if fault.change and when is RAISES:
            fault.change(value)
    return AGAIN if compiled > fault.compilations else RIGHT


def outcomes() -> Iterator[str]:
    """Yields the lines of the table of outcomes."""
    ways = approaches()
    yield f"| | {' | '.join(way.name for way in ways)} |"
    yield "|---" * (len(ways) + 1) + "|"
    for fault in FAULTS:
        yield f"| {fault.name} | {' | '.join(outcome(way, fault) for way in ways)} |"


# What a call costs, over a call with the array alone.

SIZES: Final = {"3 fields": (3, 1), "20 fields": (20, 1), "3 levels of 100 fields": (100, 3)}


def _built(approach: Approach, fields: int, levels: int) -> Callable[[], Any]:
    names = [f"x{number}" for number in range(fields)]
    classes = [approach.define(f"Level{level}", names + ["inner"] * bool(level)) for level in range(levels)]

    def build() -> Any:
        value: Any = None
        for level, cls in enumerate(classes):
            value = cls(*range(fields), *([value] if level else []))
        return value

    return build


def costs(rounds: int) -> Iterator[str]:
    """Yields the lines of the table of costs: for each size, a call with the same object and with an equal one."""
    ways, x = approaches(), jnp.ones(8)
    alone = jax.jit(lambda x: x)
    yield f"| | {' | '.join(way.name for way in ways)} |"
    yield "|---" * (len(ways) + 1) + "|"
    for size, (fields, levels) in SIZES.items():
        timed: dict[str, Callable[[], object]] = {"alone": partial(alone, x)}
        for way in ways:
            build, jitted = _built(way, fields, levels), way.jit(lambda x, config: x)
            same, equal = build(), build()
            jitted(x, same)
            timed[way.name] = partial(jitted, x, same)
            timed[f"{way.name}, equal"] = partial(jitted, x, equal)
        for call in timed.values():
            call()
        times = fastest(timed, rounds, 300)
        for kind, ending in (("the same object", ""), ("an equal object", ", equal")):
            ratios = (times[f"{way.name}{ending}"] / times["alone"] for way in ways)
            yield f"| {size}, {kind} | {' | '.join(f'{ratio:.1f}' for ratio in ratios)} |"


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--outcomes", action="store_true", help="only what comes of each fault")
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args(arguments)
    print("\n".join(outcomes()))
    if not options.outcomes:
        print("\nA call, over one with the array alone:\n")
        with suppress(BrokenPipeError):
            print("\n".join(costs(options.rounds)))


if __name__ == "__main__":
    main(sys.argv[1:])
