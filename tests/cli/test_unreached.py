"""Code that never runs: what is wrong there is potential, and what only looks like it is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyped_static_cli.findings.unreached.blocks import Lines
from jaxtyped_static_cli.findings.unreached.code import code_of
from jaxtyped_static_cli.project.roots import is_of_project
from tests.cli.running import CONFIG, findings_of, run, write

# Beside the other tests of the command, not after them.
pytestmark = pytest.mark.xdist_group("programs")

STEP = """\
import jax


def step(y: jax.Array) -> jax.Array:
    return jax.jit(lambda x: x, static_argnames=["missing"])(y)
"""
# `jax.numpy` would be the real one, and mypy would read most of JAX for each program.
MAIN = "import jax\n\nimport models\n\nprint(jax.random.key(3))\n"
CALLING = "import jax\n\nfrom models import step\n\nprint(step(jax.random.key(3)))\n"
PACKAGED = f"{CONFIG}\n[build-system]\n[project]\nname = 'models'\n"
REGISTERING = "ALL = {}\n\n\ndef register(f):\n    ALL[f.__name__] = f\n    return f\n\n\n@register\ndef step"
METHOD = """\
import jax


class Model:
    def step(self, y: jax.Array) -> jax.Array:
        return jax.jit(lambda x: x, static_argnames=["missing"])(y)
"""


INNER = """\
import jax


def step(y: jax.Array) -> jax.Array:
    @jax.jit
    def halved(x: jax.Array) -> jax.Array:
        return jax.jit(lambda x: x, static_argnames=["missing"])(x)

    return y
"""


def harms(files: dict[str, str], project: Path, cache: str) -> list[str]:
    write(project, files)
    return [one["harm"] for one in findings_of(project, cache, "--potential", "--select=jit-argnames")]


NOBODY_CALLS = {
    "imported with its module": {"main.py": MAIN},
    "called by what nobody calls": {"main.py": f"{MAIN}\n\ndef unused(y):\n    return models.step(y)\n"},
    "called by what it calls": {
        "main.py": MAIN,
        "models.py": f"{STEP}\n\ndef other(y):\n    return again(step(y))\n\n\ndef again(y):\n    return other(y)\n",
    },
    "in a module that nothing imports": {"main.py": "print(1)\n"},
    "in a package of which a test names another function": {
        "models.py": "",
        "main.py": MAIN.replace("models", "app.models"),
        "app/models.py": f"{STEP}\n\ndef other(y):\n    return y\n",
        "test_other.py": "from app.models import other\n\nother(1)\n",
    },
    "named in prose": {"main.py": MAIN, "README.md": "Each step is fast.\n"},
    "named by a text that finds nothing": {"main.py": f"{MAIN}\nprint('step')\n"},
    "another object has such a method": {
        "main.py": f"{MAIN}\nprint(open('x').step(1))\n",
        "models.py": "",
        "a.py": STEP,
    },
    "of a class that nobody makes": {"main.py": MAIN, "models.py": METHOD},
    "in an application whose programs are benchmarks": {"benchmarks/run.py": MAIN},
    "in a module of tests, of which one names another function": {
        "main.py": "print(1)\n",
        "models.py": "",
        "tests/models.py": f"{STEP}\n\ndef other(y):\n    return y\n",
        "tests/test_models.py": "from models import other\n\nother(1)\n",
    },
    "of an object on which nobody calls it": {"main.py": f"{MAIN}\nprint(models.Model())\n", "models.py": METHOD},
}
SOMETHING_CALLS = {
    "a script": {"main.py": CALLING},
    "what a script calls": {"main.py": f"{MAIN}\n\ndef use(y):\n    return models.step(y)\n\n\nuse(1)\n"},
    "a script below a guard": {"main.py": CALLING.replace("print", 'if __name__ == "__main__":\n    print')},
    "a test": {"main.py": MAIN, "test_step.py": CALLING},
    "an example": {"main.py": MAIN, "examples/fit.py": CALLING},
    "a benchmark": {"benchmarks/run.py": CALLING},
    "a runner of benchmarks": {"main.py": "print(1)\n", "models.py": "", "benchmarks/models.py": STEP},
    "a runner of tests": {"main.py": "print(1)\n", "models.py": "", "tests/a.py": STEP.replace("step", "setup_module")},
    "its own module of tests": {
        "main.py": "print(1)\n",
        "models.py": "",
        "tests/a.py": f"{STEP}\n\ndef test_step() -> None:\n    step(1)\n",
    },
    "who gets it": {"main.py": f"{MAIN}\nprint(models.step)\n"},
    "what has its name": {"main.py": f"{MAIN}\nprint(getattr(models, 'step'))\n"},
    "a name that is made at run time": {"main.py": f"{MAIN}\nprint(getattr(models, input()))\n"},
    "such a name in its module": {"main.py": MAIN, "models.py": f"{STEP}\n\nprint(globals()[input()])\n"},
    "who imports all": {"main.py": MAIN, "models.py": f"{STEP}\n\n__all__ = ['step']\n"},
    "what registers it": {"main.py": MAIN, "models.py": STEP.replace("def step", REGISTERING)},
    "a path": {"main.py": f"{MAIN}\nprint(dict(entry_point='models:step'))\n"},
    "what a flag loads": {
        "main.py": "from ml_collections import config_flags\n\nconfig_flags.DEFINE_config_file('c')\n",
        "models.py": STEP.replace("def step(y: jax.Array)", "def get_config(y: jax.Array)"),
    },
    "settings": {"main.py": MAIN, "conf/train.yaml": "target: models.step\n"},
    "a notebook": {"main.py": MAIN, "run.ipynb": '{"cells": [{"source": ["models.step(y)"]}]}'},
    "who reads the README": {"main.py": MAIN, "README.md": "```python\nfrom models import step\n```\n"},
    "who starts it, where nothing does": {},
    "who starts it, where modules only set something up": {
        "main.py": "import jax\n\njax.config.update('jax_enable_x64', True)\n"
    },
    "JAX": {
        "main.py": f"{MAIN}\nprint(models.Model())\n",
        "models.py": METHOD.replace("class", "@jax.tree_util.register_pytree_node_class\nclass").replace(
            "step", "tree_unflatten"
        ),
    },
    "users": {"main.py": MAIN, "pyproject.toml": PACKAGED},
    "a method": {"main.py": f"{MAIN}\nprint(models.Model().step(1))\n", "models.py": METHOD},
    "an unseen base": {
        "main.py": f"{MAIN}\nprint(models.Model())\n",
        "models.py": f"import torch\n{METHOD}".replace("Model:", "Model(torch.nn.Module):"),
    },
    "a base": {
        "main.py": f"{MAIN}\nprint(models.Model().run())\n",
        "models.py": METHOD.replace(
            "class Model", "class Base:\n    def run(self):\n        return self.step(1)\n\n\nclass Model(Base)"
        ),
    },
}


@pytest.mark.parametrize("files", NOBODY_CALLS.values(), ids=NOBODY_CALLS)
def test_what_nothing_in_an_application_names_never_runs(files: dict[str, str], tmp_path: Path, cache: str) -> None:
    assert harms({"models.py": STEP, **files}, tmp_path, cache) == ["potential"]


@pytest.mark.parametrize("files", SOMETHING_CALLS.values(), ids=SOMETHING_CALLS)
def test_what_something_names_may_run(files: dict[str, str], tmp_path: Path, cache: str) -> None:
    assert harms({"models.py": STEP, **files}, tmp_path, cache) == ["raises"]


def test_what_lies_beside_a_script_need_not_belong_to_it(tmp_path: Path) -> None:
    assert not is_of_project(tmp_path)
    assert is_of_project(write(tmp_path, {}))


LEFT_BEHIND = [
    "legacy/models.py",
    "old/models.py",
    "oldTests/models.py",
    "archive/2022/models.py",
    "models_old.py",
    "models copy.py",
]


@pytest.mark.parametrize("path", LEFT_BEHIND)
def test_what_was_replaced_never_runs(path: str, tmp_path: Path, cache: str) -> None:
    assert harms({path: STEP, "pyproject.toml": PACKAGED}, tmp_path, cache) == ["potential"]


@pytest.mark.parametrize("path", ["archive.py", "golden/models.py", "fold_models.py", "threshold.py"])
def test_other_names_say_nothing(path: str, tmp_path: Path, cache: str) -> None:
    assert harms({path: STEP, "pyproject.toml": PACKAGED}, tmp_path, cache) == ["raises"]


BROKEN = "from .core.missing import run\n\n\n"
PKG = {"pkg/__init__.py": "", "pkg/core/__init__.py": "", "main.py": "from pkg.models import step\n\nprint(step(1))\n"}
CANNOT_BE_IMPORTED = {
    "relatively": {"pkg/models.py": BROKEN + STEP},
    "by its full name": {"pkg/models.py": f"import pkg.core.missing\n\n{STEP}"},
    "what it imports": {"pkg/models.py": f"from pkg.inner import x\n\n{STEP}", "pkg/inner.py": f"{BROKEN}x = 1\n"},
    "the package around it": {"pkg/models.py": STEP, "pkg/__init__.py": BROKEN},
    "a package that is missing": {"pkg/models.py": f"from .absent.core import run\n\n{STEP}"},
}
MAY_BE_IMPORTED = {
    "caught": {
        "pkg/models.py": f"try:\n    from .core.missing import run\nexcept ImportError:\n    run = None\n\n{STEP}"
    },
    "for checkers": {
        "pkg/models.py": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from .core.missing import run\n\n"
        + STEP
    },
    "when it is called": {
        "pkg/models.py": STEP.replace("    return", "    from .core.missing import run\n\n    return")
    },
    "written in C": {"pkg/models.py": BROKEN + STEP, "pkg/core/missing.pyx": ""},
    "compiled": {"pkg/models.py": BROKEN + STEP, "pkg/core/missing.cpython-311-x86_64-linux-gnu.so": ""},
    "ignored": {"pkg/models.py": BROKEN + STEP, ".gitignore": "pkg/core/miss*.py\n"},
    "built": {"pkg/models.py": BROKEN + STEP, "Makefile": "pkg/core/missing.py: gen\n\t./gen > $@\n"},
    "a version": {"pkg/models.py": f"from .core._version import run\n\n{STEP}"},
    "of another package": {"pkg/models.py": f"from other.missing import run\n\n{STEP}"},
    "in another folder": {"pkg/models.py": BROKEN + STEP, "build_tools/pkg/core/missing.py": "run = 1\n"},
    "on another path": {"pkg/models.py": BROKEN + STEP, "pkg/core/__init__.py": "__path__.append('elsewhere')\n"},
    "made at run time": {
        "pkg/models.py": BROKEN + STEP,
        "pkg/core/__init__.py": "import sys\n\nsys.modules['pkg.core.missing'] = sys\n",
    },
}


@pytest.mark.parametrize("files", CANNOT_BE_IMPORTED.values(), ids=CANNOT_BE_IMPORTED)
def test_a_module_that_imports_what_the_project_lacks(files: dict[str, str], tmp_path: Path, cache: str) -> None:
    assert harms({**PKG, **files}, tmp_path, cache) == ["potential"]
    said = run(tmp_path, "check", cache).out
    assert "cannot be imported: they import pkg." in said


@pytest.mark.parametrize("files", MAY_BE_IMPORTED.values(), ids=MAY_BE_IMPORTED)
def test_a_module_whose_imports_may_be_there(files: dict[str, str], tmp_path: Path, cache: str) -> None:
    assert harms({**PKG, **files}, tmp_path, cache) == ["raises"]
    assert "cannot be imported" not in run(tmp_path, "check", cache).out


AGAIN = "\n\ndef step(y: jax.Array) -> jax.Array:\n    return y\n"
REPLACED = {
    "by another function": STEP + AGAIN,
    "beside what nobody calls before": f"{STEP}\n\ndef run(y):\n    return step(y)\n{AGAIN}\n\nprint(run(1))\n",
    "in a class": f"{METHOD}\n    def step(self, y: jax.Array) -> jax.Array:\n        return y\n",
    "with its class": f"{METHOD}\n\nclass Model:\n    pass\n",
}
NOT_REPLACED = {
    "called before": f"{STEP}\n\nprint(step(1))\n{AGAIN}",
    "called by what is called before": f"{STEP}\n\ndef run(y):\n    return step(y)\n\n\nprint(run(1))\n{AGAIN}",
    "kept before": f"{STEP}\n\nfirst = step\n{AGAIN}",
    "decorated by it": STEP + AGAIN.replace("def step", "@step\ndef step"),
    "otherwise": f"import sys\n{STEP}".replace("\ndef step", "\nif sys.argv:\n  def step").replace(
        "    return", "      return"
    )
    + "else:\n  def step(y: jax.Array) -> jax.Array:\n    return y\n",
}


@pytest.mark.parametrize("text", REPLACED.values(), ids=REPLACED)
def test_what_another_definition_replaces(text: str, tmp_path: Path, cache: str) -> None:
    assert harms({"models.py": text, "pyproject.toml": PACKAGED}, tmp_path, cache) == ["potential"]


def test_a_decorator_may_keep_what_is_replaced(tmp_path: Path) -> None:
    def replaced(text: str) -> tuple[Lines, ...]:
        path = tmp_path / "models.py"
        path.write_text(text)
        code = code_of(path)
        assert code is not None
        return code.replaced

    decorated = STEP.replace("def step", "@jax.jit\ndef step") + AGAIN
    assert replaced(decorated) == (Lines(4, 6),)
    assert replaced(decorated.replace("jax.jit\n", "kept.by(jax)\n")) == ()
    assert replaced(STEP.replace("def step", REGISTERING) + AGAIN) == ()


@pytest.mark.parametrize("text", NOT_REPLACED.values(), ids=NOT_REPLACED)
def test_what_runs_before_another_definition_replaces_it(text: str, tmp_path: Path, cache: str) -> None:
    assert harms({"models.py": text, "pyproject.toml": PACKAGED}, tmp_path, cache) == ["raises"]


FLAG = f"FAST = False\n{STEP}".replace("    return", "    if FAST:\n        return") + "    return y\n"
SWITCHED_OFF = {
    "a block": {"models.py": FLAG},
    "the other branch": {
        "models.py": f"FAST = True\n{STEP}".replace(
            "    return", "    if FAST:\n        return y\n    else:\n        return"
        )
    },
    "a call of it": {
        "models.py": STEP,
        "main.py": "import models\n\nFAST = False\nprint(FAST)\nif FAST:\n    print(models.step(1))\n",
    },
}
NOT_SWITCHED_OFF = {
    "set elsewhere": {
        "models.py": FLAG,
        "main.py": CALLING.replace("print", "import models\n\nmodels.FAST = True\nprint"),
    },
    "set in its module": {"models.py": f"{FLAG}\n\ndef be_fast():\n    global FAST\n    FAST = True\n"},
    "set by its name": {"models.py": f"{FLAG}\n\nglobals().update(FAST=True)\n"},
    "set by users": {"models.py": FLAG, "pyproject.toml": PACKAGED},
    "the branch that is taken": {"models.py": FLAG.replace("if FAST", "if not FAST")},
}


@pytest.mark.parametrize("files", SWITCHED_OFF.values(), ids=SWITCHED_OFF)
def test_what_a_flag_leaves_out(files: dict[str, str], tmp_path: Path, cache: str) -> None:
    assert harms({"main.py": CALLING, **files}, tmp_path, cache) == ["potential"]


@pytest.mark.parametrize("files", NOT_SWITCHED_OFF.values(), ids=NOT_SWITCHED_OFF)
def test_what_a_flag_may_let_in(files: dict[str, str], tmp_path: Path, cache: str) -> None:
    assert harms({"main.py": CALLING, **files}, tmp_path, cache) == ["raises"]


@pytest.mark.parametrize(
    ("body", "harm"), [("raise NotImplementedError", "potential"), ("pass", "potential"), ("return y", "raises")]
)
def test_a_function_that_nobody_has_written(body: str, harm: str, tmp_path: Path, cache: str) -> None:
    head = 'from functools import partial\n\nimport jax\n\n\n@partial(jax.jit, static_argnames=["n"])\n'
    text = f"{head}def step(y: jax.Array) -> jax.Array:\n    {body}\n"
    assert harms({"models.py": text, "main.py": CALLING}, tmp_path, cache) == [harm]


SOLVER = """\
from functools import partial

import jax
import jax.numpy as jnp


class Solver:
    def __init__(self, n: int) -> None:
        self.n = n


@partial(jax.jit, static_argnames="solver")
def step(x: jax.Array, solver: Solver) -> jax.Array:
    return x * solver.n


def run(x: jax.Array, solver: Solver) -> jax.Array:
    return step(x, solver)
"""
FITTING = """\
import jax.numpy as jnp

from models import Solver, run


class Trainer:
    def __init__(self) -> None:
        self.solver = Solver(2)

    def fit(self) -> None:
        print(run(jnp.ones(3), self.solver))

    def refine(self, n: int) -> None:
        self.solver.n = n


trainer = Trainer()
trainer.fit()
"""


@pytest.mark.parametrize(
    ("calling", "harm"), [("", ["potential"]), ("trainer.refine(3)\ntrainer.fit()\n", ["wrong"])], ids=["dead", "run"]
)
def test_a_change_that_never_runs_is_no_evidence(calling: str, harm: list[str], tmp_path: Path, cache: str) -> None:
    again = "import main\n\nmain.trainer.fit()\nprint(1)\n"  # two programs, of which no order is known
    write(tmp_path, {"models.py": SOLVER, "main.py": FITTING + calling, "again.py": again})
    assert [one["harm"] for one in findings_of(tmp_path, cache, "--potential", "--select=static-mutable")] == harm


def test_a_function_of_another_one_runs_if_that_names_it(tmp_path: Path, cache: str) -> None:
    named = INNER.replace("return y\n", "return halved(y)\n")
    asked = INNER.replace("return y\n", "return locals()['halved'](y)\n")
    kept = INNER.replace("    @jax.jit\n", "    @jax.tree_util.register_pytree_node_class\n")
    assert harms({"models.py": INNER, "main.py": CALLING}, tmp_path / "unnamed", cache) == ["potential"]
    for number, text in enumerate((named, asked, kept)):
        assert harms({"models.py": text, "main.py": CALLING}, tmp_path / str(number), cache) == ["raises"]


INSTALLED = {"pyproject.toml": PACKAGED, "models/__init__.py": "", "models/steps.py": STEP}
KEPT = f"{STEP}\n\ndef _other(y):\n    return _step(y)\n".replace("def step", "def _step")
NOBODY_USES = {
    "imported and not used": {"models/model.py": "from .steps import step\n"},
    "imported by a test": {"tests/test_model.py": "from models.steps import step\n"},
    "private": {"models/steps.py": STEP.replace("def step", "def _step")},
    "a private class": {"models/steps.py": METHOD.replace("class Model", "class _Model")},
    "beside a module that offers its list": {
        "models/__init__.py": "import importlib\nm = importlib.import_module('models.model')\n"
        "globals().update({k: getattr(m, k) for k in m.__all__})\n",
        "models/model.py": "from .steps import step\n",
    },
}
SOMEBODY_USES = {
    "nothing imports it": {},
    "the package offers it": {"models/__init__.py": "from .steps import step\n"},
    "a module that uses it": {"models/model.py": "from .steps import step\nprint(step)\n"},
    "a test uses it": {
        "models/model.py": "from .steps import step\n",
        "tests/test_model.py": "import models\nmodels.steps.step(1)\n",
    },
    "a page shows it": {"models/model.py": "from .steps import step\n", "docs/use.md": "Call `models.steps.step`.\n"},
    "a list names it": {"models/model.py": "from .steps import step\n__all__ = ['step']\n"},
    "under another name": {"models/model.py": "from .steps import step as run\nprint(run)\n"},
    "another private one uses it": {"models/steps.py": KEPT},
    "kept": {"models/steps.py": STEP.replace("def step", REGISTERING).replace("step", "_step")},
    "found by its name": {
        "models/model.py": "from . import steps\nfrom .steps import step\n\n\ndef get(name):\n"
        "    return getattr(steps, name)\n",
    },
}


def installed(files: dict[str, str]) -> dict[str, str]:
    """The files of a package, with names that no other program has."""
    found = {**INSTALLED, **files}
    return {path.replace("step", "half_step"): text.replace("step", "half_step") for path, text in found.items()}


@pytest.mark.parametrize("files", NOBODY_USES.values(), ids=list(NOBODY_USES))
def test_what_a_package_has_for_itself_and_does_not_use(files: dict[str, str], tmp_path: Path, cache: str) -> None:
    assert harms(installed(files), tmp_path, cache) == ["potential"]


@pytest.mark.parametrize("files", SOMEBODY_USES.values(), ids=list(SOMEBODY_USES))
def test_what_a_package_or_its_users_may_use(files: dict[str, str], tmp_path: Path, cache: str) -> None:
    assert harms(installed(files), tmp_path, cache) == ["raises"]


KEPT_BESIDE = {
    "a part of it": ({}, "potential"),
    "a file beside it imports it": ({"experiments/a bug/run.py": "from models.steps import step\nstep(1)\n"}, "raises"),
    "another function": ({"experiments/a bug/steps.py": STEP.replace("step", "stepped")}, "raises"),
    "a script": ({"experiments/a bug/steps.py": f"{STEP}\n\nprint(step(1))\n"}, "raises"),
}


@pytest.mark.parametrize(("files", "harm"), KEPT_BESIDE.values(), ids=list(KEPT_BESIDE))
def test_a_copy_of_a_module_of_the_package(files: dict[str, str], harm: str, tmp_path: Path, cache: str) -> None:
    whole = f"{STEP}\n\ndef other():\n    pass\n".replace('["missing"]', "[]")
    project = {**INSTALLED, "models/steps.py": whole, "experiments/a bug/steps.py": STEP, **files}
    assert harms(project, tmp_path, cache) == [harm]
