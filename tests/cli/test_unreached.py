"""Code that never runs: what is wrong there is potential, and the look-alikes are shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run, write

pytestmark = pytest.mark.xdist_group("light")

STEP = """\
import jax


def step(y: jax.Array) -> jax.Array:
    return jax.jit(lambda x: x, static_argnames=["missing"])(y)
"""
MAIN = "import jax.numpy as jnp\n\nimport models\n\nprint(jnp.ones(3))\n"
CALLING = "import jax.numpy as jnp\n\nfrom models import step\n\nprint(step(jnp.ones(3)))\n"
PACKAGED = "[build-system]\n[project]\nname = 'models'\n"
REGISTERING = "ALL = {}\n\n\ndef register(f):\n    ALL[f.__name__] = f\n    return f\n\n\n@register\ndef step"
METHOD = """\
import jax


class Model:
    def step(self, y: jax.Array) -> jax.Array:
        return jax.jit(lambda x: x, static_argnames=["missing"])(y)
"""


def harms(files: dict[str, str], project: Path, cache: str) -> list[str]:
    write(project, files)
    said = run(project, "check", cache, "--format=json", "--potential", "--select=jit-argnames")
    return [one["harm"] for one in json.loads(said.out)["findings"]]


NOBODY_CALLS = {
    "imported with its module": {"main.py": MAIN},
    "called by what nobody calls": {"main.py": f"{MAIN}\n\ndef unused(y):\n    return models.step(y)\n"},
    "called by what it calls": {
        "main.py": MAIN,
        "models.py": f"{STEP}\n\ndef other(y):\n    return again(step(y))\n\n\ndef again(y):\n    return other(y)\n",
    },
    "in a module that nothing imports": {"main.py": "print(1)\n"},
    "named in prose": {"main.py": MAIN, "README.md": "Each step is fast.\n"},
    "named by a text that finds nothing": {"main.py": f"{MAIN}\nprint('step')\n"},
    "another object has such a method": {"main.py": f"{MAIN}\nprint(open('x').step(1))\n", "models.py": "", "a.py": STEP},
    "of a class that nobody makes": {"main.py": MAIN, "models.py": METHOD},
    "of an object on which nobody calls it": {"main.py": f"{MAIN}\nprint(models.Model())\n", "models.py": METHOD},
}
SOMETHING_CALLS = {
    "a script": {"main.py": CALLING},
    "what a script calls": {"main.py": f"{MAIN}\n\ndef use(y):\n    return models.step(y)\n\n\nuse(1)\n"},
    "a script below a guard": {"main.py": CALLING.replace("print", 'if __name__ == "__main__":\n    print')},
    "a test": {"main.py": MAIN, "test_step.py": CALLING},
    "an example": {"main.py": MAIN, "examples/fit.py": CALLING},
    "who gets it": {"main.py": f"{MAIN}\nprint(models.step)\n"},
    "what has its name": {"main.py": f"{MAIN}\nprint(getattr(models, 'step'))\n"},
    "a name that is made at run time": {"main.py": f"{MAIN}\nprint(getattr(models, input()))\n"},
    "such a name in its module": {"main.py": MAIN, "models.py": f"{STEP}\n\nprint(globals()[input()])\n"},
    "who imports all": {"main.py": MAIN, "models.py": f"{STEP}\n\n__all__ = ['step']\n"},
    "what registers it": {"main.py": MAIN, "models.py": STEP.replace("def step", REGISTERING)},
    "a path": {"main.py": f"{MAIN}\nprint(dict(entry_point='models:step'))\n"},
    "settings": {"main.py": MAIN, "conf/train.yaml": "target: models.step\n"},
    "a notebook": {"main.py": MAIN, "run.ipynb": '{"cells": [{"source": ["models.step(y)"]}]}'},
    "who reads the README": {"main.py": MAIN, "README.md": "```python\nfrom models import step\n```\n"},
    "who starts it, where nothing does": {},
    "users": {"main.py": MAIN, "pyproject.toml": PACKAGED},
    "a method": {"main.py": f"{MAIN}\nprint(models.Model().step(1))\n", "models.py": METHOD},
    "an unseen base": {
        "main.py": f"{MAIN}\nprint(models.Model())\n",
        "models.py": f"import torch\n{METHOD}".replace("Model:", "Model(torch.nn.Module):"),
    },
    "a base": {
        "main.py": f"{MAIN}\nprint(models.Model().run())\n",
        "models.py": METHOD.replace("class Model", "class Base:\n    def run(self):\n        return self.step(1)\n\n\nclass Model(Base)"),
    },
}


@pytest.mark.parametrize("files", NOBODY_CALLS.values(), ids=NOBODY_CALLS)
def test_what_nothing_in_an_application_names_never_runs(files: dict[str, str], tmp_path: Path, cache: str) -> None:
    assert harms({"models.py": STEP, **files}, tmp_path, cache) == ["potential"]


@pytest.mark.parametrize("files", SOMETHING_CALLS.values(), ids=SOMETHING_CALLS)
def test_what_something_names_may_run(files: dict[str, str], tmp_path: Path, cache: str) -> None:
    assert harms({"models.py": STEP, **files}, tmp_path, cache) == ["raises"]
