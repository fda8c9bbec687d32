"""What the functions of NumPy and `math` are called with, to see what they do with a tracer.

For a parameter that has to be given, the values in `ANY` are tried in order until a call works. `GIVEN` has the
arguments of functions that need others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

VECTOR: Final = np.array([0.5, 0.25, 0.75])
WHOLE: Final = np.array([1, 0, 2])
TRUTHS: Final = np.array([True, False, True])
MATRIX: Final = np.array([[2.0, 0.5], [0.5, 3.0]])
CUBE: Final = np.ones((2, 2, 2))
NUMBER: Final = np.float64(0.5)
ZERO: Final = np.int64(0)
ONE: Final = np.int64(1)
TWO: Final = np.int64(2)

ANY: Final[Sequence[Any]] = (
    VECTOR,
    MATRIX,
    NUMBER,
    TWO,
    WHOLE,
    TRUTHS,
    CUBE,
    [VECTOR, VECTOR],
    "i",
    np.array("2020-01-01", "M8[D]"),
)
# For a parameter after `*`.
SEVERAL: Final[Sequence[Any]] = ([VECTOR], [VECTOR, VECTOR], [MATRIX], [WHOLE], [NUMBER])
LISTS: Final[Sequence[Any]] = (
    [NUMBER, NUMBER, NUMBER],
    [VECTOR, VECTOR],
    [MATRIX, MATRIX],
    [TWO, TWO],
    [ZERO, ONE],
    [True, False],
)

# Parameters that take an integer, by their names.
_COUNTS: Final = """
    M N axis axis1 axis2 ddof decimal decimals deg ind indices indices_or_sections k kth length m n nbad ndmin ngood
    n_children nsample num obj precision repeats reps shape shift size
"""
COUNTS: Final = frozenset(_COUNTS.split())
# The same for the functions of `np.random` and the methods of its classes.
_OF_RANDOM: Final[Mapping[str, Mapping[str, Any]]] = {
    "choice": {"a": VECTOR, "size": TWO},
    "multivariate_normal": {"mean": np.zeros(2), "cov": np.eye(2)},
    "rand": {"args": [TWO]},
    "randn": {"args": [TWO]},
    "triangular": {"left": NUMBER, "mode": NUMBER, "right": TWO},
}
GIVEN: Final[Mapping[str, Mapping[str, Any]]] = {
    "apply_along_axis": {"func1d": np.sum, "axis": 0, "arr": MATRIX, "args": []},
    "apply_over_axes": {"func": np.sum, "a": MATRIX, "axes": 0},
    "at": {"a": VECTOR, "indices": WHOLE, "b": VECTOR},
    "broadcast_shapes": {"args": [TWO]},
    "copyto": {"dst": VECTOR, "src": VECTOR},
    "digitize": {"x": VECTOR, "bins": np.array([0.1, 0.5, 1.0])},
    "einsum": {"operands": ["i,i", VECTOR, VECTOR]},
    "einsum_path": {"operands": ["i,i", VECTOR, VECTOR]},
    "fromiter": {"iter": VECTOR, "dtype": float},
    "mask_indices": {"n": TWO, "mask_func": np.triu},
    "piecewise": {"x": VECTOR, "condlist": [TRUTHS, ~TRUTHS], "funclist": [1.0, 2.0]},
    "put_along_axis": {"arr": VECTOR, "indices": WHOLE, "values": VECTOR, "axis": ZERO},
    "ravel_multi_index": {"multi_index": (WHOLE, WHOLE), "dims": (3, 3)},
    "reshape": {"a": VECTOR, "shape": np.int64(3)},
    "select": {"condlist": [TRUTHS, TRUTHS], "choicelist": [VECTOR, VECTOR]},
    "unpackbits": {"a": np.array([2, 3], dtype=np.uint8)},
    "vander": {"x": VECTOR, "N": TWO},
    "where": {"condition": TRUTHS, "x": VECTOR, "y": VECTOR},
    "linalg.matrix_rank": {"A": MATRIX},
    "linalg.tensorinv": {"a": np.eye(4).reshape(2, 2, 2, 2), "ind": TWO},
    **{
        f"{area}.{name}": given for area in ("random", "Generator", "RandomState") for name, given in _OF_RANDOM.items()
    },
    "testing.assert_array_less": {"x": VECTOR, "y": VECTOR + 1},
    "math.gcd": {"integers": [TWO, TWO]},
    "math.hypot": {"coordinates": [NUMBER, NUMBER]},
    "math.lcm": {"integers": [TWO, TWO]},
    "math.ldexp": {"x": NUMBER, "i": 2},
    "math.log": {"x": NUMBER},
}

# Functions that take no array: of settings, files, types, dates, and what makes and checks tests.
_SKIPPED: Final = """
    base_repr busday_count busday_offset busdaycalendar character complexfloating datetime64 datetime_as_string
    datetime_data dtype errstate finfo flatiter flexible floating from_dlpack frombuffer fromfile fromfunction
    fromregex fromstring frompyfunc generic genfromtxt get_include get_printoptions getbufsize geterr geterrcall iinfo
    inexact info integer is_busday isdtype load loadtxt memmap mintypecode ndarray ndenumerate ndindex nditer
    nested_iters number object_ printoptions recarray record require set_printoptions setbufsize seterr seterrcall
    show_config show_runtime signedinteger str_ bytes_ timedelta64 typename ufunc unsignedinteger vectorize void
    Generator.bytes RandomState.bytes RandomState.get_state RandomState.set_state random.bytes
    random.get_bit_generator random.get_state random.ranf random.sample random.set_bit_generator random.set_state
    testing.assert_array_compare testing.assert_no_gc_cycles testing.assert_no_warnings testing.assert_raises
    testing.assert_raises_regex testing.assert_string_equal testing.assert_warns testing.break_cycles
    testing.build_err_msg testing.check_support_sve testing.decorate_methods testing.jiffies testing.measure
    testing.memusage testing.print_assert_equal testing.rundocs testing.run_threaded testing.runstring
    test testing.tempdir testing.temppath testing.test linalg.test fft.test random.test
"""
SKIPPED: Final = frozenset(_SKIPPED.split())
