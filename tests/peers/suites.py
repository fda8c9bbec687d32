"""Which tests run, where they are found, and what replaces their imports."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

_STAND_INS: Final = "tests.peers.stand_ins"


class Suite(NamedTuple):
    """Test files of a peer.

    Attributes:
        of: what they test.
        files: patterns, relative to the source folder.
        rewrites: text → its replacement; each text must occur in one of the files.
        distribution: the source distribution that has the tests; empty if they come with the interpreter.
        repository: where the tests are, if the source distribution has none.
        is_unfrozen: whether constructors of its classes assign `self.x`, which is rewritten, too.
    """

    of: str
    files: tuple[str, ...]
    rewrites: Mapping[str, str]
    distribution: str = ""
    repository: str = ""
    is_unfrozen: bool = False


_CPYTHON: Final = ("test_dataclasses/__init__.py", "test_dataclasses.py")
_FROM_DATACLASSES: Final = "from dataclasses import *\n"


def _of_cpython(of: str, stand_in: str) -> Suite:
    imported = f"{_FROM_DATACLASSES}from {_STAND_INS}.dataclasses import {stand_in} as dataclass\n"
    return Suite(of, _CPYTHON, MappingProxyType({_FROM_DATACLASSES: imported}), is_unfrozen=True)


SUITES: Final[Mapping[str, Suite]] = {
    "cpython-static": _of_cpython("CPython's tests of dataclasses, with static_dataclass", "static"),
    "cpython-dynamic": _of_cpython("CPython's tests of dataclasses, with dynamic_dataclass", "dynamic"),
    "jax-dataclasses": Suite(
        "jax_dataclasses.pytree_dataclass and jit, with dynamic_dataclass and our jit",
        ("tests/test_*.py",),
        {"import jax_dataclasses as jdc": f"from {_STAND_INS} import jax_dataclasses as jdc"},
        distribution="jax_dataclasses",
    ),
    "flax-struct": Suite(
        "flax.struct, with dynamic_dataclass",
        ("tests/struct_test.py",),
        {"from flax import struct": f"from {_STAND_INS} import flax_struct as struct"},
        distribution="flax",
    ),
    "simple-pytree": Suite(
        "simple_pytree.Pytree, with dynamic_dataclass",
        ("tests/test_pytree.py",),
        {"from simple_pytree import": f"from {_STAND_INS}.simple_pytree import", "jax.tree_map": "jax.tree.map"},
        distribution="simple-pytree",
        repository="https://github.com/cgarciae/simple-pytree",
    ),
    "torax": Suite(
        "TORAX's StaticDataclass, with static_dataclass",
        ("torax/_src/tests/static_dataclass_test.py",),
        {
            "from torax._src import static_dataclass": f"from {_STAND_INS} import torax as static_dataclass",
            "@dataclasses.dataclass(frozen=True, eq=False)": "@static_dataclass.decorator",
        },
        distribution="torax",
        repository="https://github.com/google-deepmind/torax",
    ),
    "equinox": Suite(
        "equinox.Module, with dynamic_dataclass",
        ("tests/test_module.py",),
        {
            "import equinox as eqx": f"from {_STAND_INS} import equinox as eqx",
            "from .helpers import tree_allclose": "from equinox import tree_equal as tree_allclose",
        },
        distribution="equinox",
        repository="https://github.com/patrick-kidger/equinox",
    ),
}
