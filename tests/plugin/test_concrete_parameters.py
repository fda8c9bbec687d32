"""The parameters of JAX's functions that the tables call concrete raise where they are traced (JAX 0.10.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import jax.scipy.ndimage
import jax.scipy.signal
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
    "nn": (jax.nn, jax.nn.initializers),
    "numpy": (jnp, jnp.linalg, jnp.fft),
    "ops": (jax.ops,),
    "scipy": (jax.scipy.linalg, jax.scipy.ndimage, jax.scipy.signal, jax.scipy.special),
}
# By area and name: arguments of a call that works, also of the parameters that have to be concrete.
_CALLS: Final[Mapping[str, dict[str, Any]]] = {
    "image.resize": {"image": M, "shape": (3, 3), "method": "nearest"},
    "image.scale_and_translate": {
        "image": M,
        "shape": (3, 3),
        "spatial_dims": (0, 1),
        "scale": jnp.ones(2),
        "translation": jnp.zeros(2),
        "method": "linear",
    },
    "lax.approx_max_k": {"operand": X, "k": 2},
    "lax.approx_min_k": {"operand": X, "k": 2},
    "lax.broadcast": {"operand": X, "sizes": (2,)},
    "lax.collapse": {"operand": M, "start_dimension": 0, "stop_dimension": 2},
    "lax.concatenate": {"operands": [X, X], "dimension": 0},
    "lax.conv": {"lhs": CUBE[None], "rhs": CUBE[None], "window_strides": (1, 1), "padding": "VALID"},
    "lax.full_like": {"x": X, "fill_value": 1.0, "shape": (2,)},
    "lax.integer_pow": {"x": X, "y": 2},
    "lax.map": {"f": jnp.sin, "xs": X, "batch_size": 2},
    "lax.reduce": {"operands": X, "init_values": 0.0, "computation": jax.lax.add, "dimensions": (0,)},
    "lax.reduce_precision": {"operand": X, "exponent_bits": 8, "mantissa_bits": 7},
    "lax.reduce_window": {
        "operand": X,
        "init_value": 0.0,
        "computation": jax.lax.add,
        "window_dimensions": (2,),
        "window_strides": (1,),
        "padding": "VALID",
    },
    "lax.rev": {"operand": X, "dimensions": (0,)},
    "lax.rng_uniform": {"a": 0.0, "b": 1.0, "shape": (2,)},
    "lax.sort": {"operand": X, "dimension": 0, "num_keys": 1},
    "lax.sort_key_val": {"keys": X, "values": X, "dimension": 0},
    "lax.squeeze": {"array": X[None], "dimensions": (0,)},
    "lax.tile": {"operand": X, "reps": (2,)},
    "lax.transpose": {"operand": M, "permutation": (1, 0)},
    "lax.broadcast_in_dim": {"operand": X, "shape": (2, 6), "broadcast_dimensions": (1,)},
    "lax.broadcasted_iota": {"dtype": int, "shape": (2,), "dimension": 0},
    "lax.dynamic_slice": {"operand": X, "start_indices": (0,), "slice_sizes": (2,)},
    "lax.dynamic_slice_in_dim": {"operand": X, "start_index": 0, "slice_size": 2},
    "lax.expand_dims": {"array": X, "dimensions": (0,)},
    "lax.full": {"shape": (2,), "fill_value": 1.0},
    "lax.index_in_dim": {"operand": X, "index": 1},
    "lax.iota": {"dtype": int, "size": 3},
    "lax.reshape": {"operand": X, "new_sizes": (2, 3)},
    "lax.scan": {"f": lambda carry, _: (carry, None), "init": 0.0, "length": 3, "unroll": 1},
    "lax.slice": {"operand": X, "start_indices": (0,), "limit_indices": (2,), "strides": (1,)},
    "lax.slice_in_dim": {"operand": X, "start_index": 0, "limit_index": 2, "stride": 1},
    "lax.split": {"operand": X, "sizes": (2, 4)},
    "lax.top_k": {"operand": X, "k": 2},
    "nn.one_hot": {"x": IDS, "num_classes": 6},
    "nn.ones": {"key": KEY, "shape": (2,)},
    "nn.zeros": {"key": KEY, "shape": (2,)},
    "numpy.arange": {"start": 0, "stop": 3, "step": 1},
    "numpy.argpartition": {"a": X, "kth": 2},
    "numpy.array_split": {"ary": X, "indices_or_sections": 2},
    "numpy.broadcast_to": {"array": X, "shape": (2, 6)},
    "numpy.cond": {"x": SQUARE, "p": 2},
    "numpy.cov": {"m": M, "ddof": 1},
    "numpy.cross": {"a": M, "b": M, "axisa": 1, "axisb": 1, "axisc": 1},
    "numpy.diag": {"v": M, "k": 1},
    "numpy.diag_indices": {"n": 2, "ndim": 2},
    "numpy.diagflat": {"v": X, "k": 1},
    "numpy.diagonal": {"a": M, "offset": 1},
    "numpy.diff": {"a": X, "n": 1},
    "numpy.dsplit": {"ary": CUBE, "indices_or_sections": 2},
    "numpy.eye": {"N": 2, "M": 3},
    "numpy.fromfunction": {"function": lambda i: i, "shape": (2,)},
    "numpy.full_like": {"a": X, "fill_value": 1.0, "shape": (2,)},
    "numpy.full": {"shape": (2,), "fill_value": 1.0},
    "numpy.geomspace": {"start": 1.0, "stop": 2.0, "num": 3},
    "numpy.hsplit": {"ary": X, "indices_or_sections": 2},
    "numpy.identity": {"n": 2},
    "numpy.indices": {"dimensions": (2, 2)},
    "numpy.kaiser": {"M": 3, "beta": 1.0},
    "numpy.linspace": {"start": 0.0, "stop": 1.0, "num": 3},
    "numpy.logspace": {"start": 0.0, "stop": 1.0, "num": 3},
    "numpy.mask_indices": {"n": 2, "mask_func": jnp.triu, "k": 0, "size": 3},
    "numpy.matrix_power": {"a": SQUARE, "n": 2},
    "numpy.moveaxis": {"a": M, "source": 0, "destination": 1},
    "numpy.norm": {"x": X, "ord": 2},
    "numpy.pad": {"array": X, "pad_width": 1},
    "numpy.partition": {"a": X, "kth": 2},
    "numpy.polyder": {"p": X, "m": 1},
    "numpy.polyfit": {"x": X, "y": X, "deg": 1},
    "numpy.polyint": {"p": X, "m": 1},
    "numpy.ravel_multi_index": {"multi_index": (IDS,), "dims": (6,), "mode": "clip"},
    "numpy.reshape": {"a": X, "shape": (2, 3)},
    "numpy.resize": {"a": X, "new_shape": (3,)},
    "numpy.rollaxis": {"a": M, "axis": 1, "start": 0},
    "numpy.rot90": {"m": M, "k": 1, "axes": (0, 1)},
    "numpy.round": {"a": X, "decimals": 1},
    "numpy.split": {"ary": X, "indices_or_sections": 2},
    "numpy.tensordot": {"a": SQUARE, "b": SQUARE, "axes": 1},
    "numpy.tensorinv": {"a": jnp.eye(4).reshape(2, 2, 4), "ind": 2},
    "numpy.tile": {"A": X, "reps": 2},
    "numpy.tri": {"N": 2, "M": 3},
    "numpy.tril": {"m": M, "k": 1},
    "numpy.tril_indices": {"n": 2, "k": 0, "m": 3},
    "numpy.tril_indices_from": {"arr": SQUARE, "k": 0},
    "numpy.triu": {"m": M, "k": 1},
    "numpy.triu_indices": {"n": 2, "k": 0, "m": 3},
    "numpy.triu_indices_from": {"arr": SQUARE, "k": 0},
    "numpy.unpackbits": {"a": jnp.ones(1, jnp.uint8), "count": 3},
    "numpy.vander": {"x": X, "N": 2},
    "numpy.vsplit": {"ary": M, "indices_or_sections": 2},
    **{f"numpy.{name}": {"a": X, "n": 4} for name in ("fft", "hfft", "ifft", "ihfft", "irfft", "rfft")},
    **{
        f"numpy.{name}": {"a": M, "s": (2, 2)}
        for name in ("fft2", "fftn", "ifft2", "ifftn", "irfft2", "irfftn", "rfft2", "rfftn")
    },
    **{f"numpy.{name}": {"n": 4} for name in ("fftfreq", "rfftfreq")},
    **{f"numpy.{name}": {"M": 3} for name in ("bartlett", "blackman", "hamming", "hanning")},
    **{f"numpy.{name}": {"shape": (2,)} for name in ("empty", "ones", "zeros")},
    **{f"numpy.{name}": {"a": X, "shape": (2,)} for name in ("ones_like", "zeros_like")},
    "numpy.empty_like": {"prototype": X, "shape": (2,)},
    "scipy.bernoulli": {"n": 3},
    "scipy.bessel_jn": {"z": X, "v": 2, "n_iter": 50},
    "scipy.expm": {"A": SQUARE, "max_squarings": 16},
    "scipy.hilbert": {"n": 3},
    "scipy.map_coordinates": {"input": X, "coordinates": [X], "order": 1},
    "scipy.multigammaln": {"a": X + 9, "d": 2},
    "scipy.sph_harm_y": {"n": IDS[:1], "m": IDS[:1], "theta": X[:1], "phi": X[:1], "n_max": 2},
    "scipy.stft": {"x": X, "nperseg": 2, "noverlap": 1, "nfft": 2},
    "scipy.welch": {"x": X, "nperseg": 2, "noverlap": 1, "nfft": 2},
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

_WITH_NUMBERS: Final[Mapping[str, Any]] = {
    "numpy.histogram": lambda value: jnp.histogram(X, value),
    "numpy.histogram2d": lambda value: jnp.histogram2d(X, X, value),
    "numpy.histogram_bin_edges": lambda value: jnp.histogram_bin_edges(X, value),
    "numpy.histogramdd": lambda value: jnp.histogramdd(M.T, value),
    "random.choice": lambda value: jax.random.choice(KEY, value),
    "random.permutation": lambda value: jax.random.permutation(KEY, value),
}
_OF_LENGTH: Final[Mapping[str, Any]] = {
    "delete": lambda value: jnp.delete(X, value),
    "roots": jnp.roots,
    "segment_sum": lambda value: jax.ops.segment_sum(X, value),
    "setxor1d": lambda value: jnp.setxor1d(value, value + 1),
}


@pytest.mark.parametrize("name", [name for name, row in JAX_FUNCTIONS.items() if row.numbers])
def test_a_number_in_place_of_an_array_raises_where_it_is_traced(name: str) -> None:
    _WITH_NUMBERS[name](3)
    with pytest.raises((TypeError, ValueError, jax.errors.JAXTypeError)):
        jax.jit(_WITH_NUMBERS[name])(3)


@pytest.mark.parametrize("name", _OF_LENGTH)
def test_values_that_decide_a_length_raise_where_they_are_traced(name: str) -> None:
    _OF_LENGTH[name](IDS)
    with pytest.raises(jax.errors.JAXTypeError):
        jax.jit(_OF_LENGTH[name])(IDS)


@pytest.mark.parametrize("name", _TAKING_TRACERS)
def test_what_may_be_traced_is_not_called_concrete(name: str) -> None:
    jax.jit(_TAKING_TRACERS[name])(1)
