"""The stub distribution is complete, and its stubs agree with chex and optax."""

import re
import tarfile
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.archives import unpack
from tests.e2e.environments import ROOT, build, create, install, mypy, run

pytestmark = pytest.mark.xdist_group("stubs")

STUBS = ROOT / "stubs"
DIFFERENCES = STUBS / "differences.txt"
LIBRARIES = ("chex==0.1.92", "optax==0.2.8")

CONFIGURATION = '[tool.mypy]\nstrict = true\nplugins = ["jaxtyped_static_mypy"]\n'

# Every `type: ignore` is needed; otherwise strict mypy reports it as unused.
PROGRAM = """\
from collections.abc import Callable
from functools import partial
from typing import Any, assert_type

import chex
import jax
import jax.numpy as jnp
import optax


@chex.dataclass(frozen=True)
class Params:
    w: chex.Array
    b: chex.Array
    scale: float = 1.0


params = Params(w=jnp.ones(3), b=jnp.zeros(3))
Params(w=jnp.ones(3))  # type: ignore[call-arg]
Params(w=jnp.ones(3), b=jnp.zeros(3), scale="1")  # type: ignore[arg-type]
params.w = jnp.zeros(3)  # type: ignore[misc]
chex.assert_shape(params.w.at[0].set(2.0), (None, 3), custom_message="w")
chex.assert_shape(params.w, (None, 3), message="w")  # type: ignore[call-arg]


@chex.dataclass
class Batch:
    x: chex.Array

    @jax.jit
    def total(self) -> chex.Array:
        return jnp.sum(self.x)


@chex.chexify
@jax.jit
@chex.assert_max_traces(n=1)
def log(x: chex.Array) -> chex.Array:
    chex.assert_tree_all_finite(x)
    return jnp.log(x)


log(params.w)
log.wait_checks()


@jax.jit
def clip(x: chex.Array, low: chex.Numeric) -> chex.Array:
    if low > 0:  # type: ignore[jit-branch]
        return x
    return x if x.sum() > 3 else -x  # type: ignore[jit-branch]


def halved(step: int) -> float:
    return 0.5**step


def polyak(updates: Any, state: Any, params: Any = None, *, value: float, **extra: Any) -> tuple[Any, Any]:
    return updates, state


def inverse(step: jax.Array) -> jax.Array:
    return 1 / step


assert_type(optax.adam(1e-3), optax.GradientTransformationExtraArgs)
assert_type(optax.nadamw(halved), optax.GradientTransformationExtraArgs)
assert_type(optax.scale(-1.0), optax.GradientTransformation)
assert_type(optax.cosine_decay_schedule(1e-3, 100), optax.Schedule)
assert_type(optax.tree.norm(params), jax.Array)
optax.adam("1e-3")  # type: ignore[arg-type]
optax.chain(optax.adam)  # type: ignore[arg-type]
optax.adamv(1e-3)  # type: ignore[attr-defined]
optax.join_schedules([halved, inverse, lambda step: step], [10, 20])
optax.GradientTransformationExtraArgs(optax.init_empty_state, polyak)
optax.GradientTransformation(optax.init_empty_state, lambda updates, state, params=None: (updates, state))

factory: Callable[[float], optax.GradientTransformation] = optax.sgd
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(halved))
state = optimizer.init(params)
updates, state = optimizer.update(params, state, params, value=1.0)
assert_type(optax.apply_updates(params, updates), Params)
assert_type(optax.l2_loss(params.w).mean(), jax.Array)


@partial(jax.jit, static_argnames=("moments", "key", "batch"))
def step(
    x: jax.Array,
    moments: optax.ScaleByAdamState,  # type: ignore[static-dynamic]
    key: chex.PRNGKey,  # type: ignore[static-dynamic]
    batch: Batch,  # type: ignore[static-dynamic]
) -> jax.Array:
    return x
"""


@pytest.fixture(scope="module")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(STUBS, tmp_path_factory.mktemp("stubs"), "wheel")


@pytest.fixture(scope="module")
def python(stubs: Path, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Creates an environment with the libraries, their stubs and the checker, in the versions of this environment."""
    python = create(tmp_path_factory.mktemp("environment") / "env")
    install(python, *LIBRARIES, f"jax=={version('jax')}", f"mypy=={version('mypy')}", stubs, wheel)
    return python


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_partial_stubs_and_nothing_else(stubs: Path) -> None:
    packages = {name for name in names(stubs) if ".dist-info/" not in name}
    assert {name.split("/")[0] for name in packages} == {"chex-stubs", "optax-stubs"}
    assert {Path(name).suffix for name in packages} == {".pyi", ".typed"}
    with zipfile.ZipFile(stubs) as archive:
        assert {archive.read(name) for name in packages if name.endswith("py.typed")} == {b"partial\n"}


def test_the_wheel_of_the_source_distribution_is_the_same(stubs: Path, tmp_path: Path) -> None:
    for folder in ("sdist", "wheel"):
        (tmp_path / folder).mkdir()
    with tarfile.open(build(STUBS, tmp_path / "sdist", "sdist")) as archive:
        unpack(archive, tmp_path)
    (source,) = tmp_path.glob("jaxtyped_static_stubs-*")
    assert names(build(source, tmp_path / "wheel", "wheel")) == names(stubs)


@pytest.mark.thorough
def test_the_stubs_agree_with_the_libraries(python: Path, tmp_path: Path) -> None:
    done = run(python, "-m", "mypy.stubtest", "--concise", "chex", "optax", cwd=tmp_path, check=False)
    said = done.stdout.splitlines()
    known = [line for line in DIFFERENCES.read_text().splitlines() if line and not line.startswith("#")]
    assert done.returncode == 1, done.stdout + done.stderr
    assert [line for line in said if not any(re.fullmatch(pattern, line) for pattern in known)] == []
    assert [pattern for pattern in known if not any(re.fullmatch(pattern, line) for line in said)] == []


@pytest.mark.thorough
def test_a_program_is_typed_and_its_static_arguments_are_checked(python: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(CONFIGURATION)
    (tmp_path / "main.py").write_text(PROGRAM)
    assert [line for line in mypy(python, tmp_path) if ": error:" in line] == []
