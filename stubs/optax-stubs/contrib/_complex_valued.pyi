from typing import NamedTuple

import jax
from optax._src import base

class SplitRealAndImaginaryArrays(NamedTuple):
    real: jax.Array
    imaginary: jax.Array

class SplitRealAndImaginaryState(NamedTuple):
    inner_state: base.OptState

def split_real_and_imaginary(inner: base.GradientTransformation) -> base.GradientTransformation: ...
