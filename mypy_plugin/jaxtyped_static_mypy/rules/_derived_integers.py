"""jax-call: a derivative by an integer, which JAX refuses."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import CallExpr, Expression, IntExpr, ListExpr, NameExpr, TupleExpr, UnaryExpr

from ..flow.written_values import written_value
from ..knowledge.function_rows import Derives
from ..knowledge.jax_functions import JAX_FUNCTIONS, jax_name
from ..knowledge.members import AS_ARRAY
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..syntax.arguments import argument, keyword_argument, unpacks
from ..syntax.imports import full_name
from ..syntax.literals import integers
from ..syntax.names import last_name
from ._refused import JaxCall, Refused, name_of

_INTEGER: Final = Message(
    "{derivative} differentiates by this argument, which is an integer, so this call raises",
    "pass a floating-point number (1.0, jnp.arange(3.0))",
    kind="derived-integer",
)
_BY_ARGUMENTS: Final = (Derives.GRADIENT, Derives.JACOBIAN, Derives.VALUE_AND_GRADIENT)
_PASSING_ON: Final = ("api.jit", "api.vmap")


def derived_integers(found: JaxCall, file: CheckedFile) -> Iterator[Refused]:
    """`jax.grad(f)(3)`, also below `vmap` and `jit`."""
    made = _derivative(found, file)
    if made is None or unpacks(made) or unpacks(found.call) or keyword_argument(made, "allow_int") is not None:
        return
    given = argument(made, 1, "argnums")
    for number in [0] if given is None else integers(given):
        if 0 <= number < len(found.call.args) and found.call.arg_names[number] is None:
            value = found.call.args[number]
            if _is_integer(written_value(value, file), file):
                yield Refused(value, _INTEGER.fill(derivative=last_name(made.callee)))


def _derivative(found: JaxCall, file: CheckedFile) -> CallExpr | None:
    """The call of `grad` that makes what is called."""
    made: Expression | None = found.made_by
    while isinstance(made, CallExpr) and made.args:
        name = name_of(made.callee, file) or ""
        row = JAX_FUNCTIONS.get(name)
        if row is not None and row.derives in _BY_ARGUMENTS:
            return made
        made = written_value(made.args[0], file) if name in _PASSING_ON else None
    return None


def _is_integer(node: Expression, file: CheckedFile) -> bool:
    if isinstance(node, UnaryExpr):
        return node.op == "-" and _is_integer(node.expr, file)
    if isinstance(node, (IntExpr, NameExpr)):
        return isinstance(node, IntExpr) or node.fullname in ("builtins.False", "builtins.True")
    if not isinstance(node, CallExpr) or not node.args or any(name is not None for name in node.arg_names):
        return False
    area, _, name = (jax_name(full_name(node.callee, file.tree)) or "").rpartition(".")
    if area == "numpy" and name == "arange":
        return all(isinstance(one, IntExpr) for one in node.args)
    is_array = area == "numpy" and name in AS_ARRAY and len(node.args) == 1
    return is_array and _is_listed(node.args[0], file)


def _is_listed(node: Expression, file: CheckedFile) -> bool:
    """Whether a list holds integers alone."""
    if isinstance(node, (ListExpr, TupleExpr)):
        return bool(node.items) and all(_is_listed(item, file) for item in node.items)
    return _is_integer(node, file)
