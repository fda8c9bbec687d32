"""Programs that are right, and that a careless fix would change, because code does unseen what the fix forbids.

The names of functions, classes and modules are not what they seem, and attributes are set by other means.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.cli.right_programs import CALLABLE, EMPTY, FREEZE, with_change

# How code sets an attribute although no statement assigns to one of the class: what helpers and other classes do.
OTHERWISE = {
    "alias of setattr": "put = setattr\nput(obj, 'dt', 0.5)",
    "setattr that is mapped": "list(map(setattr, [obj], ['dt'], [0.5]))",
    "partial": "from functools import partial\npartial(setattr, obj)('dt', 0.5)",
    "unbound": "put = type(obj).__setattr__\nput(obj, 'dt', 0.5)",
    "patch of a text": "from unittest.mock import patch\nchange.held = obj\n"
    "with patch('util.change.held.dt', 0.5):\n    print(obj.dt)",
    "several patches": "from unittest.mock import patch\nwith patch.multiple(obj, dt=0.5):\n    print(obj.dt)",
    "builtins": "import builtins\nbuiltins.exec('obj.dt = 0.5', {'obj': obj})",
    "options": "import optparse\noptparse.OptionParser().parse_args([], values=obj)",
    "method of another class": "class Other:\n    def reset(self):\n        self.dt = 0.5\nOther.reset(obj)",
    "what is no new object": (
        "class Other:\n    def __new__(cls, it):\n        return it\nother = Other(obj)\nother.dt = 0.5"
    ),
    "module that is an object": "import sys\nsys.modules['held'] = obj\nimport held\nheld.dt = 0.5",
    "class that is made": (
        "from dataclasses import make_dataclass\n"
        "print(make_dataclass('Fast', ['order'], bases=(type(obj),), unsafe_hash=True)(0.1, 2))"
    ),
    "own decorator": (
        "from dataclasses import dataclass\ndecorate = dataclass(unsafe_hash=True)\nclass Fast(type(obj)):\n"
        "    order: int = 2\nprint(decorate(Fast)(0.1))"
    ),
    "parameters of the class": "print(obj.__dataclass_params__.frozen)",
}
BASE = FREEZE.replace("from util", "from base import Solver\nfrom util").replace(
    "@dataclass(unsafe_hash=True)\nclass Solver:\n    dt: float\n\n\n", ""
)
DEFINED = "from dataclasses import dataclass\n\n\n@dataclass(unsafe_hash=True)\nclass Solver:\n    dt: float\n"
DERIVED = {
    "imported as": "from base import Solver as Base\n"
    "class Fast(Base):\n    def set(self, name):\n        self.dt = name",
    "assigned": "import base\nBase = base.Solver\nclass Fast(Base):\n    def set(self, name):\n        self.dt = name",
    "dataclass": (
        "from base import Solver\nfrom dataclasses import dataclass\n@dataclass(unsafe_hash=True)\n"
        "class Fast(Solver):\n    order: int = 2\n    def set(self, name):\n        print(self)"
    ),
}
COPIED = FREEZE.replace(
    "    dt: float\n", "    dt: float\n\n    def __getstate__(self) -> object:\n        return (None, {'dt': 0.5})\n", 1
)
UNHASHED = FREEZE.replace("(unsafe_hash=True)", "").replace("step(jnp.ones(()), solver)", "solver")

# How an array gets into a parameter that is declared as text.
STEP = """\
from jaxtyped_static import jit


@jit
def step(x: float, mode: str) -> float:
    return x * mode
"""
REACHED = {
    "imported as": "from steps import step as go\ndef call(x, mode):\n    return go(x, mode)",
    "imported twice": "import again\ndef call(x, mode):\n    return again.run(x, mode)",
    "imported in a function": "def call(x, mode):\n    from steps import step\n    return step(x, mode)",
    "module as a value": "import steps\ndef call(x, mode):\n    return [steps][0].step(x, mode)",
    "getattr": "import steps\ndef call(x, mode):\n    return getattr(steps, 'st' + 'ep')(x, mode)",
    "loaded": "import importlib\ndef call(x, mode):\n    return importlib.import_module('steps').step(x, mode)",
    "declared as text": (
        "from steps import step\ndef inner(x: float, mode: str) -> float:\n    return step(x, mode)\n"
        "def call(x, mode):\n    return inner(x, mode)"
    ),
}
DECORATED = """\
from dataclasses import dataclass

import jax.numpy as jnp

from jaxtyped_static import jit


def replaced(cls: type) -> type:
    return jnp.ones(3)


@dataclass
class Plain:
    n: int


@replaced
class Solver:
    n: int


@jit
def step(x: float, solver: type[Solver]) -> float:
    return x * solver


print(step(jnp.ones(()), Solver))
"""
NUMBER = """\
import jax
import jax.numpy as jnp

from jaxtyped_static import Static, jit


@jit
def step(x: float, n: Static[jax.Array]) -> float:
    return x * len(range(n))


print(step(jnp.ones(3), jnp.ndim(jnp.ones(3))))
"""
NONE = EMPTY.replace("jax.Array | None", "jax.Array").replace("(()), ())", "(()), None)")

# Compiled functions in loops that see more than their own module.
PASS = """\
import jax.numpy as jnp

import values
from jaxtyped_static import jit

FACTOR = 1.0
LIST = [1.0]


def shadowed(y):
    def inner():
        LIST = 2.0
        return LIST

    return y * LIST[0]


def comprehension(y):
    return sum([LIST for LIST in (1, 2)]) * y * LIST[0]


def change(i):
    {change}


def train(x: float) -> None:
    for i in range(3):
        change(i)
        print(jit(lambda y: {read})(x))


train(jnp.ones(()))
"""
SEES = {
    "constant": ("globals()['FACTOR'] = i", "y * FACTOR"),
    "dict of a module": ("values.__dict__['FACTOR'] = i", "y * values.FACTOR"),
    "globals of a function": ("shadowed.__globals__['FACTOR'] = i", "y * FACTOR"),
    "namespace that is handed on": (
        "(lambda them: them.update(FACTOR=i))({'it': vars(values)}['it'])",
        "y * values.FACTOR",
    ),
    "namespace that is read": ("print(dict(**vars(shadowed)), sorted(values.__dict__)[:0])", "y * FACTOR"),
    "patch by its text": (
        "from unittest.mock import patch; patch('values.FACTOR', i).start()",
        "y * values.FACTOR",
    ),
    "patch of a name that is not written": (
        "from unittest import mock as m; m.patch.object(values, 'FAC' + 'TOR', i).start()",
        "y * values.FACTOR",
    ),
    "setattr by its text": ("setattr(values, 'FACTOR', i)", "y * values.FACTOR"),
    "patch of another name": (
        "from unittest import mock; mock.patch.object(values, 'OTHER', i, create=True).start()",
        "y * FACTOR",
    ),
    "setattr of another name": ("setattr(shadowed, 'OTHER', i)", "y * FACTOR"),
    "patch of a plot": ("plot = type('Axes', (), {'patch': set()}); plot.patch.add(i)", "y * FACTOR"),
    "name of an inner function": ("LIST[0] = i", "shadowed(y)"),
    "name of a comprehension": ("LIST[0] = i", "comprehension(y)"),
}
PATCHED = """\
import sys
from unittest import mock

FACTOR = 1.0


def factor(i):
    return mock.patch.object(sys.modules[__name__], "FACTOR", i)
"""
OF_CLASS = """\
from dataclasses import dataclass
from typing import ClassVar

import jax
import jax.numpy as jnp

import util
from jaxtyped_static import jit


@jax.tree_util.register_dataclass
@dataclass
class Model:
    x: jax.Array
    seen: ClassVar[list[int]] = []

    def __len__(self) -> int:
        return len(Model.seen)

    def __str__(self) -> str:
        return str(len(Model.seen))


def train(model: Model) -> None:
    for i in range(3):
        util.change(Model)
        print(jit(lambda m: {read})(model))


train(Model(jnp.ones(())))
"""
IN_CLASS = """\
import jax.numpy as jnp

from jaxtyped_static import jit


class Table:
    for i in range(3):
        print(jit(lambda y: y * 2.0)(jnp.ones(())))


print([name for name in vars(Table) if "_" not in name])
"""
CIRCULAR = """\
from functools import partial

import b
from jaxtyped_static import jit


def run(x: float) -> float:
    return jit(partial(b.scaled, 2.0))(x)
"""
LOGGED = CALLABLE.replace("import jax.numpy as jnp\n", "import jax.numpy as jnp\nfrom log import logged\n").replace(
    "@jit\ndef apply", "@logged\n@jit\ndef apply"
)
LOG = """\
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

F = TypeVar("F", bound=Callable[..., object])
SEEN = []


def logged(f: F) -> F:
    @wraps(f)
    def wrapper(x, function):
        SEEN.append(function) if function not in SEEN else None
        print(len(SEEN))
        return f(x, function)

    return wrapper
"""


def _programs() -> Iterator[tuple[str, dict[str, str]]]:
    for name, body in OTHERWISE.items():
        yield f"frozen: {name}", with_change(FREEZE, body)
    for name, code in DERIVED.items():
        change = "def change(obj):\n    fast = Fast(0.1)\n    fast.set(0.5)\n    print(fast.dt)\n"
        yield f"frozen: derived, {name}", {"main.py": BASE, "base.py": DEFINED, "util.py": f"{code}\n{change}"}
    yield "frozen: state of copies", with_change(COPIED, "import copy\nprint(copy.copy(obj).dt)")
    other = "class Other:\n    def __hash__(self) -> int:\n        return hash((1, 2))\nprint(obj)"
    yield "frozen: hash of another class", with_change(UNHASHED, other)
    yield "frozen: hash", with_change(UNHASHED, "try:\n    hash(obj)\nexcept TypeError:\n    print('no key')")
    call = "import jax.numpy as jnp\n{}\nprint(call(jnp.ones(()), jnp.ones(3)))\n"
    for name, code in REACHED.items():
        files = {"main.py": call.format(code), "steps.py": STEP, "again.py": "from steps import step as run\n"}
        yield f"misdeclared: {name}", files
    yield "misdeclared: class", {"main.py": DECORATED}
    yield "misdeclared: number", {"main.py": NUMBER}
    yield "empty: none", {"main.py": NONE}
    for name, (change, read) in SEES.items():
        main = PASS.replace("{change}", change).replace("{read}", read)
        yield f"sees: {name}", {"main.py": main, "values.py": "FACTOR = 1.0\n"}
    main = PASS.replace("change(i)\n        print", "with values.factor(i):\n            print").replace(
        "{change}", "pass"
    )
    yield "sees: patch", {"main.py": main.replace("{read}", "y * values.FACTOR"), "values.py": PATCHED}
    for read in ("sum(m.seen) * m.x", "jnp.ones(len(m))", "jnp.ones(int(str(m)))"):
        main = OF_CLASS.replace("{read}", read)
        yield f"sees: {read}", {"main.py": main, "util.py": "def change(cls):\n    cls.seen.append(1)\n"}
    yield "sees: class around a loop", {"main.py": IN_CLASS}
    b = "import a\n\n\ndef scaled(s: float, y: float) -> float:\n    return y * s\n"
    main = "import jax.numpy as jnp\nimport b\nimport a\n\nfor _ in range(2):\n    print(a.run(jnp.ones(())))\n"
    yield "circular", {"main.py": main, "a.py": CIRCULAR, "b.py": b}
    util = "def scaled(y):\n    return y\n\n\ndef change(i):\n    pass\n"
    yield "callable: logged", {"main.py": LOGGED, "log.py": LOG, "util.py": util}


UNSEEN = dict(_programs())
