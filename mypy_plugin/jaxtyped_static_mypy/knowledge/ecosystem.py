"""Libraries that programs use with JAX, and whose modules say in their source what they have."""

from collections.abc import Mapping
from typing import Final, NamedTuple


class Distributed(NamedTuple):
    """How a package is installed, and what people call it."""

    distribution: str
    title: str


PACKAGES: Final[Mapping[str, Distributed]] = {
    "jax": Distributed("jax", "JAX"),
    "blackjax": Distributed("blackjax", "BlackJAX"),
    "brax": Distributed("brax", "Brax"),
    "chex": Distributed("chex", "Chex"),
    "diffrax": Distributed("diffrax", "Diffrax"),
    "distrax": Distributed("distrax", "Distrax"),
    "equinox": Distributed("equinox", "Equinox"),
    "evosax": Distributed("evosax", "evosax"),
    "flax": Distributed("flax", "Flax"),
    "haiku": Distributed("dm-haiku", "Haiku"),
    "jaxlib": Distributed("jaxlib", "jaxlib"),
    "jaxopt": Distributed("jaxopt", "JAXopt"),
    "jraph": Distributed("jraph", "Jraph"),
    "lineax": Distributed("lineax", "Lineax"),
    "numpyro": Distributed("numpyro", "NumPyro"),
    "optax": Distributed("optax", "Optax"),
    "optimistix": Distributed("optimistix", "Optimistix"),
    "rlax": Distributed("rlax", "RLax"),
}
# What stands for modules and names that a library had, and has no more, and for those of PyTorch.
INSTEAD: Final[Mapping[str, str]] = {
    "equinox.experimental": "import its classes from equinox.nn",
    "flax.deprecated": "use flax.linen",
    "flax.linen.AvgPool2d": "write flax.linen.avg_pool",
    "flax.linen.BatchNorm1d": "write flax.linen.BatchNorm",
    "flax.linen.BatchNorm2d": "write flax.linen.BatchNorm",
    "flax.linen.Conv1d": "write flax.linen.Conv",
    "flax.linen.Conv2d": "write flax.linen.Conv",
    "flax.linen.Embedding": "write flax.linen.Embed",
    "flax.linen.Linear": "write flax.linen.Dense",
    "flax.linen.MaxPool2d": "write flax.linen.max_pool",
    "flax.linen.ModuleList": "use a list of modules",
    "flax.linen.Upsample": "use jax.image.resize",
    "flax.nn": "write the modules with flax.linen, which has no partial and no init_by_shape",
    "flax.optim": "use optax, and flax.training.dynamic_scale for its DynamicScale",
    "jax.lax._reduce_window_sum": "write jax.lax.reduce_window(x, 0.0, jax.lax.add, ...)",
    "jax.nn.cross_entropy": "use optax",
    "jax.numpy.cat": "write jax.numpy.concatenate",
    "jax.numpy.float": "write float",
    "jax.numpy.int": "write int",
    "jaxlib.xla_extension": (
        "write jax.Array for its ArrayImpl and DeviceArray, jax.Device for its Device, jax.tree_util.PyTreeDef for "
        "its pytree.PyTreeDef and jax.errors.JaxRuntimeError for its XlaRuntimeError"
    ),
    "jax.experimental.pjit.pjit_p": "import jax.extend.core, and write jax.extend.core.primitives.jit_p",
}
# A JAX of the time since when the newest release of a library no longer has a module that it once had.
_GONE_SINCE: Final[Mapping[str, str]] = {
    "flax.deprecated": "0.2.27",
    "flax.nn": "0.2.26",
    "flax.optim": "0.3.17",
    "jaxlib.xla_extension": "0.6.1",
}
_NEVER: Final = "0.0"
_OF_TORCH: Final = ("flax.linen.", "jax.nn.", "jax.numpy.")  # the rest of what has something instead was there once
# What to do where a function gets more than it takes by position.
TOO_MANY: Final[Mapping[str, str]] = dict.fromkeys(
    ("jax.tree.all", "jax.tree_util.tree_all"), "write jax.tree.all(jax.tree.map(f, x))"
)
# The modules of JAX in which people look for each other's names, those first that most programs import.
JAX_MODULES: Final = ("jax.numpy", "jax.nn", "jax.random", "jax", "jax.scipy.special", "jax.lax")


def gone_since(name: str) -> str:
    """Since when a name is no longer there, as a release of JAX; nothing if that is not known."""
    known = (since for module, since in _GONE_SINCE.items() if f"{name}.".startswith(f"{module}."))
    return next(known, _NEVER if name in INSTEAD and name.startswith(_OF_TORCH) else "")
