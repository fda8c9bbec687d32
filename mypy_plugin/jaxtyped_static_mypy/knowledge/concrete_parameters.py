"""The parameters of JAX's functions that have to be concrete under a trace: sizes, shapes, dimensions and orders.

Those that are named `axis`, `axes` or `keepdims` are known by these names. All were measured with JAX 0.10.2: each of
them raises if it is traced.
"""

from collections.abc import Mapping
from typing import Final

# By area: the name of a function, and its parameters.
_LISTED: Final = {
    "image": """
        resize: shape
        scale_and_translate: shape spatial_dims
    """,
    "lax": """
        approx_max_k: k
        approx_min_k: k
        broadcast: sizes
        broadcast_in_dim: shape broadcast_dimensions
        broadcasted_iota: shape dimension
        collapse: start_dimension stop_dimension
        concatenate: dimension
        conv: window_strides
        dynamic_slice: slice_sizes
        dynamic_slice_in_dim: slice_size
        expand_dims: dimensions
        full: shape
        full_like: shape
        gather: slice_sizes
        index_in_dim: index
        integer_pow: y
        iota: size
        reduce: dimensions
        reduce_precision: exponent_bits mantissa_bits
        reduce_window: window_dimensions window_strides
        reshape: new_sizes
        rev: dimensions
        rng_uniform: shape
        slice: start_indices limit_indices strides
        slice_in_dim: start_index limit_index stride
        sort: dimension num_keys
        sort_key_val: dimension
        split: sizes
        squeeze: dimensions
        tile: reps
        top_k: k
        transpose: permutation
    """,
    "nn": """
        one_hot: num_classes
        ones: shape
        zeros: shape
    """,
    "numpy": """
        arange: start stop step
        argpartition: kth
        array_split: indices_or_sections
        bartlett: M
        blackman: M
        broadcast_to: shape
        cond: p
        cov: ddof
        cross: axisa axisb axisc
        diag: k
        diag_indices: n ndim
        diagflat: k
        diagonal: offset
        diff: n
        dsplit: indices_or_sections
        empty: shape
        empty_like: shape
        eye: N M
        fft: n
        fft2: s
        fftfreq: n
        fftn: s
        fromfunction: shape
        full: shape
        full_like: shape
        geomspace: num
        hamming: M
        hanning: M
        hfft: n
        hsplit: indices_or_sections
        identity: n
        ifft: n
        ifft2: s
        ifftn: s
        ihfft: n
        indices: dimensions
        irfft: n
        irfft2: s
        irfftn: s
        kaiser: M
        linspace: num
        logspace: num
        mask_indices: n k size
        matrix_power: n
        moveaxis: source destination
        norm: ord
        ones: shape
        ones_like: shape
        pad: pad_width
        partition: kth
        polyder: m
        polyfit: deg
        polyint: m
        ravel_multi_index: dims
        reshape: shape
        resize: new_shape
        rfft: n
        rfft2: s
        rfftfreq: n
        rfftn: s
        rollaxis: start
        rot90: k axes
        round: decimals
        split: indices_or_sections
        tensordot: axes
        tensorinv: ind
        tile: reps
        tri: N M
        tril: k
        tril_indices: n k m
        tril_indices_from: k
        triu: k
        triu_indices: n k m
        triu_indices_from: k
        unpackbits: count
        vander: N
        vsplit: indices_or_sections
        zeros: shape
        zeros_like: shape
    """,
    "random": """
        ball: d shape
        orthogonal: n shape m
        split: num
    """,
    "scipy": """
        bernoulli: n
        bessel_jn: v n_iter
        expm: max_squarings
        hilbert: n
        map_coordinates: order
        multigammaln: d
        sph_harm_y: n_max
        stft: nperseg noverlap nfft
        welch: nperseg noverlap nfft
    """,
}


def _read(area: str, listed: str) -> dict[str, frozenset[str]]:
    rows = (line.split(":") for line in listed.strip().splitlines())
    return {f"{area}.{name.strip()}": frozenset(parameters.split()) for name, parameters in rows}


CONCRETE_PARAMETERS: Final[Mapping[str, frozenset[str]]] = {
    name: parameters for area, listed in _LISTED.items() for name, parameters in _read(area, listed).items()
}
# Those that take an array, which may be traced, or a number, which says how long one is.
CONCRETE_NUMBERS: Final[Mapping[str, frozenset[str]]] = {
    "numpy.histogram": frozenset({"bins"}),
    "numpy.histogram2d": frozenset({"bins"}),
    "numpy.histogram_bin_edges": frozenset({"bins"}),
    "numpy.histogramdd": frozenset({"bins"}),
    "random.choice": frozenset({"a"}),
    "random.permutation": frozenset({"x"}),
}
