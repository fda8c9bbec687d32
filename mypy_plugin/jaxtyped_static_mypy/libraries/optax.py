"""optax: its optimisers are named tuples of functions, made anew by each call."""

from ..knowledge.type_rows import NEVER, unjudged
from ._library import Library

LIBRARY = Library(
    types={
        "optax._src.base.GradientTransformation": unjudged(NEVER),
        "optax._src.base.GradientTransformationExtraArgs": unjudged(NEVER),
    },
)
