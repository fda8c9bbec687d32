"""jit-branch: Python control flow on a traced value: raises, or freezes one branch."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from mypy.nodes import Expression

from ..codes import JIT_BRANCH
from ..tracing.scope import Demand
from ..tracing.values import OrNone, Source, Traced, Value, present
from ._body import Body, Finding


class Words(NamedTuple):
    """What asks for the value, and what to write in its place."""

    says: str
    advice: str


_SELECT: Final = "select with jnp.where or jax.lax.cond"
_KEEP: Final = "keep it an array (x.astype, jnp.asarray)"
_EXTREME: Final = Words("{kind}() compares what is", "use jnp.{kind}imum")
_REDUCED: Final = Words("{kind}() asks for the truth of what is", "use jnp.{kind}")
_METHOD: Final = Words(
    "{kind}() asks for the value of what is", "leave it out, or call it on the result of the program"
)

_WORDS: Final = {
    "if": Words("This condition is", _SELECT),
    "conditional": Words("This condition is", _SELECT),
    "match": Words("What is matched here is", "use jax.lax.switch, or select with jnp.where"),
    "comprehension": Words("This condition is", "use a mask with jnp.where"),
    "while": Words("The condition of this loop is", "use jax.lax.while_loop"),
    "assert": Words("This assertion is", "use checkify.check, or check before the call"),
    "and": Words('The left side of "and" is', "use jnp.logical_and"),
    "or": Words('The left side of "or" is', "use jnp.logical_or"),
    "not": Words('The operand of "not" is', "use jnp.logical_not"),
    "chain": Words('A chained comparison is two joined by "and", of what is', "write (a < x) & (x < b)"),
    "in": Words('What "in" looks for is', "use jnp.isin, or compare with | between"),
    "subscript": Words("The index of this list or tuple is", "stack its items to one array (jnp.stack)"),
    "range": Words("The length of this range is", "use jax.lax.fori_loop"),
    "numpy": Words("NumPy computes with values, and this is", "use jax.numpy"),
    "float": Words("float() asks for the value of what is", f"{_KEEP}; math functions have their like in jax.numpy"),
    "bool": Words("bool() asks for the value of what is", _KEEP),
    "sorted": Words("sorted() compares what is", "use jnp.sort"),
    **dict.fromkeys(("int", "complex", "index"), Words("{kind}() asks for the value of what is", _KEEP)),
    **dict.fromkeys(("item", "tolist"), _METHOD),
    **dict.fromkeys(("max", "min"), _EXTREME),
    **dict.fromkeys(("any", "all"), _REDUCED),
}

_FLAGS: Final = frozenset({"debug", "deterministic", "evaluate", "flag", "inference", "train", "training", "verbose"})
_FLAG_PREFIXES: Final = ("apply_", "do_", "enable_", "has_", "is_", "return_", "should_", "use_", "with_")


def check(body: Body) -> Iterator[Finding]:
    """One finding a line."""
    lines: set[int] = set()
    for (node, _), demand in sorted(body.analysis.demands.items(), key=_place):
        source = _without_value(demand.value)
        if source is not None and node.line not in lines:
            lines.add(node.line)
            yield Finding(node, _message(demand, source), JIT_BRANCH)


def _place(item: tuple[tuple[Expression, str], Demand]) -> tuple[int, int]:
    node, _ = item[0]
    return node.line, node.column


def _without_value(value: Value) -> Source | None:
    """Where a tracer comes from that has none."""
    value = present(value)
    if not isinstance(value, Traced) or value.source.has_value:
        return None
    return value.source if not value.source.may_be_tree or _is_flag(value.source) else None


def _is_flag(source: Source) -> bool:
    """Whether a parameter without annotation has the name of a truth value; any other may be a container."""
    name = source.parameter or ""
    return name in _FLAGS or name.startswith(_FLAG_PREFIXES)


def _message(demand: Demand, source: Source) -> str:
    says, advice = (text.format(kind=demand.kind) for text in _WORDS[demand.kind])
    if isinstance(demand.value, OrNone):
        return f'{says} traced unless it is None, as it depends on {_origin(source)}; ask for that with "is not None"'
    return f"{says} traced, as it depends on {_origin(source)}; {advice}{_or_static(source)}"


def _origin(source: Source) -> str:
    return f"the data field {source.field}" if source.field is not None else source.text


def _or_static(source: Source) -> str:
    if source.is_array or (source.field is None and source.parameter is None):
        return ""
    name = source.field.split('"')[1] if source.field is not None else source.parameter
    return f', or mark "{name}" Static'
