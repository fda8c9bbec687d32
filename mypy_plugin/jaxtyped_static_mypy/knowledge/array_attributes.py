"""Attributes of arrays: those that mypy does not see, and those of other libraries' arrays that JAX's do not have.

`tests/cli/test_missing.py` holds both against the arrays of the JAX that is installed.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

ARRAY: Final = "jax.Array"
# Attributes of arrays or tracers that the stub of JAX 0.10.2 leaves out, or that other releases have.
_UNSEEN: Final = """
    aval_mutable_qdd clone cur_qdd device_buffer device_buffers dimension_as_value flat format full_lower get_const
    get_referent is_ready layout mutable_qdd parent to_concrete_value val
"""
UNSEEN: Final = frozenset(_UNSEEN.split())
# Arguments of methods that the stub leaves out.
UNSEEN_ARGUMENTS: Final = frozenset({("flatten", "out_sharding")})
_CAST: Final = "write x.astype(dtype)"
_NEW: Final = "arrays of JAX do not change: make a new one"
# Of tensors of PyTorch alone.
OF_TENSORS: Final[Mapping[str, str]] = {
    "backward": "use jax.grad",
    "bfloat16": _CAST,
    "contiguous": "leave it out",
    "cpu": "write jax.device_get(x), or numpy.asarray(x)",
    "cuda": "write jax.device_put(x, device)",
    "detach": "write jax.lax.stop_gradient(x)",
    "detach_": "write jax.lax.stop_gradient(x)",
    "index_select": "write x[indices]",
    "log_softmax": "write jax.nn.log_softmax(x)",
    "long": _CAST,
    "masked_fill": "write jax.numpy.where(mask, value, x)",
    "masked_fill_": "write jax.numpy.where(mask, value, x)",
    "numel": "write x.size",
    "numpy": "write numpy.asarray(x)",
    "permute": "write x.transpose(axes)",
    "relu": "write jax.nn.relu(x)",
    "requires_grad": "use jax.grad",
    "requires_grad_": "use jax.grad",
    "sigmoid": "write jax.nn.sigmoid(x)",
    "softmax": "write jax.nn.softmax(x)",
    "unsqueeze": "write jax.numpy.expand_dims(x, axis)",
    "view_as": "write x.reshape(y.shape)",
}
# Of those, and of other things.
_OF_OTHERS: Final[Mapping[str, str]] = {
    "append": "write jax.numpy.append(x, y), which returns a new array",
    "bool": _CAST,
    "broadcast_to": "write jax.numpy.broadcast_to(x, shape)",
    "cat": "write jax.numpy.concatenate",
    "chunk": "write jax.numpy.split(x, n)",
    "dim": "write x.ndim",
    "double": _CAST,
    "exp": "write jax.numpy.exp(x)",
    "expand": "write jax.numpy.broadcast_to(x, shape)",
    "extend": "write jax.numpy.concatenate([x, y]), which returns a new array",
    "float": _CAST,
    "gather": "write jax.numpy.take_along_axis(x, indices, axis)",
    "grad": "use jax.grad",
    "half": _CAST,
    "int": _CAST,
    "log": "write jax.numpy.log(x)",
    "norm": "write jax.numpy.linalg.norm(x)",
    "scatter": "write x.at[indices].set(y)",
    "scatter_add": "write x.at[indices].add(y)",
    "sqrt": "write jax.numpy.sqrt(x)",
    "tanh": "write jax.numpy.tanh(x)",
    "to": "write jax.device_put(x, device), or x.astype(dtype)",
    "type": _CAST,
}
# Attributes of NumPy's arrays that JAX's do not have.
_OF_NUMPY: Final[Mapping[str, str]] = {
    "base": _NEW,
    "ctypes": "write numpy.asarray(x).ctypes",
    "data": "write numpy.asarray(x).data",
    "dump": "use numpy.save",
    "dumps": "write numpy.asarray(x).dumps()",
    "fill": "write jax.numpy.full_like(x, value), which returns a new array",
    "flags": "write numpy.asarray(x).flags",
    "getfield": "write x.view(dtype)",
    "partition": "write jax.numpy.partition(x, kth), which returns a new array",
    "put": "write x.at[indices].set(y)",
    "resize": "write jax.numpy.resize(x, shape), which returns a new array",
    "setfield": _NEW,
    "setflags": _NEW,
    "strides": "write numpy.asarray(x).strides",
    "tofile": "write numpy.asarray(x).tofile(file)",
}
INSTEAD: Final[Mapping[str, str]] = {**OF_TENSORS, **_OF_OTHERS, **_OF_NUMPY}
# What arrays have had in no release of JAX.
NEVER: Final = frozenset(f"{ARRAY}.{name}" for name in (*OF_TENSORS, *_OF_OTHERS))
# Properties of arrays that other libraries, or older releases, have as methods; `device` was one until JAX 0.4.31.
PROPERTIES: Final = frozenset(
    {"T", "device", "dtype", "imag", "itemsize", "mT", "nbytes", "ndim", "real", "shape", "sharding", "size"}
)
SHARDING: Final = "Sharding"  # what mypy calls the type of a device, of which only arrays of JAX have one
# What changes an item of another array, and the order of all of them: the other methods that do are missing.
SETTING: Final = "__setitem__"
DELETING: Final = "__delitem__"
SORTING: Final = "sort"
CHANGING: Final = frozenset(f"{ARRAY}.{name}" for name in (SETTING, DELETING, SORTING))


class Operator(NamedTuple):
    """What `ast` calls an operator, and the method of arrays for it."""

    node: str
    method: str


# The operators that take no list and no tuple beside an array, which NumPy makes an array of.
OPERATORS: Final[Mapping[str, Operator]] = {
    "+": Operator("Add", "__add__"),
    "-": Operator("Sub", "__sub__"),
    "*": Operator("Mult", "__mul__"),
    "/": Operator("Div", "__truediv__"),
    "//": Operator("FloorDiv", "__floordiv__"),
    "%": Operator("Mod", "__mod__"),
    "**": Operator("Pow", "__pow__"),
    "@": Operator("MatMult", "__matmul__"),
    "&": Operator("BitAnd", "__and__"),
    "|": Operator("BitOr", "__or__"),
    "^": Operator("BitXor", "__xor__"),
    "<<": Operator("LShift", "__lshift__"),
    ">>": Operator("RShift", "__rshift__"),
    "==": Operator("Eq", "__eq__"),
    "!=": Operator("NotEq", "__ne__"),
    "<": Operator("Lt", "__lt__"),
    "<=": Operator("LtE", "__le__"),
    ">": Operator("Gt", "__gt__"),
    ">=": Operator("GtE", "__ge__"),
}
OPERATOR_OF: Final[Mapping[str, str]] = {f"{ARRAY}.{row.method}": symbol for symbol, row in OPERATORS.items()}
# Methods that return a new array.
_COPYING: Final = """
    astype conj conjugate copy cumprod cumsum flatten max mean min prod ravel repeat reshape round squeeze std sum
    swapaxes transpose var
"""
COPYING: Final = frozenset(_COPYING.split())
# How people write an array as an annotation.
ANNOTATIONS: Final = frozenset({"jax.Array", "jax.numpy.ndarray", "jax.numpy.Array", "jaxtyping.Array", "chex.Array"})
# Functions that stand for types in annotations by mistake: they say nothing.
NO_TYPES: Final = frozenset({"any", "callable", "jax.numpy.array", "jax.numpy.asarray", "numpy.array", "numpy.asarray"})
# Typed packages with a class of their own that mypy names "Array", too.
OTHER_ARRAYS: Final = frozenset({"awkward", "cupy", "dask", "ndonnx", "pyarrow", "zarr"})
# Keyword arguments of PyTorch and NumPy, and what JAX calls them.
ARGUMENTS: Final[Mapping[str, str]] = {
    "dim": "axis",
    "keepdim": "keepdims",
    "size": "shape",
    "p": "ord",
    "lr": "learning_rate",
}
