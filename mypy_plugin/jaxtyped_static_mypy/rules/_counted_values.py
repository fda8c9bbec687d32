"""Part of jit-mutation: values outside of a compiled function that it counts up, and computes with."""

from collections.abc import Container, Iterator
from typing import Final

from ..flow.changes import counted_once
from ..reporting.harm import Harm
from ..reporting.messages import Message
from ..source.nested_functions import Functions
from . import CODES
from ._body import BodyError

_COUNTED: Final = Message(
    '"{written}" changes only once per compilation: until {tracer} compiles {function} again, all of its calls '
    "compute with the same value",
    "pass the value as an argument, and return the next one",
    kind="counted-once",
)


def counted_values(functions: Functions, found: Container[int]) -> Iterator[BodyError]:
    """`found`: the lines of what is lost, or leaks."""
    for counted in counted_once(functions):
        if counted.statement.line in found:
            continue
        root = counted.root
        statement = _COUNTED.fill(written=counted.written, tracer=root.tracer, function=root.name)
        harm = Harm.POTENTIAL if counted.is_for_one_call else None
        yield BodyError(counted.statement, statement, CODES["jit-mutation"], harm=harm)
