"""The parameters of JAX's functions that the tables call concrete raise where they are traced (JAX 0.10.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import pytest

from jaxtyped_static_mypy.knowledge.jax_functions import JAX_FUNCTIONS

X: Final = jnp.arange(6.0)
M: Final = jnp.arange(6.0).reshape(2, 3)
SQUARE: Final = jnp.eye(2)
CUBE: Final = jnp.ones((2, 2, 2))
IDS: Final = jnp.arange(6)
KEY: Final = jax.random.key(0)

_MODULES: Final[Mapping[str, tuple[ModuleType, ...]]] = {
    "image": (jax.image,),
    "lax": (jax.lax,),
    "nn": (jax.nn,),
    "numpy": (jnp, jnp.linalg, jnp.fft),
    "ops": (jax.ops,),
}
# By area and name: arguments of a call that works, also of the parameters that have to be concrete.
_CALLS: Final[Mapping[str, dict[str, Any]]] = {
    "image.resize": {"image": M, "shape": (3, 3), "method": "nearest"},
    "lax.broadcast": {"operand": X, "sizes": (2,)},
    "lax.broadcast_in_dim": {"operand": X, "shape": (2, 6), "broadcast_dimensions": (1,)},
    "lax.broadcasted_iota": {"dtype": int, "shape": (2,), "dimension": 0},
    "lax.dynamic_slice": {"operand": X, "start_indices": (0,), "slice_sizes": (2,)},
    "lax.dynamic_slice_in_dim": {"operand": X, "start_index": 0, "slice_size": 2},
    "lax.expand_dims": {"array": X, "dimensions": (0,)},
    "lax.full": {"shape": (2,), "fill_value": 1.0},
    "lax.index_in_dim": {"operand": X, "index": 1},
    "lax.iota": {"dtype": int, "size": 3},
    "lax.reshape": {"operand": X, "new_sizes": (2, 3)},
    "lax.scan": {"f": lambda carry, _: (carry, None), "init": 0.0, "length": 3},
    "lax.slice": {"operand": X, "start_indices": (0,), "limit_indices": (2,), "strides": (1,)},
    "lax.slice_in_dim": {"operand": X, "start_index": 0, "limit_index": 2, "stride": 1},
    "lax.split": {"operand": X, "sizes": (2, 4)},
    "lax.top_k": {"operand": X, "k": 2},
    "nn.one_hot": {"x": IDS, "num_classes": 6},
    "numpy.arange": {"start": 0, "stop": 3, "step": 1},
    "numpy.array_split": {"ary": X, "indices_or_sections": 2},
    "numpy.broadcast_to": {"array": X, "shape": (2, 6)},
    "numpy.diag": {"v": M, "k": 1},
    "numpy.diag_indices": {"n": 2},
    "numpy.diagonal": {"a": M, "offset": 1},
    "numpy.diff": {"a": X, "n": 1},
    "numpy.dsplit": {"ary": CUBE, "indices_or_sections": 2},
    "numpy.eye": {"N": 2, "M": 3},
    "numpy.full_like": {"a": X, "fill_value": 1.0, "shape": (2,)},
    "numpy.full": {"shape": (2,), "fill_value": 1.0},
    "numpy.geomspace": {"start": 1.0, "stop": 2.0, "num": 3},
    "numpy.hsplit": {"ary": X, "indices_or_sections": 2},
    "numpy.identity": {"n": 2},
    "numpy.indices": {"dimensions": (2, 2)},
    "numpy.kaiser": {"M": 3, "beta": 1.0},
    "numpy.linspace": {"start": 0.0, "stop": 1.0, "num": 3},
    "numpy.logspace": {"start": 0.0, "stop": 1.0, "num": 3},
    "numpy.matrix_power": {"a": SQUARE, "n": 2},
    "numpy.moveaxis": {"a": M, "source": 0, "destination": 1},
    "numpy.norm": {"x": X, "ord": 2},
    "numpy.pad": {"array": X, "pad_width": 1},
    "numpy.polyfit": {"x": X, "y": X, "deg": 1},
    "numpy.reshape": {"a": X, "shape": (2, 3)},
    "numpy.resize": {"a": X, "new_shape": (3,)},
    "numpy.rot90": {"m": M, "k": 1, "axes": (0, 1)},
    "numpy.round": {"a": X, "decimals": 1},
    "numpy.split": {"ary": X, "indices_or_sections": 2},
    "numpy.tensordot": {"a": SQUARE, "b": SQUARE, "axes": 1},
    "numpy.tile": {"A": X, "reps": 2},
    "numpy.tri": {"N": 2, "M": 3},
    "numpy.tril": {"m": M, "k": 1},
    "numpy.tril_indices": {"n": 2, "m": 3},
    "numpy.triu": {"m": M, "k": 1},
    "numpy.triu_indices": {"n": 2, "m": 3},
    "numpy.vander": {"x": X, "N": 2},
    "numpy.vsplit": {"ary": M, "indices_or_sections": 2},
    **{f"numpy.{name}": {"a": X, "n": 4} for name in ("fft", "hfft", "ifft", "ihfft", "irfft", "rfft")},
    **{f"numpy.{name}": {"n": 4} for name in ("fftfreq", "rfftfreq")},
    **{f"numpy.{name}": {"M": 3} for name in ("bartlett", "blackman", "hamming", "hanning")},
    **{f"numpy.{name}": {"shape": (2,)} for name in ("empty", "ones", "zeros")},
    **{f"numpy.{name}": {"a": X, "shape": (2,)} for name in ("ones_like", "zeros_like")},
    "numpy.empty_like": {"prototype": X, "shape": (2,)},
    **{
        f"ops.segment_{name}": {"data": X, "segment_ids": IDS, "num_segments": 6}
        for name in ("max", "min", "prod", "sum")
    },
}


class _Case(NamedTuple):
    name: str
    parameter: str

    def __str__(self) -> str:
        return f"{self.name}-{self.parameter}"


def _cases() -> Iterator[_Case]:
    for name, row in sorted(JAX_FUNCTIONS.items()):
        for parameter in sorted(row.shapes) if name.partition(".")[0] in _MODULES and row.sized_by is None else ():
            yield _Case(name, parameter)


def _function(name: str) -> Any:
    area, _, short = name.partition(".")
    return next(getattr(module, short) for module in _MODULES[area] if callable(getattr(module, short, None)))


@pytest.mark.parametrize("case", [case for case in _cases() if case.name != "lax.gather"], ids=str)
def test_a_concrete_parameter_raises_where_it_is_traced(case: _Case) -> None:
    function, arguments = _function(case.name), _CALLS[case.name]
    function(**arguments)
    with pytest.raises((TypeError, ValueError, IndexError, jax.errors.JAXTypeError)):
        jax.jit(lambda value: function(**{**arguments, case.parameter: value}))(arguments[case.parameter])


_TAKING_TRACERS: Final[Mapping[str, Any]] = {
    "roll": lambda value: jnp.roll(X, value),
    "delete": lambda value: jnp.delete(X, value, assume_unique_indices=True),
    "insert": lambda value: jnp.insert(X, value, 1.0),
    "std": lambda value: jnp.std(X, ddof=value),
    "dynamic_index": lambda value: jax.lax.dynamic_index_in_dim(X, value),
    "unravel_index": lambda value: jnp.unravel_index(value, (3,)),
    "fold_in": lambda value: jax.random.fold_in(KEY, value),
}


@pytest.mark.parametrize("name", _TAKING_TRACERS)
def test_what_may_be_traced_is_not_called_concrete(name: str) -> None:
    jax.jit(_TAKING_TRACERS[name])(1)
