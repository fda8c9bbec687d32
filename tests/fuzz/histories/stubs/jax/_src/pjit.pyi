from typing import Any

from jax._src import stages

class JitWrapped(stages.Wrapped):
    def eval_shape(self, *args: Any, **kwargs: Any) -> Any: ...
