"""Which parameters of the installed JAX's functions refuse a list or a tuple where they take an array."""

from __future__ import annotations

import inspect
import itertools
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from inspect import Parameter
from typing import Any, Final

import jax
import jax.numpy as jnp

from jaxtyped_static_mypy.knowledge.jax_functions import jax_name

AREAS: Final[Mapping[str, Any]] = {
    "jax.numpy": jnp,
    "jax.numpy.linalg": jnp.linalg,
    "jax.numpy.fft": jnp.fft,
    "jax.nn": jax.nn,
    "jax.lax": jax.lax,
    "jax.random": jax.random,
    "jax.scipy.special": jax.scipy.special,
    "jax.scipy.linalg": jax.scipy.linalg,
    "jax.scipy.signal": jax.scipy.signal,
}
# Of these, the public name is the one that mypy reads: in a stub.
_IN_STUBS: Final = "jax.numpy"

_VECTOR: Final = jnp.array([0.5, 0.25, 0.75])
_MATRIX: Final = jnp.array([[2.0, 0.5], [0.5, 3.0]])
_WHOLE: Final = jnp.array([1, 0, 2])
_TRUTHS: Final = jnp.array([True, False, True])
_ARRAYS: Final = (_VECTOR, _MATRIX, _WHOLE, _TRUTHS, jnp.ones((2, 2, 2)), jnp.array([2, 3], dtype=jnp.uint8))
_ANY: Final = (*_ARRAYS[:4], 2, 0, *_ARRAYS[4:], (0,), (2,), (3,), 1.0, [_VECTOR, _VECTOR], jnp.float32, "i", (0, 1))
_KEYS: Final = ("key", "key_or_seed")
# For functions that need others.
_GIVEN: Final[Mapping[str, Mapping[str, Any]]] = {
    "numpy.einsum": {"subscripts": "i,i", "operands": [_VECTOR, _VECTOR]},
    "numpy.where": {"x": _VECTOR, "y": _VECTOR},
    "numpy.digitize": {"bins": jnp.array([0.1, 0.5, 1.0])},
    "numpy.clip": {"min": _VECTOR, "max": _VECTOR},
    "numpy.interp": {"xp": _VECTOR, "fp": _VECTOR},
    "numpy.apply_along_axis": {"func1d": jnp.sum, "axis": 0, "arr": _MATRIX, "args": []},
    "numpy.apply_over_axes": {"func": jnp.sum, "a": _MATRIX, "axes": 0},
    "random.multivariate_normal": {"mean": jnp.zeros(2), "cov": jnp.eye(2)},
    "nn.dot_product_attention": dict.fromkeys(("query", "key", "value"), jnp.ones((1, 2, 2, 2))),
}
# Functions of no arrays, of keys, and those that these calls do not reach; `einsum` takes lists of axes, too.
_SKIPPED: Final = """
    lax.after_all lax.all_gather lax.all_to_all lax.associative_scan lax.axis_index lax.axis_size
    lax.broadcast_shapes lax.broadcasted_iota lax.cond lax.conv lax.conv_dimension_numbers
    lax.conv_general_dilated lax.conv_general_dilated_local lax.conv_general_dilated_patches
    lax.conv_general_permutations lax.conv_general_shape_tuple lax.conv_shape_tuple lax.conv_transpose
    lax.conv_transpose_shape_tuple lax.conv_with_general_padding lax.custom_linear_solve lax.custom_root
    lax.dot_general lax.empty lax.fft lax.fori_loop lax.gather lax.imag lax.index_take lax.iota lax.pad
    lax.padtype_to_pads lax.platform_dependent lax.pmean lax.precv lax.psum_scatter lax.pswapaxes
    lax.ragged_all_to_all lax.ragged_dot_general lax.real lax.reduce lax.reduce_window
    lax.reduce_window_shape_tuple lax.rng_bit_generator lax.rng_uniform lax.scan lax.scatter lax.scatter_add
    lax.scatter_apply lax.scatter_max lax.scatter_min lax.scatter_mul lax.scatter_sub lax.select lax.squeeze
    lax.switch lax.up_and_broadcast lax.while_loop nn.get_scaled_dot_general_config nn.scaled_dot_general
    nn.scaled_matmul numpy.apply_over_axes numpy.arange numpy.array numpy.bartlett numpy.bitwise_and
    numpy.bitwise_or numpy.bitwise_xor numpy.blackman numpy.broadcast_shapes numpy.clip numpy.diag_indices
    numpy.einsum numpy.eye numpy.fill_diagonal numpy.fromfile numpy.fromfunction numpy.fromiter numpy.frompyfunc
    numpy.fromstring numpy.get_printoptions numpy.hamming numpy.hanning numpy.identity numpy.load
    numpy.mask_indices numpy.place numpy.put numpy.put_along_axis numpy.ravel_multi_index numpy.save numpy.savez
    numpy.set_printoptions numpy.tensorinv numpy.tri numpy.tril_indices numpy.triu_indices random.PRNGKey
    random.clone random.fold_in random.key random.key_data random.key_dtype random.key_impl random.randint
    random.split random.wrap_key_data scipy.bernoulli scipy.cho_solve scipy.dft scipy.eigh_tridiagonal
    scipy.hadamard scipy.helmert scipy.hilbert scipy.invhilbert scipy.invpascal scipy.lu_solve scipy.pascal
    scipy.sph_harm_y scipy.zeta
"""
SKIPPED: Final = frozenset(_SKIPPED.split())
_MOST_TRIES: Final = 400
_STAR: Final = Parameter.VAR_POSITIONAL

REFUSES: Final = "refuses"
TAKES: Final = "takes"


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The functions of each area, by the names that the tables know them by."""
    for module, area in AREAS.items():
        for short in sorted(name for name in vars(area) if not name.startswith("_")):
            function = getattr(area, short)
            if callable(function) and not isinstance(function, type):
                is_public = module.startswith(_IN_STUBS)
                full = f"{module}.{short}" if is_public else f"{function.__module__}.{function.__name__}"
                yield jax_name(full) or "", function


def answers(name: str, function: Callable[..., Any]) -> dict[tuple[int, str], str]:
    """Whether each parameter that takes an array refuses lists, by its position and its name."""
    parameters = _parameters(function)
    found: dict[tuple[int, str], str] = {}
    with warnings.catch_warnings(), _whole_tracebacks():
        warnings.simplefilter("ignore")
        for given in _working(name, function, parameters):
            for index, parameter in enumerate(parameters):
                value = given.get(parameter.name)
                if (index, parameter.name) not in found and _is_array(value, parameter):
                    found[index, parameter.name] = _answer(function, parameters, given, parameter)
    return found


@contextmanager
def _whole_tracebacks() -> Iterator[None]:
    """Of a hundred thousand exceptions nobody reads the traceback, and to shorten it is most of the work."""
    before = jax.config.jax_traceback_filtering  # type: ignore[attr-defined]
    jax.config.update("jax_traceback_filtering", "off")  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        jax.config.update("jax_traceback_filtering", before)  # type: ignore[no-untyped-call]


def is_rest(function: Callable[..., Any], name: str) -> bool:
    """Whether a parameter takes the rest of the positional arguments."""
    return any(one.name == name and one.kind is _STAR for one in _parameters(function))


def _parameters(function: Callable[..., Any]) -> list[Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []


def _is_array(value: Any, parameter: Parameter) -> bool:
    if parameter.kind is _STAR:
        return isinstance(value, list) and bool(value) and isinstance(value[0], jax.Array)
    return isinstance(value, jax.Array) and value.ndim > 0


def _working(name: str, function: Callable[..., Any], parameters: Sequence[Parameter]) -> Iterator[Mapping[str, Any]]:
    """Arguments with which a function works, for each parameter at least one where it gets an array."""
    known = {key: jax.random.key(0) for key in _KEYS} if name.startswith("random.") else {}
    known |= _GIVEN.get(name, {})
    needed = [p for p in parameters if p.kind is not Parameter.VAR_KEYWORD and p.default is Parameter.empty]
    choices = [[known[p.name]] if p.name in known else _choices(p) for p in needed]
    base = None
    for values in itertools.islice(itertools.product(*choices), _MOST_TRIES):
        given = {**dict(zip((p.name for p in needed), values, strict=True))}
        given |= {p.name: known[p.name] for p in parameters if p.name in known}
        if _works(function, parameters, given):
            base = given
            break
    if base is None:
        return
    yield base
    for parameter in parameters:
        if not _is_array(base.get(parameter.name), parameter) and parameter.kind is not Parameter.VAR_KEYWORD:
            for value in _ARRAYS if parameter.kind is not _STAR else [[_VECTOR]]:
                if _works(function, parameters, {**base, parameter.name: value}):
                    yield {**base, parameter.name: value}
                    break


def _choices(parameter: Parameter) -> Sequence[Any]:
    return ([_VECTOR], [_MATRIX], [_VECTOR, _VECTOR]) if parameter.kind is _STAR else _ANY


def _answer(
    function: Callable[..., Any], parameters: Sequence[Parameter], given: Mapping[str, Any], parameter: Parameter
) -> str:
    value = given[parameter.name]
    array = value[0] if parameter.kind is _STAR else value
    numbers = array.tolist()
    for items in (list(array), numbers, [array, array], [numbers[0]], [1.0, 2.0], [1, 2], []):
        for tried in (items, tuple(items)):
            put = [tried, *value[1:]] if parameter.kind is _STAR else tried
            if _works(function, parameters, {**given, parameter.name: put}):
                return TAKES
    return REFUSES


def _works(function: Callable[..., Any], parameters: Sequence[Parameter], given: Mapping[str, Any]) -> bool:
    def call() -> None:
        _call(function, parameters, given)

    for attempt in (lambda: jax.eval_shape(call), call):
        try:
            attempt()
        except Exception:  # whatever JAX raises
            continue
        return True
    return False


def _call(function: Callable[..., Any], parameters: Sequence[Parameter], given: Mapping[str, Any]) -> None:
    positional: list[Any] = []
    named: dict[str, Any] = {}
    is_open = True  # whether all parameters before were given
    for parameter in parameters:
        if parameter.name not in given:
            is_open = False
        elif parameter.kind is _STAR:
            positional.extend(given[parameter.name])
        elif parameter.kind is Parameter.KEYWORD_ONLY or not is_open:
            named[parameter.name] = given[parameter.name]
        else:
            positional.append(given[parameter.name])
    function(*positional, **named)
