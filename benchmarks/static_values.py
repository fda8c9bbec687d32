"""The cost of a static dataclass: in a call, to make, to define, and to keep.

A call is compared with one that takes only the array. Making a value, one that exists already and a new one, is
compared with making a frozen dataclass with the same fields. Candidates run in turn, and the fastest rounds count.
"""

from __future__ import annotations

import argparse
import dataclasses
import enum
import gc
import itertools
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp

from jaxtyped_static import dynamic_dataclass, static_dataclass
from jaxtyped_static._keys.interning import interned_count

Make = Callable[[str, Mapping[str, type]], Any]


def frozen(name: str, fields: Mapping[str, type]) -> Any:
    """A frozen dataclass."""
    return dataclasses.make_dataclass(name, fields.items(), frozen=True)


def static(name: str, fields: Mapping[str, type]) -> Any:
    """A static dataclass."""
    cls: Any = type(name, (), {"__annotations__": dict(fields), "__module__": __name__})
    return static_dataclass(cls)


def nested(make: Make, fields: int, levels: int) -> Callable[[], Any]:
    """Returns a maker of values with this many levels of numbers; each call makes a new value, equal to the last."""
    names = {f"x{number}": float if number % 2 else int for number in range(fields)}
    classes = [make(f"Level{level}", names | ({"inner": object} if level else {})) for level in range(levels)]

    def build() -> Any:
        value: Any = None
        for level, cls in enumerate(classes):
            numbers = [float(number) if number % 2 else number for number in range(fields)]
            value = cls(*numbers, *([value] if level else []))
        return value

    return build


def fastest(calls: Mapping[str, Callable[[], object]], rounds: int, number: int) -> dict[str, float]:
    """Returns the CPU seconds of one call, in the fastest of the rounds, which take turns."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.thread_time()
            for _ in range(number):
                call()
            best[name] = min(best[name], (time.thread_time() - start) / number)
    return best


def show(title: str, times: dict[str, float], floor: str) -> None:
    """Prints one line for each of the times, as a ratio to that of the floor."""
    print(title)
    for name, seconds in times.items():
        print(f"  {name:32} {seconds * 1e6:9.2f} µs   {seconds / times[floor]:6.2f}")


def calls(rounds: int) -> None:
    """Times a warm call with a value of 3 levels with 100 fields each."""
    x = jnp.ones(8)
    alone = jax.jit(lambda x: x)
    timed: dict[str, Callable[[], object]] = {"the array alone": partial(alone, x)}
    for kind, make in (("frozen", frozen), ("static", static)):
        build = nested(make, fields=100, levels=3)
        value = build()
        others = [build() for _ in range(4)]
        compiled = jax.jit(lambda x, config: x, static_argnums=1)
        timed[f"{kind}, the same value"] = partial(compiled, x, value)
        timed[f"{kind}, an equal value"] = partial(compiled, x, others[-1])
        compiled(x, value)
    for call in timed.values():
        call()
    show("A call, with a value of 3 levels, 100 fields each", fastest(timed, rounds, 300), "the array alone")


def structure(rounds: int) -> None:
    """Times a warm call with static objects among its pytrees, and one of many programs that differ only in them."""
    x, cls, objects = jnp.ones(8), static("C", {"x": int}), 10
    values = [cls(number) for number in range(objects)]
    programs = {count: jax.jit(lambda x, *values: x) for count in (0, 1, objects)}
    timed: dict[str, Callable[[], object]] = {
        f"{count} of them" if count else "the array alone": partial(program, x, *values[:count])
        for count, program in programs.items()
    }
    for call in timed.values():
        call()
    times = fastest(timed, rounds, 300)
    show("A call, with static objects as structure", times, "the array alone")
    alone, *_, all_of_them = times.values()
    print(f"  Each object adds {(all_of_them / alone - 1) / objects:.3f} of the call; the aim is at most 0.1")
    one = programs[1]
    kept = [cls(number) for number in range(MANY)]
    for value in kept:
        one(x, value)
    last = fastest({"alone": timed["the array alone"], "last": partial(one, x, kept[-1])}, rounds // 4, 100)
    print(f"  With {MANY} programs, each that comes before adds {(last['last'] - last['alone']) / MANY * 1e9:.0f} ns")


# Programs of one function.
MANY = 500

# Against a frozen dataclass: finding a value that exists, and making a new one, which is freed at once.
AIMS = {"exists": 3.0, "new": 3.0}


def construction(rounds: int) -> None:
    """Times making one object of 3, 20 and 100 fields, with positional arguments and with keywords."""
    slowest = dict.fromkeys(AIMS, 0.0)
    for fields, cls, by_name in itertools.product((3, 20, 100), (int, float, str), (False, True)):
        names = {sys.intern(f"x{number}"): cls for number in range(fields)}  # Like keywords in source.
        values = [cls(number + 1) for number in range(fields)]
        arguments = ([], dict(zip(names, values, strict=True))) if by_name else (values, {})
        existing = static("C", names)
        kept = existing(*values)
        classes = {"frozen": frozen("C", names), "exists": existing, "new": static("C", names)}
        timed = {name: partial(made, *arguments[0], **arguments[1]) for name, made in classes.items()}
        times = fastest(timed, rounds, 2000 // fields)
        show(f"Making one of {fields} fields, {cls.__name__}{', by keyword' * by_name}", times, "frozen")
        slowest = {name: max(ratio, times[name] / times["frozen"]) for name, ratio in slowest.items()}
        del kept
    for name, aim in AIMS.items():
        print(f"The slowest case of {name!r}: {slowest[name]:.2f}; the aim is at most {aim}")


class Scheme(enum.Enum):
    """A choice."""

    EULER = 1


Point = frozen("Point", {"x": int, "y": float, "name": str})
Segment = frozen("Segment", {"start": object, "end": int})
# What a field may hold besides numbers and strings. The same object is passed each time.
HELD: dict[str, object] = {
    "a member of an enum": Scheme.EULER,
    "a frozen dataclass": Point(1, 2.0, "a"),
    "a frozen one that holds another": Segment(Point(1, 2.0, "a"), 2),
    "a tuple of 3 numbers": (1, 2.0, 3),
    "a tuple of 1000 numbers": tuple(range(1000)),
    "300 pairs": tuple((f"key {number}", number) for number in range(300)),
    "a frozenset of 10 numbers": frozenset(range(10)),
}
HELD_AIM = 10.0


def held_values(rounds: int) -> None:
    """Times finding an existing value with one or three fields, by what it holds."""
    for name, value in HELD.items():
        for fields in (1, 3):
            names: dict[str, type] = {f"x{number}": object for number in range(fields)}
            existing, plain = static("C", names), frozen("C", names)
            arguments = [1, "a", value][-fields:]
            kept = existing(*arguments)
            times = fastest(
                {"frozen": partial(plain, *arguments), "exists": partial(existing, *arguments)}, rounds, 300
            )
            title = f"{name}, {fields} field{'s' * (fields > 1)}"
            print(f"Finding what holds {title:42} {times['exists'] / times['frozen']:6.1f}; at most {HELD_AIM:.0f}")
            del kept


def definition(rounds: int) -> None:
    """Times the decorators themselves, on classes of 3 and 20 fields."""
    for fields in (3, 20):
        names = {f"x{number}": int for number in range(fields)}
        decorators = {"frozen": dataclasses.dataclass(frozen=True), "static": static_dataclass}
        timed = {
            name: partial(defined, decorator, names)
            for name, decorator in {**decorators, "dynamic": dynamic_dataclass}.items()
        }
        show(f"Defining a class of {fields} fields", fastest(timed, rounds, 10), "frozen")


def defined(decorator: Callable[[type], type], fields: Mapping[str, type]) -> type:
    """Returns a new class, decorated."""
    return decorator(type("C", (), {"__annotations__": dict(fields), "__module__": __name__}))


def memory(values: int) -> None:
    """Measures what remains of very many different values."""
    cls = static("Point", {"x": int, "y": float})
    cls(0, 0.5)
    gc.collect()
    tracemalloc.start()
    before, count = tracemalloc.get_traced_memory()[0], interned_count()
    kept = [cls(number, 0.5) for number in range(10_000)]
    each = (tracemalloc.get_traced_memory()[0] - before) / len(kept)
    kept.clear()
    for number in range(values):
        cls(number, 0.5)
    left = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    print(f"A value of two fields: {each:.0f} bytes. After {values} different values: {left} bytes more than before,")
    print(f"  {interned_count() - count} values in the table")


def main() -> None:
    """Prints times and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100, help="rounds for each of the times (default: %(default)s)")
    parser.add_argument("--values", type=int, default=1_000_000, help="values for the memory (default: %(default)s)")
    arguments = parser.parse_args()
    calls(arguments.rounds)
    structure(arguments.rounds)
    construction(arguments.rounds)
    definition(arguments.rounds // 5)
    held_values(arguments.rounds)
    memory(arguments.values)


if __name__ == "__main__":
    main()
