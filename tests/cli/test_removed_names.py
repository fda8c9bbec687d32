"""Names that the installed JAX no longer has: mypy's errors about them are findings of the rule `jax-removed`."""

from __future__ import annotations

import importlib
import json
import re
import shutil
import warnings
from pathlib import Path
from typing import Any, Final

import jax
import pytest

from jaxtyped_static_cli.mypy_runs.removed.installed import Installed
from jaxtyped_static_cli.project.pythons import pythons
from jaxtyped_static_cli.project.requirements import asks_for_another
from jaxtyped_static_mypy.knowledge.removed_names import MODULES, REMOVED, removed
from jaxtyped_static_mypy.knowledge.removed_releases import LAST, times_of
from tests.cli.running import findings_of, run, write

pytestmark = pytest.mark.xdist_group("light")

FOUND: Final = """\
import jax
import jax.experimental.maps
import jax.numpy as jnp
from jax import (
    tree_util as jtu,
    linear_util as lu,
)
from jax.config import config


def scaled(params, key: jax.random.KeyArray, text: "jax.random.PRNGKeyArray"):
    from jax import numpy as np
    from jax.interpreters import xla

    assert isinstance(key, xla.DeviceArray)
    jax.config.config.update("jax_enable_x64", True)
    return jtu.tree_multimap(lambda x: 2 * x, params), np.product(key), lu.wrap_init


class State:
    keys: "list[jax.random.PRNGKeyArray]"
    data: dict[str, jnp.DeviceArray]

    def cleared(self):
        ä = ("ü", jax.tree_map(jnp.zeros_like, jax.lib.xla_bridge.get_backend()))
        return ä, jax.tree_maps


config.update("jax_debug_nans", True)
"""
MORE: Final = """\
import numpy, jax
from jax import tree_map
from jax.numpy import product, prod

total = numpy.product
jax.device_put_replicated(total, jax.devices())


class Net:
    def total(self):
        if not hasattr(self, "rng"):
            return jax.numpy.cumproduct(total)
"""
FINDINGS: Final = """\
main.py:2:1 jax.experimental.maps ModuleNotFoundError
main.py:6:5 jax.linear_util ImportError
main.py:8:1 jax.config ModuleNotFoundError
main.py:11:25 jax.random.KeyArray AttributeError
main.py:15:28 jax.interpreters.xla.DeviceArray AttributeError
main.py:16:5 jax.config.config AttributeError
main.py:17:12 jax.tree_util.tree_multimap AttributeError
main.py:17:56 jax.numpy.product AttributeError; more.py:3:23
main.py:22:21 jax.numpy.DeviceArray AttributeError
main.py:25:19 jax.tree_map AttributeError; more.py:2:17
main.py:25:48 jax.lib.xla_bridge AttributeError
more.py:6:1 jax.device_put_replicated AttributeError
more.py:12:20 jax.numpy.cumproduct AttributeError
""".splitlines()
GUARDED: Final = """\
from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import pytest

try:
    from jax.config import config
    from jax import tree_map
except ImportError:
    from jax import config
try:
    tree_leaves = jax.tree.leaves
except (AttributeError, TypeError):
    tree_leaves = jax.tree_leaves
if TYPE_CHECKING:
    from jax.random import KeyArray
if jax.__version__ < "0.4.1":
    import jax.linear_util

_HAS_TREE = hasattr(jax, "tree")
_SHARDED = "device_put_sharded" in dir(jax)
flatten = jax.tree.flatten if _HAS_TREE else jax.tree_flatten
put = jax.device_put_sharded if _SHARDED else jax.device_put
with contextlib.suppress(AttributeError):
    jnp.product
from jax.experimental import stax  # type: ignore[jax-removed]
import jax.experimental.optimizers  # type: ignore


def lazily(key: jax.random.KeyArray) -> None:
    x: jax.random.KeyArray = key
    if hasattr(jax.numpy, "trapezoid"):
        return jnp.trapezoid(x)
    return jnp.trapz(x)


@pytest.mark.skipif(jax.__version__ > "0.4", reason="it is gone")
def test_of_old_names():
    assert jnp.cumproduct(jnp.ones(2))


def not_jax(x, jnp):
    import numpy as np

    return np.product(x), jnp.product(x), x.tree_map, jax.treemap
"""
GIVING: Final = """\
import jax

jax.tree_transpose = jax.tree_util.tree_transpose
setattr(jax, "tree_structure", jax.tree_util.tree_structure)
"""
GIVEN: Final = "import jax\n\njax.tree_transpose, jax.tree_structure\n"
SCRIPT: Final = "import jax\n\nsplit = jax.random.shuffle\n"
EARLIER: Final = "import jax\n\n\ndef f(tree):\n    return jax.tree_unflatten(tree)\n"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory, cache_with_jax: str) -> list[dict[str, Any]]:
    files = {
        "pyproject.toml": "",
        "main.py": FOUND,
        "more.py": MORE,
        "guarded.py": GUARDED,
        "giving.py": GIVING,
        "given.py": GIVEN,
        "earlier/__init__.py": "",
        "earlier/model.py": EARLIER,
        "a/helper.py": SCRIPT,
        "a/train.py": "import helper\n",
        "b/helper.py": SCRIPT,
        "b/train.py": "import helper\n",
        "earlier/requirements.txt": "numpy\njax[cpu]>=0.2,<0.5  # works\n",
    }
    project = write(tmp_path_factory.mktemp("project"), files)
    return findings_of(project, cache_with_jax, "--potential", "--select=jax-removed")


def test_each_name_is_one_finding_at_its_first_use(found: list[dict[str, Any]]) -> None:
    lines = []
    for one in found:
        if one["path"] in ("main.py", "more.py"):
            error = one["problem"].rpartition(" ")[2]
            elsewhere = [
                f"; {at['path']}:{at['line']}:{at['column']}" for at in one["positions"] if at["path"] != "main.py"
            ]
            lines.append(f"{one['path']}:{one['line']}:{one['column']} {one['subject']} {error}{''.join(elsewhere)}")
    assert lines == FINDINGS
    assert {one["harm"] for one in found if one["path"] == "main.py"} == {"raises"}


def test_it_says_what_happens_and_what_to_write(found: list[dict[str, Any]]) -> None:
    said = {one["subject"]: (one["problem"], one["advice"]) for one in found}
    gone = f"is gone from JAX {jax.__version__}: this raises"
    assert said["jax.tree_map"] == (f'"jax.tree_map" {gone} AttributeError', "write jax.tree.map")
    assert said["jax.config"] == (f'The module "jax.config" {gone} ModuleNotFoundError', "write from jax import config")


def test_scripts_of_one_name_use_the_same_jax(found: list[dict[str, Any]]) -> None:
    shown = [one for one in found if one["subject"] == "jax.random.shuffle"]
    assert [[place["path"] for place in one["positions"]] for one in shown] == [["a/helper.py", "b/helper.py"]]


def test_code_for_several_releases_is_silent(found: list[dict[str, Any]]) -> None:
    assert not [one for one in found if one["path"] in ("guarded.py", "giving.py", "given.py")]


def test_what_asks_for_an_earlier_release_has_another_environment(found: list[dict[str, Any]]) -> None:
    shown = [(one["subject"], one["harm"], one["notes"]) for one in found if one["path"] == "earlier/model.py"]
    assert shown == [("jax.tree_unflatten", "potential", ["earlier/requirements.txt asks for jax>=0.2,<0.5"])]


def test_mypy_itself_is_asked_no_more_about_them(tmp_path: Path, cache_with_jax: str) -> None:
    project = write(tmp_path, {"pyproject.toml": "", "main.py": EARLIER})
    said = json.loads(run(project, "check", cache_with_jax, "--format=json", "--all").out)
    assert [one["code"] for one in said["findings"]] == ["jax-removed"] and not said["others"]
    write(tmp_path, {"pyproject.toml": '[tool.mypy]\ndisable_error_code = ["jax-removed"]\n'})
    # mypy reads all of JAX again with this setting, and would do so in the next test, too.
    another = shutil.copytree(cache_with_jax.removeprefix("--cache-dir="), tmp_path / "cache")
    said = json.loads(run(project, "check", f"--cache-dir={another}", "--format=json", "--all").out)
    assert not said["findings"] and [one["code"] for one in said["others"]] == ["attr-defined"]


@pytest.mark.parametrize(
    ("file", "text", "asked"),
    [
        ("requirements-gpu.txt", "jax==0.4.13\n", "jax==0.4.13"),
        ("requirements/base.txt", "jaxlib<=0.4.30\n", "jaxlib<=0.4.30"),
        ("setup.py", 'setup(install_requires=["jax>=0.3", "jaxlib~=0.4.1"])\n', "jaxlib~=0.4.1"),
        ("pyproject.toml", '[tool.poetry.dependencies]\njax = "^0.4.1"\n', "jax^0.4.1"),
        ("pyproject.toml", '[tool.poetry.dependencies]\njax = {version = "0.4.1", extras = ["cpu"]}\n', None),
        ("pyproject.toml", '[project]\ndependencies = ["jax[cuda12]<0.6"]\n', "jax<0.6"),
        ("environment.yml", "dependencies:\n  - jax=0.4.13=py39\n", "jax=0.4.13"),
        ("uv.lock", '[[package]]\nname = "jax"\nversion = "0.4.20"\n', "jax==0.4.20"),
        ("requirements.txt", "jax>=0.4.13\nflax==0.5\njax-md==0.2\njaxopt<0.5\n# jax==0.3\n", None),
        ("requirements.txt", "jax==0.10.2\njaxlib<1\njax~=0.10.0\njax==0.10.*\n", None),
        ("requirements.txt", 'jax==0.2.17;python_version=="3.6"\njax>=0.3;python_version>"3.6"\n', None),
        ("requirements.txt", 'jax==0.4.38 ; (python_version < "3.11")\n', None),
        ("requirements.txt", 'jax==0.4.38 ; python_version <= "3.11"\n', "jax==0.4.38"),
        ("setup.py", "install_requires=[\"jax<0.5; python_version>='3.9'\"]\n", "jax<0.5"),
        ("environment.yaml", "dependencies:\n  - pip:\n    - jax==0.4.25\n", "jax==0.4.25"),
        ("deps/requirements.txt", "jaxlib==0.4.25\n", "jaxlib==0.4.25"),
        ("docker/requirements-gpu.txt", "jax[cuda12]==0.4.25\n", "jax==0.4.25"),
        ("docker/Dockerfile", 'RUN pip install -U "jax[cuda12]==0.4.25"\n', "jax==0.4.25"),
        ("deps/requirements.txt", "jax>=0.4.20\n", None),
        ("deps/notes.txt", "jax==0.4.20\n", None),
        ("experiments/requirements.txt", "jax==0.4.20\n", None),
        ("setup_vm.sh", 'pip install "jax[tpu]==0.4.6" -f https://x/libtpu_releases.html\n', "jax==0.4.6"),
        (".github/workflows/test.yml", 'run: |\n  pip install "jax[cpu]==0.4.6"\n', "jax==0.4.6"),
        (".github/workflows/test.yml", "- run: pip install jax==0.4.6\n- run: pip install jax\n", None),
        (".github/workflows/test.yml", "- run: pip install jax==0.4.6\n- run: pip install jax==0.10.2\n", None),
        (
            "shell.nix",
            'import (fetchTarball "https://x.org/NixOS/nixpkgs/archive/556ce9a40ab1e33738e6c9eac65f965a8be3b623.tar.gz")\n'
            "buildInputs = [ pkgs.python3Packages.jax ];\n",
            "the jax of nixpkgs 556ce9a40ab1",
        ),
        (
            "flake.nix",
            'inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-22.05";\n(ps: with ps; [ jax flax ])\n',
            "the jax of nixpkgs nixos-22.05",
        ),
        ("flake.nix", 'inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";\n(ps: [ ps.jax ])\n', None),
        ("shell.nix", "import <nixpkgs> {};\n[ python3Packages.jax ]\n", None),
        ("flake.nix", 'inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-22.05";\n[ pkgs.uv pkgs.jaxtools ]\n', None),
        ("README.md", "```bash\npip install --upgrade jax[cuda11_local]==0.4.10 --find-links x\n```\n", "jax==0.4.10"),
        ("README.md", "[![jax](https://img.shields.io/badge/JAX-v0.4.13-blue.svg)](https://x.org)\n", "jax==0.4.13"),
        ("README.md", "[![jax](https://img.shields.io/badge/JAX-%3E%3D0.4.13-blue.svg)](https://x.org)\n", None),
        ("demo.ipynb", '"!pip install -q \\"jax[cpu]==0.3.25\\"\\n",\n', "jax==0.3.25"),
        ("notebooks/demo.ipynb", '"!pip install jaxlib==0.3.25\\n", "x = 1"\n', "jaxlib==0.3.25"),
        ("notebooks/demo.ipynb", '"!pip install jax==0.3.25\\n", "!pip install jax\\n"\n', None),
        ("demo.ipynb", '"jax==0.3.25 is too old\\n", "!pip install numpy"\n', None),
        ("README.rst", "At time of publishing we used JAX 0.4.13 with python 3.10.\n", "jax==0.4.13"),
        ("readme.txt", "Tested with `jaxlib` (v0.4.13).\n", "jaxlib==0.4.13"),
        ("README.md", "Tested on JAX version (0.4.20, 0.4.26)\n", "jax==0.4.26"),
        ("README.md", "Tested with JAX 0.4.20 and 0.10.2, and with JAX 0.4.20, 0.4.30+.\n", None),
        (
            "README.md",
            "It was tested with JAX version 0.4.5. Installation assumes that you have the latest\n"
            "version of the JAX package.\n",
            None,
        ),
        ("README.md", "Tested with JAX 0.4.5.\n\npip install -U jax[cpu]\n", None),
        ("README.md", "Tested with JAX 0.4.5.\n\npip install jaxopt\n", "jax==0.4.5"),
        ("README.md", "pip install jax==0.4.5\n\nThe latest version of jaxopt works, too.\n", "jax==0.4.5"),
        ("INSTALL.md", "Requirements:\n\n- jax<0.5\n", "jax<0.5"),
        ("README.md", "- JAX 0.4.20+\n\npip install 'jax>=0.4'\nWorks with jax>=0.4 and JAX 0.4.13 or later.\n", None),
        (
            "README.md",
            "Multi-node is supported starting JAX v0.5.1.\nUse another function if you have jax<0.5.\n",
            None,
        ),
        (
            "README.md",
            "It fails with jax==0.4.30.\nIt works with JAX 0.10.2; see jax 0.4 docs, tested-jax 0.4.1.\n",
            None,
        ),
    ],
)
def test_what_a_project_asks_for(file: str, text: str, asked: str | None, tmp_path: Path) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    assert asks_for_another("jax", "0.10.2", [tmp_path], tmp_path) == (f"{file} asks for {asked}" if asked else None)


@pytest.mark.parametrize(
    ("file", "text", "is_for_users"),
    [
        ("pyproject.toml", '[project]\nname = "my-lib"\ndependencies = ["jax>=0.4"]\n', True),
        ("pyproject.toml", '[project]\nname = "my-lib"\ndependencies = ["jax[cpu]", "optax<1"]\n', True),
        ("pyproject.toml", '[tool.poetry]\nname = "my_lib"\n[tool.poetry.dependencies]\njax = "*"\n', True),
        ("setup.py", 'setup(name="my-lib", install_requires=["jax>=0.2", "numpy"])\n', True),
        ("setup.cfg", "[metadata]\nname = my-lib\n[options]\ninstall_requires =\n    numpy\n    jax\n", True),
        ("pyproject.toml", '[project]\nname = "other"\ndependencies = ["jax>=0.4"]\n', False),
        ("pyproject.toml", '[project]\nname = "my-lib"\nkeywords = ["jax"]\ndynamic = ["dependencies"]\n', False),
        ("pyproject.toml", '[project]\nname = "my-lib"\ndependencies = ["jaxopt"]\n', False),
        ("setup.py", 'setup(name="my-lib", install_requires=read("requirements.txt"), keywords=["jax"])\n', False),
        ("setup.py", "setup(\n", False),
    ],
)
def test_what_users_of_a_project_install_by_its_name(file: str, text: str, is_for_users: bool, tmp_path: Path) -> None:
    (tmp_path / file).write_text(text)
    (tmp_path / "requirements.txt").write_text("jax==0.4.5\nnumpy==1.21\n")
    (tmp_path / "environment.yml").write_text("dependencies:\n- python=3.7\n")
    assert asks_for_another("jax", "0.10.2", [tmp_path], tmp_path) == "requirements.txt asks for jax==0.4.5"
    (tmp_path / "README.md").write_text("```\npip install -U my-lib\n```\n")
    assert (not list(pythons([tmp_path], tmp_path))) == is_for_users
    asked = None if is_for_users else "requirements.txt asks for jax==0.4.5"
    assert asks_for_another("jax", "0.10.2", [tmp_path], tmp_path) == asked
    assert (asks_for_another("numpy", "2.0", [tmp_path], tmp_path) is None) == is_for_users
    (tmp_path / "README.md").write_text("```\npip install my-lib jax==0.4.9\n```\n")
    said = f"{'README.md' if is_for_users else 'requirements.txt'} asks for jax==0.4.{9 if is_for_users else 5}"
    assert asks_for_another("jax", "0.10.2", [tmp_path], tmp_path) == said


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("# !pip install -q jax==0.3.25 jaxlib==0.3.25\nimport jax\n", "jax==0.3.25"),
        ('subprocess.run([sys.executable, "-m", "pip", "install", "jax==0.3.25"])\n', "jax==0.3.25"),
        ('raise ImportError("pip install jax>=0.3")\n# tested with jax==0.3.25\n', None),
    ],
)
def test_a_script_that_installs_its_packages(text: str, asked: str | None, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(text)
    said = Installed(Path(jax.__file__).parent).asked_before(script, tmp_path, times_of("jax.tree_map"))
    assert said == (f"train.py asks for {asked}" if asked else None)


@pytest.mark.parametrize(
    ("file", "text", "python", "name", "newest"),
    [
        ("environment.yml", "dependencies:\n- python=3.9.12\n", "python=3.9.12", "jax.tree_map", "0.4.30"),
        ("environment.yml", "dependencies:\n- python=3.9.12\n", None, "jax.random.KeyArray", ""),
        ("pyproject.toml", 'requires-python = "<3.10"\n', "python<3.10", "jax.tree_map", "0.4.30"),
        ("pyproject.toml", 'python = ">=3.8,<3.11"\n', "python>=3.8,<3.11", "jax.core.get_aval", "0.6.2"),
        ("pyproject.toml", 'python = ">=3.8,<3.11"\n', None, "jax.tree_map", ""),
        ("pyproject.toml", 'python = "3.8.*"\n', "python==3.8.*", "jax.config", "0.4.13"),
        ("setup.py", "setup(python_requires='~=3.8.0')\n", "python~=3.8.0", "jax.random.KeyArray", "0.4.13"),
        ("setup.cfg", "[options]\npython_requires = <3.8\n", "python<3.8", "jax.linear_util", "0.3.25"),
        ("docker/Dockerfile", "FROM python:3.8-slim\n", "python==3.8", "jax.tree_map", "0.4.13"),
        ("environment.yml", "dependencies:\n- python>=3.9\n- python=3\n- ipython=3.9\n", None, "jax.tree_map", ""),
        ("environment.yml", "dependencies:\n- python=3.12\n", None, "jax.core.get_aval", ""),
        ("pyproject.toml", 'requires-python = ">=3.9"\npython = "^3.9"\n', None, "jax.tree_map", ""),
        ("pyproject.toml", '[tool.mypy]\npython_version = "3.9"\n', None, "jax.tree_map", ""),
        ("requirements.txt", 'typing-extensions; python_version<"3.10"\n', None, "jax.tree_map", ""),
        ("Dockerfile", "FROM python:3.12\n# FROM python:3.8\n", None, "jax.tree_map", ""),
    ],
)
def test_the_python_that_a_project_asks_for(
    file: str, text: str, python: str | None, name: str, newest: str, tmp_path: Path
) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    installed = Installed(Path(jax.__file__).parent)
    said = installed.asked_before(tmp_path / "train.py", tmp_path, times_of(name))
    assert said == (f"{file} asks for {python}, for which the newest JAX is {newest}" if python else None)


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("tensorflow==2.13.0\njax\n", "jax.tree_map", "tensorflow==2.13.0, for which the newest JAX is 0.4.38"),
        ("tensorflow==2.13.0\njax\n", "jax.random.KeyArray", None),
        ("tensorflow-cpu==2.15.0\n", "jax.core.Jaxpr", "tensorflow-cpu==2.15.0, for which the newest JAX is 0.4.34"),
        ("tensorflow==2.9.1\n", "jax.tree_map", None),
        ("tensorflow==2.9.1\n", "jax.core.get_aval", "tensorflow==2.9.1, for which the newest JAX is 0.6.2"),
        ("numpy<1.25\n", "jax.tree_map", "numpy<1.25, for which the newest JAX is 0.4.38"),
        ("numpy==1.26.4\n", "jax.tree_map", None),
        ("numpy<1.19\n", "jax.ops.index_update", "numpy<1.19, for which the newest JAX is 0.2.26"),
        ("numpy<1.20\n", "jax.ops.index_update", None),
        ("scipy==1.10.1\n", "jax.tree_map", "scipy==1.10.1, for which the newest JAX is 0.4.38"),
        ("numpy>=1.20\nscipy\ntensorflow>=2.4,<3\ntensorflow-datasets==2.1\n", "jax.tree_map", None),
    ],
)
def test_another_package_that_holds_jax_back(text: str, name: str, said: str | None, tmp_path: Path) -> None:
    assert asked_by(tmp_path, text, name) == (f"requirements.txt asks for {said}" if said else None)


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("jax==0.4.5\n", "jax.tree_map", "jax==0.4.5"),
        ("jax==0.4.5\n", "jax.experimental.optimizers", None),
        ("jax==0.3.10\n", "jax.experimental.optimizers", "jax==0.3.10"),
        ("jax>=0.3.14,<0.3.16\n", "jax.tree_multimap", "jax>=0.3.14,<0.3.16"),
        ("jax>=0.3,<0.5\n", "jax.random.KeyArray", None),
        ("jax<=0.4.28\n", "jax.random.KeyArray", "jax<=0.4.28"),
        ("jax==0.9.0\n", "jax.core.get_aval", "jax==0.9.0"),
        ("jax==0.4.5\n", "jax.lazy", "jax==0.4.5"),
    ],
)
def test_a_jax_that_lacks_the_name_as_well(text: str, name: str, said: str | None, tmp_path: Path) -> None:
    assert asked_by(tmp_path, text, name) == (f"requirements.txt asks for {said}" if said else None)


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("flax==0.6.1\n", "jax.tree_map", "flax==0.6.1, which is from before JAX 0.4.30"),
        ("flax==0.6.1\n", "jax.config", "flax==0.6.1, which is from before JAX 0.4.13"),
        ("flax==0.8.0\n", "jax.config", None),
        ("optax>=0.1\ndm-haiku<0.0.9\n", "jax.tree_map", "dm-haiku<0.0.9, which is from before JAX 0.4.30"),
        ("flax>=0.6\nchex==0.1.90\n", "jax.tree_map", None),
    ],
)
def test_a_library_of_an_earlier_time(text: str, name: str, said: str | None, tmp_path: Path) -> None:
    assert asked_by(tmp_path, text, name) == (f"requirements.txt asks for {said}" if said else None)


def asked_by(project: Path, requirements: str, name: str) -> str | None:
    """What the requirements of a project say that asks for a JAX which still has a name."""
    (project / "requirements.txt").write_text(requirements)
    installed = Installed(Path(jax.__file__).parent)
    return installed.asked_before(project / "train.py", project, times_of(name))


def exists(name: str) -> bool:
    """Whether JAX has a module or name."""
    outer, _, last = name.rpartition(".")
    with warnings.catch_warnings(action="ignore"):
        if is_module(name):
            return True
        return is_module(outer) and hasattr(importlib.import_module(outer), last)


def is_module(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def test_no_name_of_the_table_exists() -> None:
    assert [name for name in REMOVED if (is_module(name) if name in MODULES else exists(name))] == []


def test_the_releases_are_of_names_in_the_table() -> None:
    assert [name for name in LAST if name not in REMOVED] == []


def test_every_name_in_an_advice_exists() -> None:
    named = {name for row in REMOVED.values() for name in re.findall(r"\bjax(?:\.\w+)+", row.instead + row.otherwise)}
    assert [name for name in named if not exists(name)] == []


def test_all_that_is_in_a_module_that_is_gone_is_gone() -> None:
    assert removed("jax.experimental.stax.Dense") == "jax.experimental.stax"
    assert removed("jax.tree_map") == "jax.tree_map"
    assert removed("jax.tree_map.__name__") is None and removed("jax.numpy.sum") is None


def test_the_advice_for_an_import_that_nothing_uses(tmp_path: Path, cache: str) -> None:
    unused = "import jax\nfrom jax.experimental.host_callback import call\n\nprint(jax.numpy.ones(3))\n"
    used = "import jax\nfrom jax import linear_util\n\nprint(linear_util)\n"
    offered = "import jax\nfrom jax.experimental import stax\n\n__all__ = ['stax']\n"
    write(tmp_path, {"unused.py": unused, "used.py": used, "offered.py": offered})
    found = findings_of(tmp_path, cache, "--potential", "--select=jax-removed")
    advice = {one["path"]: one["advice"] for one in found}
    assert advice.pop("unused.py") == "delete the import, which nothing uses"
    assert set(advice) == {"used.py", "offered.py"} and not any("delete" in told for told in advice.values())
