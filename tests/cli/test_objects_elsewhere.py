"""Which class an object has that another module makes, whose methods a loop runs outside of jit."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyped_static_cli.findings.program import ProgramUses

pytestmark = pytest.mark.xdist_group("light")

# What each class does in `filter` compiles, but for `Plain`.
MODELS = """\
from abc import ABC, abstractmethod

class Base(ABC):
    @abstractmethod
    def filter(self, xs): ...
    def total(self, xs): return self.filter(xs)

class Kalman(Base):
    def filter(self, xs): ...

class Markov(Base):
    def filter(self, xs): return self._run(xs)
    def _run(self, xs): ...

class Wide(Kalman):
    def other(self): ...

class Plain(Base):
    def filter(self, xs): ...

class Narrow(Kalman):
    def filter(self, xs): ...

class Picture:
    def show(self): ...

def run(model, xs): return model.filter(xs)

class Trainer:
    def __init__(self, model, rate=1): self.model = model
    def train(self, xs):
        for x in xs: self.model.filter(x)
"""
COMPILING = frozenset({"models.Kalman.filter", "models.Markov._run"})
LOOP = "for x in xs: model.filter(x)"
MADE = f"from making import make\nmodel = make(NAME)\n{LOOP}"


def _of(*made: str) -> str:
    """A factory that makes one of several."""
    arms = "".join(f"    if name == {index}: return {one}\n" for index, one in enumerate(made))
    return f"from models import *\ndef make(name):\n{arms}"


# What makes an object, and what uses it.
SHOWN = {
    "a class": ("", f"from models import Kalman\nmodel = Kalman()\n{LOOP}"),
    "a factory": (_of("Kalman()"), MADE),
    "a factory of several that share the method": (_of("Kalman()", "Wide()"), MADE),
    "a factory of several that all compile": (_of("Kalman()", "Markov()"), MADE),
    "a factory that raises for others": (_of("Kalman()") + "    raise ValueError(name)", MADE),
    "a factory that makes nothing for others": (_of("Kalman()") + "    return None", MADE),
    "what has no such method": (_of("Kalman()", "Picture()"), MADE),
    "a variable of several": (
        "from models import *\ndef make(name):\n    if name: model = Kalman()\n    else: model = Wide()\n"
        "    return model",
        MADE,
    ),
    "a variable that is a class": (
        "from models import *\ndef make(name):\n    if name: cls = Kalman\n    else: cls = Wide\n    return cls()",
        MADE,
    ),
    "a table": ("from models import *\nTABLE = {'k': Kalman, 'w': Wide}\ndef make(name): return TABLE[name]()", MADE),
    "a table of which one is got": (
        "from models import *\nTABLE = {'k': Kalman}\ndef make(name):\n    cls = TABLE.get(name, Wide)\n"
        "    return cls()",
        MADE,
    ),
    "a table of a function": (
        "from models import *\ndef make(name):\n    table = {'k': Kalman, 'w': Wide}\n    return table[name](1)",
        MADE,
    ),
    "the table of another module": (
        "from models import *\nTABLE = {'k': Kalman, 'w': Wide}",
        f"from making import TABLE\nmodel = TABLE[NAME](1)\n{LOOP}",
    ),
    "one of what a factory returns": (
        "from models import *\ndef make(name): return Kalman(), name",
        f"from making import make\nmodel, name = make(NAME)\n{LOOP}",
    ),
    "a factory that says what it makes": (
        "from models import *\ndef make(name) -> Base: return Kalman()",
        MADE,
    ),
    "a factory that keeps what it makes": (
        "from functools import cache\nfrom models import *\n@cache\ndef make(name): return Kalman()",
        MADE,
    ),
    "a choice": ("", f"from models import *\nmodel = Kalman() if NAME else Wide()\n{LOOP}"),
    "a list": ("", "from models import *\nmodels = [Kalman(), Wide()]\nfor model in models:\n    " + LOOP),
    "what an object is given": ("", "from models import Kalman, Trainer\nTrainer(Kalman()).train(xs)"),
    "what an object is given by name": ("", "from models import *\nTrainer(rate=2, model=Kalman()).train(xs)"),
    "what an object is given as a part of a dict": (
        "",
        "from models import *\noptions = dict(model=Kalman(), rate=2)\nTrainer(**options).train(xs)",
    ),
    "what an object makes": (
        _of("Kalman()"),
        "from making import make\nclass App:\n    def __init__(self, name): self.model = make(name)\n"
        "    def run(self, xs):\n        for x in xs: self.model.filter(x)\nApp(NAME).run(xs)",
    ),
    "what a function is given": ("", "from models import *\nmodel = Kalman()\nfor x in xs: run(model, x)"),
    "what a function is given, further out": (
        "",
        "from models import *\ndef main(model):\n    for x in xs: run(model, x)\nmain(Kalman())",
    ),
    "what an object is given, and hands on": (
        "",
        "from models import *\nclass App:\n    def __init__(self, model): self.model = model\n"
        "    def go(self, xs):\n        for x in xs: run(self.model, x)\nApp(Kalman()).go(xs)",
    ),
    "a base of which the program makes one class": (
        "",
        "from models import *\ndef main(model: Base):\n    for x in xs: model.filter(x)\nmain(Kalman())",
    ),
}
HIDDEN = {
    "a factory of several of which one does not compile": (_of("Kalman()", "Plain()"), MADE),
    "a factory of several of which one replaces it": (_of("Kalman()", "Narrow()"), MADE),
    "a factory of several of which one is unknown": (_of("Kalman()", "Other()"), MADE),
    "a factory that a decorator changes": ("from models import *\n@other\ndef make(name): return Kalman()", MADE),
    "a factory that yields": ("from models import *\ndef make(name): yield Kalman()", MADE),
    "one call": (_of("Kalman()"), "from making import make\nmodel = make(NAME)\nmodel.filter(x)"),
    "a trace": (
        _of("Kalman()"),
        "import jax\nfrom making import make\n@jax.jit\ndef go(x):\n    model = make(NAME)\n"
        "    for x in xs: model.filter(x)\ngo(1)",
    ),
    "a test": (
        _of("Kalman()"),
        "from making import make\ndef test_all():\n    model = make(NAME)\n    for x in xs: model.filter(x)",
    ),
    "objects that are given different ones": (
        "",
        "from models import *\nTrainer(Kalman())\nTrainer(Plain()).train(xs)",
    ),
    "objects of which one is given something unknown": (
        "",
        "from models import *\nTrainer(Kalman())\nTrainer(other()).train(xs)",
    ),
    "an attribute that changes": (
        "",
        "from models import *\nclass App(Trainer):\n    def __init__(self, model):\n        self.model = model\n"
        "        self.model = other(model)\n    def go(self, xs):\n        for x in xs: self.model.filter(x)\n"
        "App(Kalman()).go(xs)",
    ),
    "a function that is given different ones": (
        "",
        "from models import *\nrun(Kalman(), xs)\nfor x in xs: run(Plain(), x)",
    ),
    "a base of which the program makes several": (
        "",
        "from models import *\nALL = [Kalman(), Plain()]\ndef main(model: Base):\n    for x in xs: model.filter(x)\n"
        "main(ALL[NAME])",
    ),
    "a base of which it makes none": (
        "",
        "from models import *\ndef main(model: Base):\n    for x in xs: model.filter(x)\nmain(OTHER)",
    ),
    "what a function is given that is compiled": (
        "",
        "import jax\nfrom models import *\nfast = jax.jit(run)\nfor x in xs: fast(Kalman(), x)",
    ),
}


def is_eager_again(making: str, use: str, folder: Path) -> bool:
    files = {"models": MODELS, "making": making, "use": use}
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    program = ProgramUses({name: folder / f"{name}.py" for name in files}, folder, compiling=COMPILING)
    running = program.runs.eager("models.Kalman.filter")
    return running is not None and running.is_again


@pytest.mark.parametrize(("making", "use"), SHOWN.values(), ids=SHOWN)
def test_a_method_of_an_object_whose_class_is_shown(making: str, use: str, tmp_path: Path) -> None:
    assert is_eager_again(making, use, tmp_path)


@pytest.mark.parametrize(("making", "use"), HIDDEN.values(), ids=HIDDEN)
def test_a_method_of_an_object_that_may_be_of_another_class(making: str, use: str, tmp_path: Path) -> None:
    assert not is_eager_again(making, use, tmp_path)
