from optax.microbatching._microbatching import AccumulationType as AccumulationType
from optax.microbatching._microbatching import Accumulator as Accumulator
from optax.microbatching._microbatching import micro_grad as micro_grad
from optax.microbatching._microbatching import micro_vmap as micro_vmap
from optax.microbatching._microbatching import microbatch as microbatch
from optax.microbatching._microbatching import reshape_batch_axis as reshape_batch_axis
