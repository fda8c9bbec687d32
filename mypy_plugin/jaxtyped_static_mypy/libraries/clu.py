"""clu.metrics: metrics and their collections are dataclasses of flax.struct, as are the classes below them.

The package has no types.
"""

from typing import Final

from ._library import Library

_CLASSES: Final = "Accuracy Average Collection CollectingMetric LastValue Metric Std"

LIBRARY = Library(pytree_bases=frozenset(f"clu.metrics.{name}" for name in _CLASSES.split()))
