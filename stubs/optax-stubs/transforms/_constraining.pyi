from typing import Any, NamedTuple

from optax._src import base

NonNegativeParamsState = base.EmptyState

def keep_params_nonnegative() -> base.GradientTransformation: ...

class ZeroNansState(NamedTuple):
    found_nan: Any

def zero_nans() -> base.GradientTransformation: ...
