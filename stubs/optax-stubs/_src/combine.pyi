from optax.transforms._combining import PartitionState
from optax.transforms._combining import chain as chain
from optax.transforms._combining import named_chain as named_chain
from optax.transforms._combining import partition as partition

multi_transform = partition
MultiTransformState = PartitionState
