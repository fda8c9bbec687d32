"""jit-branch: Python control flow on a traced value: raises, or freezes one branch."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from ..codes import JIT_BRANCH
from ..tracing.scope import Demand
from ..tracing.values import Source, Traced, Value, present
from ._body import Body, Finding


class Words(NamedTuple):
    """What asks for the value, and what to write in its place."""

    says: str
    advice: str


_SELECT: Final = "select with jax.lax.cond or jnp.where"
_CONDITIONS: Final = {
    "if": Words("This condition", _SELECT),
    "conditional": Words("This condition", _SELECT),
    "comprehension": Words("This condition", "use a mask with jnp.where"),
    "while": Words("The condition of a Python loop", "use jax.lax.while_loop"),
    "assert": Words("This assertion", "use jax.experimental.checkify, or check before the call"),
    "and": Words('The left side of "and"', "use jnp.logical_and"),
    "or": Words('The left side of "or"', "use jnp.logical_or"),
    "not": Words('The operand of "not"', "use jnp.logical_not"),
}


def check(body: Body) -> Iterator[Finding]:
    """One finding a line."""
    lines: set[int] = set()
    for node, demand in sorted(body.analysis.demands.items(), key=lambda item: (item[0].line, item[0].column)):
        source = _traced(demand.value)
        if source is not None and node.line not in lines:
            lines.add(node.line)
            yield Finding(node, _message(demand, source), JIT_BRANCH)


def _traced(value: Value) -> Source | None:
    value = present(value)
    if not isinstance(value, Traced) or value.source.may_be_tree or value.source.has_value:
        return None
    return value.source


def _message(demand: Demand, source: Source) -> str:
    words = _CONDITIONS[demand.kind]
    static = f', or mark "{source.parameter}" Static' if source.parameter is not None else ""
    return f"{words.says} needs the value of something traced, as it depends on {source.text}; {words.advice}{static}"
