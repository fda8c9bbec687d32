"""Traced programs as text that two traces of the same code have in common."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxtyped_static._recording.stacks import Places

_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]+|0x[0-9a-f]{6,}|\bid=\d+")
# JAX writes where an operation comes from behind it: `# /home/me/train.py:5:9 (helper)`.
_ORIGIN: Final = re.compile(r"\s+# (?P<file>\S.*?):(?P<line>\d+)(?::\d+)?(?: \((?P<function>.*)\))?$")
_RESULTS: Final = re.compile(r"\s+in \(.*$")  # behind the last operation of a program
_MAX_DIFFERENCES: Final = 3
_LONGEST: Final = 120


class Line(NamedTuple):
    """One line of a program, and where it comes from: `train.py:5 (helper)`; empty if that is not known."""

    text: str
    origin: str = ""


def normal_form(program: Any, places: Places) -> tuple[Line, ...]:
    """Returns a traced program, line by line; the addresses of objects are left out, and constants are values."""
    text = program.pretty_print(source_info=True, use_color=False)
    return (*(_line(line, places) for line in text.splitlines()), *_constants(program))


def _line(text: str, places: Places) -> Line:
    found = _ORIGIN.search(text)
    without = _ADDRESS.sub("", text if found is None else text[: found.start()])
    if found is None:
        return Line(without)
    shown = places.file(found["file"])
    file = found["file"] if shown is None else shown[0]
    function = f" ({found['function']})" if found["function"] else ""
    return Line(without, f"{file}:{found['line']}{function}")


def _constants(program: Any) -> Iterator[Line]:
    """The constants of a program, by value if they are numbers, and else by a digest."""
    for number, constant in enumerate(getattr(program, "consts", ())):
        yield Line(f"constant {number}: {_value(constant)}")


def _value(constant: Any) -> str:
    try:
        if jnp.issubdtype(constant.dtype, jax.dtypes.prng_key):
            constant = jax.random.key_data(constant)
        array = np.asarray(constant)
    except Exception:
        return type(constant).__name__
    if array.size == 1:
        return f"{array.dtype}{list(array.shape)} {array.item()}"
    return f"{array.dtype}{list(array.shape)} {hashlib.sha256(array.tobytes()).hexdigest()[:12]}"


def differences(before: tuple[Line, ...], now: tuple[Line, ...]) -> tuple[str, ...]:
    """Returns the first differences of two programs: `mul b 1.0:f32[] → mul b 4.0:f32[], from train.py:5 (helper)`."""
    if [line.text for line in before] == [line.text for line in now]:
        return ()
    matcher = SequenceMatcher(None, [line.text for line in before], [line.text for line in now], autojunk=False)
    found = []
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        if kind != "equal":
            found.append(_difference(before[start:end], now[new_start:new_end]))
    return tuple(dict.fromkeys(found))[:_MAX_DIFFERENCES]


def _difference(before: tuple[Line, ...], now: tuple[Line, ...]) -> str:
    origin = next((line.origin for line in (*now, *before) if line.origin), "")
    old, new = (_short(lines) for lines in (before, now))
    return f"{old} → {new}{f', from {origin}' if origin else ''}"


def _short(lines: tuple[Line, ...]) -> str:
    """Returns the first of some lines, without its name for the result: `mul b 1.0:f32[]`."""
    if not lines:
        return "nothing"
    text = _RESULTS.sub("", lines[0].text.strip().rpartition(" = ")[2])
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
    return text + (f" and {len(lines) - 1} more lines" if len(lines) > 1 else "")
