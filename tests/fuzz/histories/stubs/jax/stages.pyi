from jax._src.stages import Lowered as Lowered
from jax._src.stages import Traced as Traced
from jax._src.stages import Wrapped as Wrapped
