"""What JAX, its libraries and arrays do not have: findings of the rule `jax-missing`."""

from __future__ import annotations

import importlib
import inspect
import re
import warnings
from pathlib import Path
from typing import Any, Final

import jax
import jax.numpy as jnp
import pytest

from jaxtyped_static_cli.mypy_runs.removed.installed import Installed
from jaxtyped_static_cli.mypy_runs.removed.packages import Packages, refuses_argument
from jaxtyped_static_cli.project.requirements import asks_for_another
from jaxtyped_static_mypy.knowledge import array_attributes, ecosystem, never_there
from tests.cli.running import findings_of, write

pytestmark = pytest.mark.xdist_group("light")

SITE: Final = Path(jax.__file__).parent.parent
FOUND: Final = """\
import chex
import equinox as eqx
import flax.linen as nn
import flax.optim
import jax
import jax.numpy as jnp
import optax
from flax.nn import Dense
from jax import jit, value_and_grads


def f(x, y: jax.Array, key):
    x = jax.nn.softmax(x, dim=-1) + jnp.leaky_relu(x) + jnp.sum(y, dim=1) + jnp.sin(y).mean(keepdim=True)
    chex.assert_tree_all_close(x, y)
    jax.random.normal(key, size=(2,)), eqx.nn.Linear(2, 3, bias=False, key=key), optax.adam(lr=0.1)
    flax.optim.Adam(1), nn.GELU(), nn.MaxPool2d(2), jax.nn.Softmax(x)
    return jnp.tanh(x).detach(), y.unsqueeze(0), jnp.ones(2).append(3)


def g(x, update):
    x = x + jax.lax.stop_gradient(update(x) - x)
    if update:
        x = x + (x - x.detach())
    return jax.jit(f, static_argnum=0)


def reached(x):
    for y in x:
        if y is None:
            continue
        if y:
            return y
        elif x:
            break
        try:
            return jnp.hard_silu(y)
        except ValueError:
            jnp.hard_silu(x)
    while False:
        break
    else:
        return jnp.hard_silu(x)
"""
FINDINGS: Final = """\
main.py:4:1 flax.optim ModuleNotFoundError: use optax, and flax.training.dynamic_scale for its DynamicScale; 16
main.py:8:1 flax.nn ModuleNotFoundError: write the modules with flax.linen, which has no partial and no init_by_shape
main.py:9:22 jax.value_and_grads ImportError: the nearest name is jax.value_and_grad
main.py:13:27 jax.nn.softmax: dim TypeError: write axis
main.py:13:37 jax.numpy.leaky_relu AttributeError: write jax.nn.leaky_relu
main.py:13:68 jax.numpy.sum: dim TypeError: write axis
main.py:13:93 jax.Array.mean: keepdim TypeError: write keepdims
main.py:14:5 chex.assert_tree_all_close AttributeError: the nearest name is chex.assert_trees_all_close
main.py:15:28 jax.random.normal: size TypeError: write shape
main.py:15:60 equinox.nn.Linear: bias TypeError: write use_bias
main.py:15:93 optax.adam: lr TypeError: write learning_rate
main.py:16:25 flax.linen.GELU AttributeError: write flax.linen.gelu
main.py:16:36 flax.linen.MaxPool2d AttributeError: write flax.linen.max_pool
main.py:16:53 jax.nn.Softmax AttributeError: write jax.nn.softmax
main.py:17:12 jax.Array: detach AttributeError: write jax.lax.stop_gradient(x); 23
main.py:17:34 jax.Array: unsqueeze AttributeError: write jax.numpy.expand_dims(x, axis)
main.py:17:50 jax.Array: append AttributeError: write jax.numpy.append(x, y), which returns a new array
main.py:24:23 jax.jit: static_argnum TypeError: write static_argnums
main.py:36:20 jax.numpy.hard_silu AttributeError: write jax.nn.hard_silu; 38; 42
""".splitlines()
SILENT: Final = """\
import jax
import jax.experimental.pallas
import jax.numpy as jnp
import numpy as np
import optax

try:
    from flax.optim import Adam
except ImportError:
    Adam = optax.adam
jnp.leaky = jax.nn.leaky_relu
cross_entropy = optax.cross_entropy if hasattr(optax, "cross_entropy") else optax.safe_softmax_cross_entropy


def own(x: np.ndarray, key, options, tensor, jnp):
    x.fill(0), tensor.detach(), jnp.softmax(x), key.numpy()
    return jax.random.normal(key, **options), np.sum(x, axis=0), jax.tree.map(np.sum, x)


def known(x: jax.Array):
    x.clone, x.is_ready, x.at[0].set(1), x.device, jax.experimental.pallas, jax.numpy.leaky(x)
    jax.random.foo  # type: ignore[attr-defined]
    y = x.detach() if hasattr(x, "detach") else x
    for y in (y, y):
        y = np.asarray(jax.numpy.sum(y))
        y.fill(0)
    return y


def rebound(x, load):
    x = jax.numpy.ones(2)
    for _ in range(3):
        x.detach()
        x = load(x)
    if load:
        x = load(x)
    return x.detach()


def others(x, y):
    x = jnp.ones(2)
    x = np.array(x)
    x.fill(0)
    y = jnp.ones(2)
    y = list(y)
    y.append(1)
    z = jnp.ones(2)
    z = {"z": z}
    z.update(x=x)
    return x, y, z


def never(x):
    return jnp.zeros(x)
    return jnp.leaky_silu(x)


def no_branch(x, n):
    if n:
        raise ValueError
        jnp.leaky_silu(x)
    elif n == 0:
        return x
    else:
        return jax.nn.silu(x)
    for _ in n:
        jnp.leaky_silu(x)


def skipped(xs):
    for x in xs:
        if True:
            continue
            jnp.leaky_silu(x)
        else:
            jnp.leaky_silu(x)
    while 0:
        jnp.leaky_silu(xs)
    return jnp.leaky_silu(xs) if False else xs


def no_arrays(x):
    parts = jnp.split(x, 2)
    parts.append(x)
    parts.extend(jnp.broadcast_arrays(x, x))
    return parts, jnp.dtype("float32").type, jnp.result_type(x).type, jnp.promote_types("float32", "float64").type
"""
LISTED: Final = """\
import jax.numpy as jnp
import numpy as np
import pytest


def f(xs: list[float], k: int, own, *rest):
    x = jnp.ones(3)
    n = jnp.prod(jnp.array((2, 3)))
    [0.0] * n
    n * [(0.0, None)]
    (0,) * n
    x + [1, 2, 3]
    [1, 2, 3] - x
    x == [1, 2, 3]
    (1, 2, 3) >= x
    x * x.shape
    x.shape[:1] / x
    xs = [1.0, 2.0]
    xs *= n
    y = x > 1
    y & [True, False]
    x @ [float(k) for k in range(3)]
    x -= ([0] * 3) + list(range(3))


def g(xs: list[float], k: int, own, rest):
    x = jnp.ones(3)
    n = jnp.prod(jnp.array((2, 3)))
    [0.0] * int(n), [0.0] * x.size, [x] * k, "-" * n, range(n)
    x + np.ones(3), x + jnp.array([1, 2, 3]), x * (2), x * x.shape[0], k * x.shape
    x in [1, 2], x is (1, 2), [x] + [x], (x,) == (x,), [x] == [1]
    x * own, xs * own, x * xs, x + rest
    zs = [1.0]
    zs += x
    zs = np.array(zs)
    zs * x
    x = np.ones(3)
    x + [1, 2, 3], [0] * np.ones(()).astype(int)
    with pytest.raises(TypeError):
        jnp.ones(3) + [1, 2, 3]
"""
OF_LISTS: Final = (*range(9, 18), 19, 21, 22, 23)
OF_JAXLIB: Final = """\
from __future__ import annotations

import jaxlib
from jaxlib import xla_client
from jaxlib.mlir import ir

try:
    from jaxlib.xla_extension import Device
except ImportError:
    from jax import Device


def f(x: Device):
    return jaxlib.__version__, xla_client.Device, ir.Type, jaxlib.xla_extension.ArrayImpl
"""
ANNOTATED: Final = """\
import jax


def f(x: jax.Array, y: jax.Array):
    x.fill(0)
    y.append(1)
"""
CALLED: Final = """\
import jax
import jax.numpy as jnp


class Own:
    shape: tuple[int, ...] = ()


def f(x: jax.Array, own: Own):
    x.device(), jnp.ones(3).dtype()
    own.shape()
    return x.device() if callable(x.device) else x.device


def g(x: jnp.ndarray):
    return x.shape(), x.T(), x.sum().sharding()
"""
SUMMED: Final = """\
import jax.numpy as jnp


def f(xs, ys):
    total = sum(jnp.square(x) for x in xs)
    total[0] = 1
    both = sum([2, jnp.ones(3)])
    both[0] = 1
    rows = sum([[jnp.ones(3)], xs], [])
    rows[0] = 1
    unknown = sum(x * y for x, y in zip(xs, ys))
    unknown[0] = 1
    other = sum([ys, jnp.ones(3)])
    other[0] = 1
    return total, both, rows, unknown, other
"""
NO_TYPES: Final = """\
import jax.numpy as jnp
import numpy as np


def f(x: jnp.array, y: np.array, z: callable):
    product = x * jnp.ones(3)
    return x.irreps, y.irreps, z.irreps, product.irreps, (x / jnp.sqrt(2)).irreps
"""
DEFERRING: Final = """\
import jax
import jax.numpy as jnp
import numpy as np
from states import Own, State, displaced


def f(other: Own, n: int, state: State):
    array, other_state = jnp.ones(3), displaced(2)
    (array + other_state).data, (2 * array / displaced(1)).norm(), (other @ array).cpu()
    (state.rho * jnp.sqrt(2)).data, (array - Own()).numpy()
    shifted = array * displaced(3)
    shifted.data
    return shifted.norm()


def g(x: jax.Array, n: int):
    (jnp.ones(3) * n).numpy(), (np.ones(3) + jnp.ones(3)).data, (jnp.sin(x) / len(x.shape)).norm()
    return (jnp.ones(3) * x.shape[0] + x).cpu()
"""
STATES: Final = """\
import jax


class Own:
    data = 1

    def __radd__(self, other: object) -> "Own":
        return self

    __matmul__ = __rsub__ = __rmul__ = __rtruediv__ = __radd__

    def norm(self) -> float:
        return 1.0

    cpu = numpy = norm


class State:
    rho: Own


def displaced(amount: int) -> Own:
    return Own()
"""
EARLIER: Final = "import optax\n\nloss = optax.huber\n"


TWICE: Final = """\
import jax
import optax


def f(x):
    return jax.jax.tree.map(abs, x), optax.optax, jax.numpy.jax
"""
OWN_SUM: Final = """\
import jax.numpy as jnp


def f(sum, x):
    total = sum([jnp.square(x)])
    total[0] = 1
    return total
"""


OF_NO_RELEASE: Final = """\
import jax


def f(x: jax.Array):
    return x.log_softmax(-1), x.partition(2)


def g():
    return jax.process_indexs(), jax.lax.naryop
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory, cache_with_jax: str) -> list[dict[str, Any]]:
    files = {
        "pyproject.toml": "",
        "main.py": FOUND,
        "silent.py": SILENT,
        "annotated.py": ANNOTATED,
        "of_jaxlib.py": OF_JAXLIB,
        "listed.py": LISTED,
        "called.py": CALLED,
        "summed.py": SUMMED,
        "twice.py": TWICE,
        "own_sum.py": OWN_SUM,
        "no_types.py": NO_TYPES,
        "deferring.py": DEFERRING,
        "states.py": STATES,
        "old/model.py": EARLIER,
        "old/requirements.txt": "optax==0.1.4\n",
        "older/model.py": OF_NO_RELEASE,
        "older/requirements.txt": "jax==0.4.13\n",
    }
    project = write(tmp_path_factory.mktemp("project"), files)
    return findings_of(project, cache_with_jax, "--potential", "--select=jax-missing")


def test_each_is_one_finding_at_its_first_use(found: list[dict[str, Any]]) -> None:
    lines = []
    for one in (one for one in found if one["path"] == "main.py"):
        error = re.search(r"this raises (\w+)", one["problem"])
        elsewhere = [f"; {at['line']}" for at in one["positions"] if at["line"] != one["line"]]
        told = f"{error[1] if error else ''}: {one['advice']}{''.join(elsewhere)}".rstrip()
        lines.append(f"main.py:{one['line']}:{one['column']} {one['subject']} {told}")
    assert lines == FINDINGS
    assert {one["harm"] for one in found if one["path"] == "main.py"} == {"raises"}


def test_it_says_of_which_release(found: list[dict[str, Any]]) -> None:
    said = {one["problem"] for one in found}
    assert f'"jax.Array" of JAX {jax.__version__} has no attribute "detach": this raises AttributeError' in said
    assert f'"jax.nn.Softmax" is not in JAX {jax.__version__}: this raises AttributeError' in said


def test_what_may_be_there_is_silent(found: list[dict[str, Any]]) -> None:
    assert not [(one["line"], one["problem"]) for one in found if one["path"] == "silent.py"]


def test_an_annotation_may_be_wrong(found: list[dict[str, Any]]) -> None:
    shown = [(one["subject"], one["harm"]) for one in found if one["path"] == "annotated.py"]
    assert shown == [("jax.Array: fill", "potential")]  # `append` is one finding with that of main.py


def test_operators_take_no_list(found: list[dict[str, Any]]) -> None:
    here = [one for one in found if one["path"] == "listed.py"]
    shown = {(at["line"], one["harm"]) for one in here for at in (one, *one["positions"])}
    assert sorted(shown) == [(line, "raises") for line in OF_LISTS]


@pytest.mark.parametrize("line", OF_LISTS)
def test_what_operators_do_with_lists(line: int) -> None:
    lines = [text.strip() for text in LISTED.splitlines()]
    begin = [*lines[:2], "k, xs = 2, [1.0, 2.0]", *lines[6:8], "y = x > 1"]
    with pytest.raises(TypeError):
        exec("\n".join([*begin, lines[line - 1]]), {})


def test_modules_of_jaxlib(found: list[dict[str, Any]]) -> None:
    shown = [(one["line"], one["subject"], one["harm"]) for one in found if one["path"] == "of_jaxlib.py"]
    assert shown == [(14, "jaxlib.xla_extension", "raises")]


def test_a_package_is_no_part_of_itself(found: list[dict[str, Any]]) -> None:
    shown = [(one["line"], one["subject"]) for one in found if one["path"] == "twice.py"]
    assert shown == [(6, "jax.jax"), (6, "optax.optax"), (6, "jax.numpy.jax")]
    assert not hasattr(jax, "jax") and not hasattr(jnp, "jax")


def test_a_sum_of_arrays_is_changed(found: list[dict[str, Any]]) -> None:
    shown = [(at["line"], one["harm"]) for one in found for at in one["positions"] if "sum" in at["path"]]
    assert shown == [(6, "raises"), (8, "raises")]


def test_a_property_is_called(found: list[dict[str, Any]]) -> None:
    shown = [(one["line"], one["subject"], one["harm"]) for one in found if one["path"] == "called.py"]
    assert shown == [
        (10, "jax.Array.device", "raises"),
        (10, "jax.Array.dtype", "raises"),
        (16, "jax.Array.shape", "raises"),
        (16, "jax.Array.T", "raises"),
        (16, "jax.Array.sharding", "raises"),
    ]
    for name in array_attributes.PROPERTIES:
        assert not callable(getattr(jnp.ones((2, 2)), name)), name


def test_an_annotation_that_is_a_function_says_nothing(found: list[dict[str, Any]]) -> None:
    assert not [(one["line"], one["problem"]) for one in found if one["path"] == "no_types.py"]


def test_an_object_of_another_class_decides_what_an_operator_makes(found: list[dict[str, Any]]) -> None:
    at = [(at["line"], one["harm"]) for one in found for at in [one, *one["positions"]] if at["path"] == "deferring.py"]
    shown = {line for line, harm in at if harm == "raises"}
    assert shown == {17, 18}


def test_another_release_of_a_library_is_another_environment(found: list[dict[str, Any]]) -> None:
    shown = [(one["subject"], one["harm"], one["notes"]) for one in found if one["path"] == "old/model.py"]
    assert shown == [("optax.huber", "potential", ["old/requirements.txt asks for optax==0.1.4"])]


def test_what_no_release_has_is_missing_whichever_the_project_asks_for(found: list[dict[str, Any]]) -> None:
    shown = {one["subject"]: (one["harm"], one["notes"]) for one in found if one["path"] == "older/model.py"}
    asked = ["older/requirements.txt asks for jax==0.4.13"]
    assert shown == {
        "jax.Array: log_softmax": ("raises", []),
        "jax.Array: partition": ("potential", asked),
        "jax.process_indexs": ("raises", []),
        "jax.lax.naryop": ("potential", asked),
    }


def test_what_was_once_there_is_gone() -> None:
    for module, names in never_there.ONCE_THERE.items():
        assert not [name for name in names.split() if hasattr(importlib.import_module(module), name)]


@pytest.mark.parametrize(
    ("text", "distribution", "asked"),
    [
        ("flax==0.5.3\n", "flax", "flax==0.5.3"),
        ("dm-haiku<0.0.9\nhaiku==9\n", "dm-haiku", "dm-haiku<0.0.9"),
        ("flax>=9\n", "flax", "flax>=9"),
        ("flax>=0.5,<9\noptax==0.1\n", "flax", None),
        ("flax @ git+https://example.com/me/flax.git@mine\n", "flax", "flax from another place than PyPI"),
        ("-e git+ssh://git@example.com/me/flax#egg=flax\n", "flax", "flax from another place than PyPI"),
        ("git+https://example.com/me/flax.git@mine\n", "flax", "flax from another place than PyPI"),
        ('flax = { branch = "mine", git = "https://example.com/flax" }\n', "flax", "flax from another place than PyPI"),
        ("flax>=0.5  # https://example.com/flax\ngit+https://example.com/flax-extra\n", "flax", None),
    ],
)
def test_earlier_and_later_releases(text: str, distribution: str, asked: str | None, tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text(text)
    said = asks_for_another(distribution, "0.12.8", [tmp_path], tmp_path, later=True)
    assert said == (f"requirements.txt asks for {asked}" if asked else None)


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        ("chex\njax<0.4\n", "chex.old", "jax<0.4"),
        ("chex>=0.1\njax>=0.4\n", "chex.old", None),
        ("numpy==1.26.4\nequinox==9\njax\n", "jax._src.old", "numpy==1.26.4, for which the newest JAX is 0.7.1"),
        (
            "numpy>=1.16.4,<1.19.0\njax>=0.2.6\n",
            "flax.optim",
            "numpy>=1.16.4,<1.19.0, for which the newest JAX is 0.2.26",
        ),
        ("numpy>=1.26.4\njax\n", "jax._src.old", None),
        ("jax<=0.6.0\n", "jaxlib.xla_extension", "jax<=0.6.0"),
        ("jax>=0.4,<0.7\n", "jaxlib.xla_extension", None),
        ("flax==0.6.1\njax\n", "jax._src.old", "flax==0.6.1, which is from before JAX 0.6.2"),
        ("flax>=0.7\njax<=0.7.2\n", "flax.nn", None),  # which Flax lost long before
        ("flax\njax==0.2.24\n", "flax.nn.Dense", "jax==0.2.24"),
        ("flax\njax<0.4\n", "flax.linen.Linear", None),  # which no Flax had
    ],
)
def test_what_belongs_to_an_earlier_jax(text: str, name: str, said: str | None, tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text(text)
    installed, package = Installed(Path(jax.__file__).parent), name.partition(".")[0]
    found = installed.asks_for_another(tmp_path / "train.py", tmp_path, package, ecosystem.gone_since(name))
    assert found == (f"requirements.txt asks for {said}" if said else None)


def test_no_name_that_a_module_has_is_missing() -> None:
    packages = Packages(SITE)
    modules = (
        "jax jax.numpy jax.nn jax.lax jax.random jax.tree_util jax.experimental jax.scipy flax flax.linen flax.nnx"
    )
    modules = f"{modules} flax.core optax optax.losses chex equinox equinox.nn jaxlib jaxlib.xla_client"
    for module in modules.split():
        with warnings.catch_warnings(action="ignore"):
            names = dir(importlib.import_module(module))
        assert [name for name in names if packages.missing(f"{module}.{name}")] == []


def test_functions_take_what_their_source_says() -> None:
    packages, seen = Packages(SITE), 0
    for module in ("jax", "jax.lax", "jax.nn", "jax.random", "optax"):
        for name, value in vars(importlib.import_module(module)).items():
            definition = packages.definition(f"{module}.{name}")
            if definition is None or not callable(value):
                continue
            given = [one.name for one in inspect.signature(value).parameters.values() if one.kind is one.KEYWORD_ONLY]
            seen += len(given)
            assert [one for one in given if refuses_argument(definition, one)] == [], f"{module}.{name}"
    assert seen > 50


def test_arrays_have_what_is_unseen_and_nothing_foreign() -> None:
    tracers: list[Any] = []
    jax.eval_shape(tracers.append, jnp.ones(2))
    there = {name for value in (jnp.ones(2), *tracers) for name in dir(value)}
    assert there.isdisjoint(array_attributes.INSTEAD)
    stub = (SITE / "jax" / "_src" / "basearray.pyi").read_text()
    shown = set(re.findall(r"^  def (\w+)|^  (\w+):", stub, re.MULTILINE))
    names = {name for pair in shown for name in pair if name}
    unseen = {name for name in there if not name.startswith("_")} - names
    assert unseen <= array_attributes.UNSEEN


def test_every_name_in_an_advice_exists() -> None:
    packages = Packages(SITE)
    advised = [*ecosystem.INSTEAD.values(), *array_attributes.INSTEAD.values()]
    named = [name for text in advised for name in re.findall(r"\b(?:jax|flax)(?:\.\w+)+", text)]
    assert [name for name in named if packages.missing(name)] == []
    is_missing = (name in (packages.missing(name), packages.missing_module(name)) for name in ecosystem.INSTEAD)
    assert all(is_missing)


MENTIONING: Final = '''\
"""Beside `told`, as docs do."""
import jax.other as other

__all__ = ["listed"]


def ramp(x, *, passed=None):
    "See `told`."  # commented
    other.given = dict(keyed=x)
    return other.read(x, plain)
'''


def test_a_name_that_a_module_only_mentions_is_none_that_it_has(tmp_path: Path) -> None:
    write(tmp_path, {"jax/__init__.py": "", "jax/mentioning.py": MENTIONING})
    packages = Packages(tmp_path)
    names = ("told", "commented", "read", "listed", "given", "keyed", "plain", "ramp", "other")
    lacking = [name for name in names if packages.missing(f"jax.mentioning.{name}")]
    assert lacking == ["told", "commented", "read"]
