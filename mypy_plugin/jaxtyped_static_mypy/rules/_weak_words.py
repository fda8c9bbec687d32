"""What jit-retrace says of a loop that begins with a weak type: the command says the same of a whole program."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from ..reporting.evidence.wording import listed
from ..reporting.messages import Message, Statement
from ..source.weak_values import Weak

EVIDENCE: Final = "weak type"

_WEAK: Final = Message(
    'The second pass compiles "{function}" again: "{name}" begins as a number without a dtype, and comes back as an '
    "array with one",
    "begin with an array that has that dtype, such as {example}",
    kind="weak-type",
)
_FIELD: Final = Message(
    'The second pass compiles "{function}" again: {names} {begins} without a dtype, and {comes} back with one',
    "give it a dtype where it is made, as in {example}",
    kind="weak-field",
)

_SCALARS: Final = {Weak.FLOAT: "jnp.zeros(())", Weak.INTEGER: "jnp.zeros((), int)"}
_ARRAYS: Final = {
    Weak.FLOAT: "jnp.array(1.0, dtype=float)",
    Weak.INTEGER: "jnp.array(0, dtype=int)",
}
_DEFAULT: Final = "field(default_factory=lambda: {})"  # dataclasses refuse an array, which has no hash


class Begins(NamedTuple):
    """A part of a value that begins with a weak type."""

    path: str  # `.params['scale']`
    kind: Weak
    is_default: bool = False  # the default of a field of a dataclass


def statement_of(function: str, name: str, parts: Sequence[Begins]) -> Statement:
    """What is wrong with a value that a loop passes to a function under a name, or with parts of it."""
    first = parts[0]
    if not first.path:
        return _WEAK.fill(function=function, name=name, example=_SCALARS[first.kind])
    made = _ARRAYS[first.kind]
    example = _DEFAULT.format(made) if first.is_default else made
    names = listed([f'"{name}{part.path}"' for part in parts])
    begins, comes = ("begins", "comes") if len(parts) == 1 else ("begin", "come")
    return _FIELD.fill(function=function, names=names, begins=begins, comes=comes, example=example)


def making(part: str, line: int, file: str = "") -> str:
    """What a line of a file makes; of the one that is checked, if none is named."""
    place = f"{file}:{line}" if file else f"Line {line}"
    inner = part.lstrip(".")
    return f'{place} makes "{inner}"' if inner else f"It begins at {f'{file}:{line}' if file else f'line {line}'}"
