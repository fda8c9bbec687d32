"""What a check of calls finds, and the calls that it looks at."""

from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import CallExpr, Expression, NameExpr

from ..flow.written_values import written_value
from ..knowledge.full_names import JAX
from ..knowledge.jax_functions import jax_name
from ..reporting.harm import Harm
from ..reporting.messages import Statement
from ..source.checked_file import CheckedFile
from ..source.expected import is_error_expected, is_expected_to_raise
from ..source.functions import functions_around
from ..syntax.imports import full_name, is_always_from
from ..syntax.names import base_of


class Refused(NamedTuple):
    """A call that raises."""

    place: Expression
    statement: Statement
    harm: Harm | None = None  # None if it surely raises


class JaxCall(NamedTuple):
    """A call of a function of JAX, or of what one has made: `jax.grad(f)(x)`."""

    call: CallExpr
    name: str  # of the function, as the tables of functions have it
    made_by: CallExpr | None = None  # the call that makes what is called


def calls_of_jax(file: CheckedFile) -> Iterator[JaxCall]:
    """The calls of JAX in a file."""
    return (found for call in file.calls if (found := _read(call, file)) is not None)


def _read(call: CallExpr, file: CheckedFile) -> JaxCall | None:
    name = name_of(call.callee, file)
    if name is not None:
        return JaxCall(call, name)
    made = written_value(call.callee, file)
    made_name = name_of(made.callee, file) if isinstance(made, CallExpr) else None
    return JaxCall(call, made_name, made) if made_name is not None and isinstance(made, CallExpr) else None


def name_of(callee: Expression, file: CheckedFile) -> str | None:
    """The area and name of a function of JAX, if the name surely means that: some programs run without JAX, too."""
    name = jax_name(full_name(callee, file.tree))
    root = base_of(callee) if name is not None else None
    return name if isinstance(root, NameExpr) and is_always_from(JAX.rstrip("."), root.name, file.tree) else None


def is_expected(call: CallExpr, file: CheckedFile) -> bool:
    """Whether somebody expects what a call raises."""
    around = functions_around(call.line, file)
    return is_error_expected(call, file) or any(is_expected_to_raise(file, one.node) for one in around)
