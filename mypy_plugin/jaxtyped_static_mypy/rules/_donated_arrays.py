"""Part of jax-call: an array that is used again after its memory was donated to a compiled function."""

from collections.abc import Iterator
from typing import Final

from ..flow.donated import Donated, donated_again
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..source.expected import is_error_expected
from ..syntax.names import dotted_name
from ._refused import Refused, is_expected

_USED: Final = Message(
    'Line {line} donates the memory of "{array}" to "{function}", which deletes the array: to use it again raises',
    'use what "{function}" returns, or do not donate the argument',
    kind="donated",
)
_NEXT_PASS: Final = Message(
    '"{function}" gets "{array}" on each pass of the loop, and the first one donates its memory, which deletes the '
    "array: the second one raises",
    'assign what "{function}" returns to "{array}", or do not donate the argument',
    kind="donated-each-pass",
)
_MESSAGES: Final = {False: _USED, True: _NEXT_PASS}


def donated_arrays(file: CheckedFile) -> Iterator[Refused]:
    for found in donated_again(file):
        if not is_expected(found.call, file) and not is_error_expected(found.use, file):
            yield Refused(found.use, _MESSAGES[found.is_next_pass].fill(**_values(found)))


def _values(found: Donated) -> dict[str, str]:
    function = dotted_name(found.call.callee) or "the function"
    values = {"function": function, "array": found.use.name}
    return values if found.is_next_pass else {**values, "line": str(found.call.line)}
