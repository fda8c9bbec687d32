"""Which arguments say how long what a function of NumPy or JAX makes is, by the name of the function alone."""

from typing import Final

# Each by its position and its name.
SIZES: Final[dict[str, tuple[tuple[int, str], ...]]] = {
    **dict.fromkeys(("empty", "full", "ones", "zeros"), ((0, "shape"),)),
    **dict.fromkeys(("geomspace", "linspace", "logspace"), ((2, "num"),)),
    **dict.fromkeys(("eye", "tri"), ((0, "N"), (1, "M"))),
    "identity": ((0, "n"),),
    "broadcast_to": ((1, "shape"),),
    "one_hot": ((1, "num_classes"),),
    "repeat": ((1, "repeats"),),
    "resize": ((1, "shape"),),
    "split": ((1, "num"),),  # of a key
    "tile": ((1, "reps"),),
}
# NumPy's distributions. Those of `jax.random` have a parameter `shape`, which stands at different places.
DRAWN_SIZES: Final[dict[str, tuple[tuple[int, str], ...]]] = {
    **dict.fromkeys(("random", "random_sample", "standard_normal"), ((0, "size"),)),
    **dict.fromkeys(("integers", "normal", "randint", "uniform"), ((2, "size"),)),
}
# What JAX's and NumPy's distributions are called that take a shape.
_NAMES_OF_DRAWS: Final = """
    ball bernoulli beta bits categorical choice exponential gamma gumbel integers laplace normal poisson rademacher
    randint random standard_normal truncated_normal uniform
"""
DRAWS: Final = frozenset(_NAMES_OF_DRAWS.split())
RANDOM: Final = ".random."  # in the full names of all that draws
# Those that make an array as long as the difference of two arguments.
SPANS: Final[dict[str, tuple[tuple[int, str], ...]]] = {"arange": ((0, "start"), (1, "stop"))}
# Those of which each argument is one dimension.
DIMENSIONS: Final = frozenset({"rand", "randn"})
# What such an argument is called in what draws.
SIZE_NAMES: Final = ("shape", "size")
