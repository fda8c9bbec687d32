"""The real programs: which versions, what is checked, and what the checker is told about them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

# Findings name lines, and the libraries' types decide some of them, so every version is fixed.
LIBRARIES = (
    "chex==0.1.92",
    "equinox==0.13.8",
    "flax==0.12.8",
    "immutabledict==4.3.1",
    "jax==0.10.2",
    "jaxlib==0.10.2",
    "jaxtyping==0.3.11",
    "numpy==2.4.6",
    "optax==0.2.8",
    "pydantic==2.14.3",
)


@dataclass(frozen=True)
class Package:
    """One distribution on PyPI, the module it is checked by, and its `[tool.jaxtyped_static]`."""

    name: str
    version: str
    module: str
    settings: Mapping[str, bool | list[str]] = field(default_factory=dict)
    # mypy itself needs two minutes for optax (65 s of them for one module), so only the command checks it.
    in_suite: bool = True

    @property
    def requirement(self) -> str:
        return f"{self.name}=={self.version}"


PACKAGES = (
    Package(
        "torax",
        "1.4.3",
        "torax",
        {
            "static_bases": ["torax._src.static_dataclass.StaticDataclass"],
            "static_markers": [
                "torax._src.torax_pydantic.model_base.JAX_STATIC",
                "torax._src.torax_pydantic.torax_pydantic.JAX_STATIC",
            ],
        },
    ),
    Package("brax", "0.14.2", "brax"),
    Package("mujoco-mjx", "3.17.0", "mujoco.mjx"),
    Package("jax_dataclasses", "1.6.3", "jax_dataclasses"),
    Package("optax", "0.2.8", "optax", in_suite=False),
)
