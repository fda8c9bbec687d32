"""The real programs: versions, files to check, and settings of the checker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

# Findings depend on line numbers and on the libraries' types, so every version is fixed.
LIBRARIES = (
    "chex==0.1.92",
    "equinox==0.13.8",
    "flax==0.12.8",
    "immutabledict==4.3.1",
    "jax==0.10.2",
    "jaxlib==0.10.2",
    "jaxtyping==0.3.11",
    "lineax==0.1.1",
    "numpy==2.4.6",
    "optax==0.2.8",
    "optimistix==0.1.0",
    "pydantic==2.14.3",
)

# `[tool.jaxtyped_static]` of every program. mypy's cache is valid for one configuration, and all programs share the
# libraries' cache; a name has no effect on programs that do not have it.
SETTINGS: Mapping[str, list[str]] = {
    "static_bases": ["torax._src.static_dataclass.StaticDataclass"],
    "static_markers": [
        "torax._src.torax_pydantic.model_base.JAX_STATIC",
        "torax._src.torax_pydantic.torax_pydantic.JAX_STATIC",
    ],
}


@dataclass(frozen=True)
class Package:
    """One distribution on PyPI and the module to check, or a folder of its sources, each subfolder a program."""

    name: str
    version: str
    module: str = ""
    distribution: str = ""
    folder: str = ""
    # Only the command checks the others: mypy itself needs two minutes for optax, and CI has its bound.
    in_suite: bool = True

    @property
    def requirement(self) -> str:
        return f"{self.distribution or self.name}=={self.version}"


PACKAGES = (
    Package("torax", "1.4.3", "torax"),
    Package("brax", "0.14.2", "brax"),
    Package("mujoco-mjx", "3.17.0", "mujoco.mjx"),
    Package("jax_dataclasses", "1.6.3", "jax_dataclasses"),
    Package("optax", "0.2.8", "optax", in_suite=False),
    Package("equinox", "0.13.8", "equinox"),
    Package("diffrax", "0.7.2", "diffrax"),
    Package("optimistix", "0.1.0", "optimistix"),
    Package("flax", "0.12.8", "flax"),
    Package("flax-examples", "0.12.8", distribution="flax", folder="examples"),
    Package("numpyro", "0.22.0", "numpyro"),
    Package("blackjax", "1.7.1", "blackjax"),
    Package("distrax", "0.1.9", "distrax"),
    Package("jaxopt", "0.8.5", "jaxopt"),
    Package("gymnax", "1.0.1", "gymnax"),
    Package("evosax", "0.3.2", "evosax"),
    Package("flashbax", "0.1.3", "flashbax"),
    Package("pgx", "2.6.0", "pgx"),
    Package("jumanji", "1.1.2", "jumanji"),
    Package("dynamax", "1.0.3", "dynamax"),
    Package("tinygp", "0.3.1", "tinygp"),
    Package("e3nn-jax", "0.21.0", "e3nn_jax"),
    Package("ott-jax", "0.6.0", "ott"),
    Package("jax-md", "0.2.29", "jax_md", in_suite=False),
    Package("sbx-rl", "0.28.0", "sbx"),
    Package("jaxsim", "0.9.0", "jaxsim", in_suite=False),
    Package("gpjax", "1.0.0", "gpjax"),
    Package("jaxns", "3.0.0", "jaxns", in_suite=False),
    Package("jaxley", "0.14.0", "jaxley", in_suite=False),
    Package("jaxoplanet", "0.2.0", "jaxoplanet", in_suite=False),
    Package("dynamiqs", "0.3.7", "dynamiqs"),
    Package("netket", "3.23.0", "netket", in_suite=False),
)
