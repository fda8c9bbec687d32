"""Releases of other packages that cannot be installed together with a recent JAX, by what the packages on PyPI require.

`("numpy", "1.25", "0.4.38")`: who asks for a NumPy before 1.25 gets JAX 0.4.38 at most, as 0.5.0 requires 1.25.
"""

from typing import Final, NamedTuple


class Bounding(NamedTuple):
    distribution: str
    before: str
    newest: str  # the last JAX, or one a little later


_TENSORFLOW: Final = (
    ("2.8", "0.4.30"),  # there is none for Python 3.10
    ("2.12", "0.6.2"),  # nor for Python 3.11
    ("2.14", "0.4.38"),  # numpy<=1.24.3
    ("2.17", "0.4.34"),  # ml-dtypes<0.4
    ("2.19", "0.5.3"),  # ml-dtypes<0.5
)
# The first row holds of those for a package that fit.
BOUNDING: Final = (
    Bounding("numpy", "1.19", "0.2.26"),
    Bounding("numpy", "1.20", "0.3.15"),
    Bounding("numpy", "1.24", "0.4.30"),
    Bounding("numpy", "1.25", "0.4.38"),
    Bounding("numpy", "1.26", "0.6.1"),
    Bounding("numpy", "2.0", "0.7.1"),
    Bounding("scipy", "1.10", "0.4.30"),
    Bounding("scipy", "1.11", "0.4.38"),
    Bounding("scipy", "1.12", "0.6.1"),
    *(Bounding(name, *row) for name in ("tensorflow", "tensorflow-cpu") for row in _TENSORFLOW),
)
