"""How the plugin's time grows with the number of static classes: a generated program, nested deep and full of diamonds.

    python -m benchmarks.many_classes            # 1,250 to 10,000 classes, about 3 minutes
    python -m benchmarks.many_classes --quick    # up to 2,500

The program has layers of frozen dataclasses, up to 50 deep; each class holds two classes of the layer below, as its
neighbours do. Every class is the type of a static argument, and every second one is registered as static. mypy checks
each size with and without the plugin, in turn; the difference is the plugin's time. This prints that time, its growth
as an exponent (1 is linear), and how often a class was judged (if more than once, nested classes would take exponential
time).
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import mypy.api
from mypy.types import Instance

from jaxtyped_static_mypy.judgement import judge as judgement

DEPTH = 50
SIZES = (1_250, 2_500, 5_000, 10_000)
AIM = 1.15


@dataclass(frozen=True)
class Cost:
    """One check of one program; the cache has jax but not the program."""

    cpu_seconds: float
    classes_judged: int
    most_judgements: int  # of one class


_HEAD = """\
from dataclasses import dataclass
from functools import partial

import jax
from jax.tree_util import register_static

"""
_CLASS = """
@dataclass(frozen=True)
class C{number}:
{fields}


@partial(jax.jit, static_argnames="c")
def f{number}(x: jax.Array, c: C{number}) -> jax.Array:
    return x

"""


def program(count: int) -> str:
    """Returns the source: the classes of the lowest layer first."""
    width = math.ceil(count / DEPTH)
    classes = []
    for number in range(count):
        layer, place = divmod(number, width)
        below = (layer - 1) * width
        fields = (
            [f"    left: C{below + place}", f"    right: C{below + (place + 1) % width}"] if layer else ["    n: int"]
        )
        decorator = "\n@register_static" if number % 2 else ""
        classes.append(decorator + _CLASS.format(number=number, fields="\n".join(fields)))
    return _HEAD + "".join(classes)


def check(source: Path, cache: Path, *, with_plugin: bool) -> Cost:
    """Runs mypy in this process, counting how often each class is judged.

    Raises:
        RuntimeError: mypy reports anything.
    """
    judged: Counter[str] = Counter()
    judge_class = judgement._judge_class_itself

    def counted(typ: Instance, *arguments: object, **options: object) -> object:
        judged[typ.type.fullname] += 1
        return judge_class(typ, *arguments, **options)  # type: ignore[arg-type]

    judgement._judge_class_itself = counted  # type: ignore[assignment]
    config = source.with_suffix(".ini")
    config.write_text("[mypy]\n" + ("plugins = jaxtyped_static_mypy\n" if with_plugin else ""))
    start = time.process_time()
    output, errors, status = mypy.api.run(["--config-file", str(config), "--cache-dir", str(cache), str(source)])
    spent = time.process_time() - start
    if status:
        raise RuntimeError((output + errors)[:2_000])
    return Cost(spent, len(judged), max(judged.values(), default=0))


def measure(count: int, folder: Path, *, with_plugin: bool) -> Cost:
    """Runs `check` in its own process."""
    source = folder / f"many_{count}.py"
    source.write_text(program(count))
    cache = folder / ("with" if with_plugin else "without")
    options = ["--check", str(source), str(cache), *(["--with-plugin"] if with_plugin else [])]
    command = [sys.executable, "-m", "benchmarks.many_classes", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr[-2_000:])
    return Cost(**json.loads(done.stdout))


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """Returns the slope of the logarithms: 1 if twice the classes take twice the time."""
    return statistics.linear_regression([math.log(size) for size in sizes], [math.log(s) for s in seconds]).slope


def compare(sizes: Sequence[int], rounds: int) -> bool:
    """Prints a line for each size, and the exponent; returns whether the aims are met."""
    costs: list[float] = []
    once = True
    with tempfile.TemporaryDirectory() as folder:
        for with_plugin in (False, True):
            measure(DEPTH, Path(folder), with_plugin=with_plugin)  # fills the caches with jax
        print(f"{'classes':>8} {'mypy alone':>11} {'plugin':>8} {'share':>6} {'judged':>7} {'most often':>11}")
        for size in sizes:
            pairs = [
                (measure(size, Path(folder), with_plugin=False), measure(size, Path(folder), with_plugin=True))
                for _ in range(rounds)
            ]
            alone = statistics.median(without.cpu_seconds for without, _ in pairs)
            plugin = statistics.median(with_.cpu_seconds - without.cpu_seconds for without, with_ in pairs)
            cost = pairs[0][1]
            costs.append(plugin)
            once = once and cost.most_judgements == 1
            print(
                f"{size:>8} {alone:>9.2f} s {plugin:>6.2f} s {plugin / alone:>6.1%} "
                f"{cost.classes_judged:>7} {cost.most_judgements:>11}",
                flush=True,
            )
    growth = exponent(sizes, costs)
    print(f"the plugin's time grows with the exponent {growth:.2f} (aim: at most {AIM})")
    return once and growth <= AIM


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="up to 2,500 classes, each size once")
    parser.add_argument("--check", nargs=2, metavar=("SOURCE", "CACHE"), help=argparse.SUPPRESS)
    parser.add_argument("--with-plugin", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.check:
        source, cache = map(Path, arguments.check)
        print(json.dumps(asdict(check(source, cache, with_plugin=arguments.with_plugin))))
        return 0
    met = compare(SIZES[:2] if arguments.quick else SIZES, 1 if arguments.quick else 3)
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
