"""A call of a method by its name, of an object that nothing shows: which classes it may mean, and which is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

AGENT = """\
import jax


class Agent:
    def __init__(self, discount):
        self.discount = discount

    def learn_from(self, xs):
        return jax.jit(lambda x: x * self.discount)(xs)
"""
LOOPS = "def run(agent, xs):\n    for x in xs:\n        agent.learn_from(x)\n"
RUNS = "from {agent} import Agent\nfrom {loop} import run\n\nrun(Agent(0.9), [1.0])\n"
TRAINER = """\
class Trainer:
    def __init__(self, agent):
        self.agent = agent

    def train(self, xs):
        for x in xs:
            self.agent.learn_from(x)
"""
OF_ANOTHER = """\
class Other:
    def learn_from(self, x):
        return x


class Trainer:
    def __init__(self):
        self.agent = Other()

    def train(self, xs):
        for x in xs:
            self.agent.learn_from(x)
"""
FAR = {"extras/lib/acme/__init__.py": "", "extras/lib/acme/loop.py": LOOPS}
IN_APP = {"app/__init__.py": "", "app/agent.py": AGENT}
RUN_IN_APP = {"main.py": RUNS.format(agent="app.agent", loop="loop")}


def cited(project: Path) -> list[str]:
    """The places that show that what compiles runs again and again."""
    findings = findings_of(project, "--select=jit-retrace")
    return [f"{shown['path']}:{shown['line']}" for found in findings for shown in found["evidence"] if shown["path"]]


SHOWN = {
    "the module of the class": {"agent.py": AGENT + "\n\n" + LOOPS},
    "it imports the class": {"agent.py": AGENT, "loop.py": "from agent import Agent\n\n\n" + LOOPS},
    "who imports both": {"agent.py": AGENT, "loop.py": LOOPS, "main.py": RUNS.format(agent="agent", loop="loop")},
    "of the same package": {**IN_APP, "app/loop.py": LOOPS},
    "of a package around": {**IN_APP, "app/runs/__init__.py": "", "app/runs/loop.py": LOOPS},
    "what an attribute holds": {**IN_APP, "app/trainer.py": TRAINER},
    "a library that it imports": {**FAR, **IN_APP, "main.py": "import app.agent\nimport extras.lib.acme.loop\n"},
}


@pytest.mark.parametrize("files", SHOWN.values(), ids=SHOWN)
def test_code_that_may_have_such_objects(files: dict[str, str], tmp_path: Path) -> None:
    assert len(cited(write(tmp_path, files))) == 1


HIDDEN = {
    "nobody imports both": {**FAR, **IN_APP},
    "a copy of another project": {
        **IN_APP,
        "app/third_party/__init__.py": "",
        "app/third_party/loop.py": LOOPS,
    },
    "an attribute holds another": {**IN_APP, "app/trainer.py": OF_ANOTHER},
}


@pytest.mark.parametrize("files", HIDDEN.values(), ids=HIDDEN)
def test_code_that_has_other_objects(files: dict[str, str], tmp_path: Path) -> None:
    assert cited(write(tmp_path, files)) == []


def test_the_nearest_is_shown(tmp_path: Path) -> None:
    far = {**FAR, **IN_APP, "main.py": "import app.agent\nimport extras.lib.acme.loop\n"}
    assert cited(write(tmp_path, {**far, "app/loop.py": LOOPS})) == ["app/loop.py:3"]
