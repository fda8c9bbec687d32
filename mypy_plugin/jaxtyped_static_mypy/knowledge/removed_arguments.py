"""Arguments that some release of JAX took by name, and JAX 0.10.2 does not.

Read from the packages of the releases 0.2.9 to 0.9.2, without importing them: `python -m tests.cli.removed_arguments`.
`tests/cli/test_removed_arguments.py` holds them against the JAX that is installed.
"""

from collections.abc import Mapping
from typing import Final

from .removed_releases import Times, following

# By the last of these releases that has them, and module: a function, and its arguments.
_ROWS: Final[Mapping[str, Mapping[str, str]]] = {
    "0.9.2": {
        "jax": "pmap(global_arg_shapes)",
        "jax.experimental.pallas": "kernel(out_shape,scratch_shapes)",
        "jax.numpy": "clip(a,a_max,a_min)",
    },
    "0.9.0": {"jax.experimental.pallas": "pallas_call(backend)"},
    "0.8.2": {
        "jax.numpy": """
            nanpercentile(interpolation) nanquantile(interpolation) percentile(interpolation) quantile(interpolation)
        """
    },
    "0.8.0": {"jax": "jit(abstracted_axes)", "jax.experimental.pjit": "pjit(abstracted_axes)"},
    "0.7.0": {
        "jax.experimental.pallas": "empty_ref_like(backend) semaphore_wait(dec) when(condition)",
        "jax.lax": "scatter_add(out_sharding)",
    },
    "0.5.3": {
        "jax.example_libraries.stax": "log_softmax(initial) logsoftmax(initial) softmax(initial)",
        "jax.nn": "log_softmax(initial) softmax(initial)",
        "jax.numpy": "reshape(newshape)",
    },
    "0.5.0": {"jax.lax": "broadcast(sharding) broadcast_in_dim(sharding) broadcasted_iota(sharding) reshape(sharding)"},
    "0.4.36": {"jax.lax": "dot_general(out_type)"},
    "0.4.33": {
        "jax.export": "export(lowering_platforms) symbolic_args_specs(symbolic_constraints,symbolic_scope)",
    },
    "0.4.30": {"jax.experimental.pallas": "pallas_call(f)"},
    "0.4.26": {
        "jax.numpy": "clip(out) einsum_path(subscripts) from_dlpack(x)",
        "jax.scipy.special": "beta(x,y) exp1(module)",
        "jax.scipy.stats.gennorm": "cdf(p) logpdf(p) pdf(p)",
    },
    "0.4.20": {"jax.scipy.linalg": "solve(sym_pos)"},
    "0.4.13": {
        "jax.dlpack": "from_dlpack(dlpack)",
        "jax.experimental.pjit": "pjit(in_axis_resources,out_axis_resources)",
    },
    "0.4.10": {"jax.lax": "with_sharding_constraint(axis_resources)"},
    "0.4.6": {"jax": "make_jaxpr(abstracted_axes)"},
    "0.4.1": {"jax.experimental.checkify": "checkify(fun)"},
    "0.3.25": {
        "jax.numpy": """
            absolute(x) arccosh(x) conj(x) conjugate(x) copysign(x1,x2) deg2rad(x) degrees(x) divide(x1,x2)
            divmod(x1,x2) exp2(x) floor_divide(x1,x2) fmod(x1,x2) frexp(x) heaviside(x1,x2) hypot(x1,x2) imag(val)
            isfinite(x) isinf(x) isnan(x) ldexp(x1,x2) log10(x) log2(x) modf(x) power(x1,x2) rad2deg(x) radians(x)
            real(val) reciprocal(x) remainder(x1,x2) right_shift(x1,x2) rint(x) sign(x) signbit(x) sinc(x) square(x)
            true_divide(x1,x2)
        """,
        "jax.scipy.special": "betaln(x,y)",
    },
    "0.3.17": {"jax.numpy": "where(condition,x,y)"},
    "0.3.10": {
        "jax.lax.linalg": "qdwh(is_symmetric)",
        "jax.numpy": "empty_like(a)",
        "jax.scipy.linalg": "polar(maxiter)",
    },
    "0.2.28": {"jax.numpy": "broadcast_to(arr)"},
    "0.2.17": {"jax.dlpack": "from_dlpack(backend)", "jax.numpy": "cbrt(x)"},
    "0.2.9": {"jax.lax.linalg": "lu_pivots_to_permutation(m,swaps)"},
}
_BY_POSITION: Final = "give it by position"
_LEAVE_OUT: Final = "leave it out"
_METHOD: Final = "write method"
_OUT_SHARDING: Final = "write out_sharding"
# What JAX's change log says to write, or the name that the argument has now. Of others that are still there, and have
# no name any more, it is said without a row.
_ADVICE: Final[Mapping[str, Mapping[str, str]]] = {
    "jax.dlpack.from_dlpack": {"dlpack": "write external_array"},
    "jax.experimental.checkify.checkify": {"fun": "write f"},
    "jax.experimental.pallas.kernel": {"out_shape": "write out_type", "scratch_shapes": "write scratch_types"},
    "jax.experimental.pallas.pallas_call": {"f": "write kernel"},
    "jax.experimental.pallas.semaphore_wait": {"dec": "write value"},
    "jax.experimental.pjit.pjit": {
        "in_axis_resources": "write in_shardings",
        "out_axis_resources": "write out_shardings",
    },
    "jax.export.export": {"lowering_platforms": "write platforms"},
    "jax.export.symbolic_args_specs": {
        "symbolic_constraints": "write constraints",
        "symbolic_scope": "write scope",
    },
    "jax.lax.broadcast": {"sharding": _OUT_SHARDING},
    "jax.lax.broadcast_in_dim": {"sharding": _OUT_SHARDING},
    "jax.lax.broadcasted_iota": {"sharding": _OUT_SHARDING},
    "jax.lax.dot_general": {"out_type": _OUT_SHARDING},
    "jax.lax.linalg.qdwh": {"is_symmetric": "write is_hermitian"},
    "jax.lax.reshape": {"sharding": _OUT_SHARDING},
    "jax.lax.with_sharding_constraint": {"axis_resources": "write shardings"},
    "jax.nn.log_softmax": {"initial": _LEAVE_OUT},
    "jax.nn.softmax": {"initial": _LEAVE_OUT},
    "jax.numpy.broadcast_to": {"arr": "write array"},
    "jax.numpy.clip": {"a": _BY_POSITION, "a_max": "write max", "a_min": "write min", "out": _LEAVE_OUT},
    "jax.numpy.empty_like": {"a": "write prototype"},
    "jax.numpy.nanpercentile": {"interpolation": _METHOD},
    "jax.numpy.nanquantile": {"interpolation": _METHOD},
    "jax.numpy.percentile": {"interpolation": _METHOD},
    "jax.numpy.quantile": {"interpolation": _METHOD},
    "jax.numpy.reshape": {"newshape": "write shape"},
    "jax.pmap": {"global_arg_shapes": _LEAVE_OUT},
    "jax.scipy.linalg.polar": {"maxiter": "write max_iterations"},
    "jax.scipy.linalg.solve": {"sym_pos": 'write assume_a="pos"'},
    "jax.scipy.special.beta": {"x": "write a", "y": "write b"},
    "jax.scipy.special.betaln": {"x": "write a", "y": "write b"},
    "jax.scipy.special.exp1": {"module": "write x"},
    "jax.scipy.stats.gennorm.cdf": {"p": "write beta"},
    "jax.scipy.stats.gennorm.logpdf": {"p": "write beta"},
    "jax.scipy.stats.gennorm.pdf": {"p": "write beta"},
}
# The last of the releases in which a function takes an argument.
LAST_WITH: Final[Mapping[tuple[str, str], str]] = {
    (f"{module}.{name}", argument): release
    for release, modules in _ROWS.items()
    for module, functions in modules.items()
    for name, _, listed in (function.rstrip(")").partition("(") for function in functions.split())
    for argument in listed.split(",")
}
_RELEASES: Final = tuple(_ROWS)[::-1]
# Functions that took an argument by a name.
FUNCTIONS_WITH: Final[Mapping[str, frozenset[str]]] = {
    argument: frozenset(function for function, other in LAST_WITH if other == argument) for _, argument in LAST_WITH
}


def times_of_argument(function: str, argument: str) -> Times:
    return following(LAST_WITH[function, argument], _RELEASES)


def argument_advice(function: str, argument: str) -> str:
    """What to do instead; nothing if no more is known."""
    return _ADVICE.get(function, {}).get(argument, "")
