"""Functions of JAX that do nothing but return a result, and that nobody calls to try something out or to warm it up.

By their `jax_name`. A statement that drops what one of these returns was meant to use it: NumPy's are often written so
by those who take them for changes in place.
"""

from typing import Final

_CHECKS: Final = "allclose array_equal array_equiv"
_CHECKS_OF_EACH: Final = "isclose isfinite isinf isnan"
_CHANGES: Final = """
    append clip concatenate delete expand_dims fill_diagonal flip insert moveaxis nan_to_num ravel reshape roll squeeze
    swapaxes transpose where
"""
# What says whether something holds: a test that drops this tests nothing.
CHECKS_OF_EACH: Final = frozenset(f"numpy.{name}" for name in _CHECKS_OF_EACH.split())  # element
CHECKS: Final = CHECKS_OF_EACH | {f"numpy.{name}" for name in _CHECKS.split()}
PURE: Final = CHECKS | {f"numpy.{name}" for name in _CHANGES.split()} | {"lax.stop_gradient"}
# Methods of arrays that do nothing but return a result, where it is known that they are called on an array.
PURE_METHODS: Final = frozenset({"all", "any", "astype", "clip", "max", "mean", "min", "ravel", "reshape", "sum"})
# They call a function of the program, which compiled code leaves out if nothing uses what it returns.
REMOVED_CALLBACKS: Final = frozenset({"api.pure_callback", "callback.pure_callback"})
# What makes a copy of a whole tree of dicts, so that its items are nobody else's.
COPYING_DEEPLY: Final = frozenset(
    {
        "copy.deepcopy",
        "flax.core.freeze",
        "flax.core.unfreeze",
        "haiku.data_structures.to_haiku_dict",
        "haiku.data_structures.to_mutable_dict",
        "haiku.data_structures.to_immutable_dict",
    }
)
_BUILTINS: Final = """
    abs bool dict enumerate float frozenset int isinstance len list max min range round set str sum tuple zip
"""
PURE_BUILTINS: Final = frozenset(_BUILTINS.split())
PURE_OF_CONTAINERS: Final = frozenset({"get", "items", "keys", "values"})
