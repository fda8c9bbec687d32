"""Programs that are right, and that a careless fix would change: each has a finding, and code that the fix must see."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent

# A class that is to be frozen, and what `change` does to an object of it.
FREEZE = """\
from dataclasses import dataclass

import jax.numpy as jnp

from jaxtyped_static import Static, jit
from util import change


@dataclass(unsafe_hash=True)
class Solver:
    dt: float


@jit
def step(y: float, solver: Static[Solver]) -> float:
    return y - solver.dt * y


solver = Solver(0.1)
change(solver)
print(step(jnp.ones(()), solver))
"""
CHANGES = {
    "setattr": "setattr(obj, 'd' + 't', 0.5)",
    "setattr of a name": "for name, value in {'dt': 0.5}.items():\n    setattr(obj, name, value)",
    "special method": "obj.__setattr__('dt', 0.5)",
    "assignment": "obj.dt = 0.5",
    "alias": "other = [obj][0]\nother.dt += 0.5",
    "another attribute": "obj.name = 'slow'",
    "loop": "for obj.dt in (0.5,):\n    pass",
    "deletion": "obj.extra = 1\ndel obj.extra",
    "patch": "from unittest import mock\nwith mock.patch.object(obj, 'dt', 0.5):\n    print(obj.dt)",
    "parser": "import argparse\nargparse.ArgumentParser().parse_args([], namespace=obj)\nobj.__dict__",
    "exec": "exec('obj.dt = 0.5', {'obj': obj})",
    "dict of attributes": "vars(obj)['dt'] = 0.5",
    "past the class": "object.__setattr__(obj, 'dt', 0.5)",
    "copies": "import copy, pickle\nprint(pickle.loads(pickle.dumps(obj)) == copy.deepcopy(obj))",
    "key": "import copy\nprint({obj: 1}[copy.copy(obj)])",
    "nothing": "print(obj)",
}

# A function that is to be made once, although `change` runs before each call.
LOOP = """\
import jax.numpy as jnp

import util
from jaxtyped_static import jit
from util import scaled


def train(x: float) -> None:
    for i in range(3):
        util.change(i)
        print(jit(lambda y: scaled(y))(x))


train(jnp.ones(()))
"""
FUNCTION = (
    LOOP.replace("for i in range(3):\n        util.change(i)\n        print(", "print(")
    .replace(
        "))(x))\n\n\ntrain(jnp.ones(()))", "))(x))\n\n\nfor i in range(3):\n    util.change(i)\n    train(jnp.ones(()))"
    )
    .replace("        print", "    print")
)
FUNCTION = """\
import jax.numpy as jnp

import util
from jaxtyped_static import jit
from util import scaled


def train(x: float) -> None:
    print(jit(lambda y: scaled(y))(x))


for i in range(3):
    util.change(i)
    train(jnp.ones(()))
"""
CALLABLE = """\
from collections.abc import Callable

import jax.numpy as jnp

import util
from jaxtyped_static import Static, jit
from util import scaled


@jit
def apply(x: float, function: Static[Callable[[float], float]]) -> float:
    return function(x)


def run(x: float) -> float:
    return apply(x, lambda y: scaled(y))


for i in range(3):
    util.change(i)
    print(run(jnp.ones(())))
"""
APPLYING = CALLABLE.replace("return function(x)", "return scaled(function(x))").replace(
    "lambda y: scaled(y)", "lambda y: y"
)
# What `scaled` reads: where it is defined, the body of the function, and how it changes.
READS = {
    "global": ("FACTOR = 1.0", "return y * FACTOR", "global FACTOR\nFACTOR = i"),
    "module": ("import values", "return y * values.FACTOR", "values.FACTOR = i"),
    "another module": ("import values", "return y * values.factor()", "values.FACTOR = i"),
    "setattr": ("import values", "return y * values.factor()", "setattr(values, 'FACTOR', i)"),
    "globals": ("FACTOR = 1.0", "return y * FACTOR", "globals()['FACTOR'] = i"),
    "list": ("FACTORS = [1.0]", "return y * FACTORS[0]", "FACTORS[0] = i"),
    "class": ("class Scale:\n    factor = 1.0", "return y * Scale.factor", "Scale.factor = i"),
    "function": ("def plus(y):\n    return y", "return plus(y)", "global plus\nplus = lambda y: y + i"),
    "attribute of a function": ("", "return y * scaled.factor", "scaled.factor = i"),
    "cell": ("SEEN = []", "SEEN.append(1)\nreturn y * len(SEEN)", "pass"),
    "printing": ("", "print('traced')\nreturn y", "pass"),
    "counting": ("import itertools\nCOUNT = itertools.count()", "return y * next(COUNT)", "pass"),
    "constant": ("FACTOR = 2.0", "return y * FACTOR", "pass"),
}
VALUES = "FACTOR = 1.0\n\n\ndef factor():\n    return FACTOR\n"

# A list that is to be a tuple, and what code does with it.
LIST = """\
from dataclasses import dataclass, field

import jax.numpy as jnp

from jaxtyped_static import Static, jit
from util import change


@dataclass(frozen=True)
class Config:
    n: int
    sizes: list[int] = field(default_factory=lambda: [1, 2], hash=False)


@jit
def step(x: float, config: Static[Config]) -> float:
    return x * config.n * len(config.sizes)


config = Config(2)
change(config)
print(step(jnp.ones(()), config))
"""
LIST_USES = {
    "item": "obj.sizes[0] = 1",
    "deletion": "del obj.sizes[1]",
    "method": "getattr(obj, 'sizes').append(3)",
    "alias": "sizes = obj.sizes\nsizes += [3]",
    "sum": "print(obj.sizes + [3])",
    "comparison": "print(obj.sizes == [1, 2], obj == type(obj)(2, [1, 2]))",
    "printing": "print(obj, '%s' % obj.sizes)",
    "index of an array": "import numpy as np\nprint(np.arange(9).reshape(3, 3)[obj.sizes])",
    "pytree": "import jax\nprint(jax.tree.map(lambda a, b: a + b, obj.sizes, [1, 2]))",
}

# A class that is to be compared by value, or whose field is.
KEYS = """\
from dataclasses import dataclass, field

import jax.numpy as jnp

from jaxtyped_static import Static, jit


@dataclass(frozen=True{option})
class Layer:
    size: int{field}


@jit
def step(y: float, layer: Static[Layer]) -> float:
    return y * layer.size


layers = [{layers}]
order = {{layer: i for i, layer in enumerate(layers)}}
print([order[layer] for layer in layers], layers.index(layers[1]), step(jnp.ones(()), layers[0]))
"""
BY_IDENTITY = KEYS.format(option=", eq=False", field="", layers="Layer(2), Layer(2)")
BY_ONE_FIELD = KEYS.format(
    option="", field="\n    name: str = field(compare=False, default='')", layers="Layer(2, 'a'), Layer(2, 'b')"
)

# Parameters whose annotations are not what unannotated code passes.
MISDECLARED = """\
import jax.numpy as jnp

from jaxtyped_static import Static, jit


@jit
def step(x: float, mode: {annotation}) -> float:
    return {result}


def call(x, mode):
    return step(x, mode)


print(call(jnp.ones(()), {value}))
"""
UNTRACEABLE = MISDECLARED.format(annotation="str", result="x * mode", value="jnp.ones(3)")
NO_ARRAY = MISDECLARED.replace("import jax", "import jax\nimport jax", 1).format(
    annotation="Static[jax.Array]", result="x * len(range(mode))", value="3"
)
UNCOMPILED = """\
import jax

from jaxtyped_static import jit


@jit
def clipped(x: float, low: float) -> float:
    if low > 0.0:
        return low
    return x * 2


with jax.disable_jit():
    print(clipped(3, 1), clipped(3, 0))
"""
COMPARED = UNCOMPILED.replace("    if low > 0.0:\n        return low\n    return x * 2\n", "    return max(x, low)\n")

WITH_DISABLED = "\n\nwith jax.disable_jit():\n    print(clipped(3, 1), clipped(3, 0))\n"
DISABLED = {
    "update": 'jax.config.update("jax_disable_jit", True)',
    "environment": 'import os\nos.environ["JAX_DISABLE_JIT"] = "1"',
    "assignment": "jax.config.jax_disable_jit = True",
}
EMPTY = """\
import jax
import jax.numpy as jnp

from jaxtyped_static import jit


@jit
def masked(x: jax.Array, m: jax.Array | None) -> jax.Array:
    if m:
        return x * 2
    return x


def call(x, m):
    return masked(x, m)


print(call(jnp.ones(()), ()))
"""
SLOTS = FREEZE.replace(
    "@dataclass(unsafe_hash=True)\nclass Solver:\n",
    "@dataclass(unsafe_hash=True)\nclass Solver:\n    __slots__ = ('dt',)\n",
)
GENERIC = (
    FREEZE.replace(
        "from dataclasses import dataclass\n",
        "from dataclasses import dataclass\nfrom typing import Generic, TypeVar\n",
    )
    .replace("\n\n@dataclass", "\nT = TypeVar('T')\n\n\n@dataclass")
    .replace("class Solver:", "class Solver(Generic[T]):")
    .replace("Static[Solver]", "Static[Solver[int]]")
    .replace("Solver(0.1)", "Solver[int](0.1)")
)


def with_change(main: str, body: str) -> dict[str, str]:
    return {"main.py": main, "util.py": f"def change(obj):\n{indent(body, '    ')}\n"}


def _programs() -> Iterator[tuple[str, dict[str, str]]]:
    for name, body in CHANGES.items():
        yield f"frozen: {name}", with_change(FREEZE, body)
    for name, body in LIST_USES.items():
        yield f"tuple: {name}", with_change(LIST, body)
    for kind, main in {"loop": LOOP, "function": FUNCTION, "callable": CALLABLE, "applying": APPLYING}.items():
        for name, (before, body, change) in READS.items():
            functions = f"def scaled(y):\n{indent(body, '    ')}\ndef change(i):\n{indent(change, '    ')}\n"
            yield f"{kind}: {name}", {"main.py": main, "util.py": f"{before}\n{functions}", "values.py": VALUES}
    yield "keys: by identity", {"main.py": BY_IDENTITY}
    yield "keys: by one field", {"main.py": BY_ONE_FIELD}
    yield "misdeclared: text", {"main.py": UNTRACEABLE}
    yield "misdeclared: array", {"main.py": NO_ARRAY}
    yield "uncompiled: if", {"main.py": UNCOMPILED}
    yield "uncompiled: max", {"main.py": COMPARED}
    for name, line in DISABLED.items():
        main = COMPARED.replace(WITH_DISABLED, "\n\nprint(clipped(3, 1), clipped(3, 0))\n")
        yield f"uncompiled: {name}", {"main.py": f"import settings\n{main}", "settings.py": f"import jax\n{line}\n"}
    yield "empty", {"main.py": EMPTY}
    yield "frozen: slots", with_change(SLOTS, "import copy\nprint(copy.copy(obj).dt)")
    yield "frozen: generic", with_change(GENERIC, "print(obj.__orig_class__)")


PROGRAMS = dict(_programs())
