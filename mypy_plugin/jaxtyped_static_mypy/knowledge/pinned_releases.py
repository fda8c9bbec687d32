"""Which release of a library was the last when a JAX came out, by the dates on PyPI.

Who asks for an earlier one wrote the program with that JAX, or with one before it.
"""

from collections.abc import Mapping
from typing import Final

CURRENT: Final[Mapping[str, Mapping[str, str]]] = {
    "0.2.17": {
        "brax": "0.0.3",
        "chex": "0.0.8",
        "distrax": "0.0.1",
        "dm-haiku": "0.0.4",
        "flax": "0.3.4",
        "numpyro": "0.6.0",
        "optax": "0.0.9",
    },
    "0.3.25": {
        "brax": "0.0.15",
        "chex": "0.1.5",
        "distrax": "0.1.2",
        "dm-haiku": "0.0.8",
        "equinox": "0.9.1",
        "flax": "0.6.2",
        "numpyro": "0.10.1",
        "optax": "0.1.3",
    },
    "0.4.13": {
        "brax": "0.9.1",
        "chex": "0.1.7",
        "distrax": "0.1.3",
        "dm-haiku": "0.0.9",
        "equinox": "0.10.6",
        "flax": "0.6.11",
        "numpyro": "0.12.1",
        "optax": "0.1.5",
    },
    "0.4.30": {
        "brax": "0.10.5",
        "chex": "0.1.86",
        "distrax": "0.1.5",
        "dm-haiku": "0.0.12",
        "equinox": "0.11.4",
        "flax": "0.8.4",
        "numpyro": "0.15.0",
        "optax": "0.2.2",
    },
    "0.6.2": {
        "brax": "0.12.4",
        "chex": "0.1.89",
        "distrax": "0.1.5",
        "dm-haiku": "0.0.14",
        "equinox": "0.12.2",
        "flax": "0.10.6",
        "numpyro": "0.18.0",
        "optax": "0.2.5",
    },
}
