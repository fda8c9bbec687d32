"""jit-branch: Python control flow on a traced value: raises, or freezes one branch."""

from collections.abc import Iterator
from typing import Final

from mypy.nodes import Expression

from ..flow.traced.frame import ConcreteUse
from ..flow.traced.values import OrNone, Source, without_value
from ..judgement.judge import can_be_static
from ..reporting.mechanical import (
    COMPARE_BY_HALVES,
    KEEP_ARRAY,
    MAKE_STATIC,
    PRINT_WHEN_RUN,
    SELECT,
    UNLESS_NONE,
    USE_JAX_NUMPY,
    USE_JNP,
)
from ..reporting.messages import Message
from . import CODES
from ._body import Body, BodyError

CODE: Final = CODES["jit-branch"]

_CONVERTED: Final = "{kind}() needs a concrete value, but this is {traced}"
_COMPARED: Final = "{kind}() compares values, but this is {traced}"
_TESTED: Final = "{kind}() needs truth values, but this is {traced}"

# `{traced}`: "traced, because it depends on ..."; `{or_static}`: more advice, if what is traced could be static.
_MESSAGES: Final = {
    kind: Message(says, f"{advice}{{or_static}}")
    for kind, (says, advice) in {
        "if": ("This condition is {traced}", SELECT),
        "conditional": ("This condition is {traced}", SELECT),
        "match": ("The subject of this match is {traced}", "select with jnp.where or jax.lax.switch"),
        "comprehension": ("This condition is {traced}", "select with a mask and jnp.where"),
        "while": ("The condition of this loop is {traced}", "use jax.lax.while_loop"),
        "assert": ("This assertion is {traced}", "use checkify.check, or check before the call"),
        "and": ('The left side of "and" is {traced}', f"{USE_JNP}logical_and"),
        "or": ('The left side of "or" is {traced}', f"{USE_JNP}logical_or"),
        "not": ('The operand of "not" is {traced}', f"{USE_JNP}logical_not"),
        "chain": (
            "A chained comparison needs the truth value of its first half, which is {traced}",
            COMPARE_BY_HALVES,
        ),
        "in": ('The left side of "in" is {traced}', "use jnp.isin, or write (x == a) | (x == b)"),
        "subscript": ("The index of this list or tuple is {traced}", "stack the items into one array with jnp.stack"),
        "range": ("The length of this range is {traced}", "use jax.lax.fori_loop"),
        "numpy": ("NumPy needs concrete values, but this is {traced}", USE_JAX_NUMPY),
        "float": (_CONVERTED, f"{KEEP_ARRAY}, or {USE_JAX_NUMPY} instead of math"),
        "format": ("A format other than {{}} needs a concrete value, but this is {traced}", PRINT_WHEN_RUN),
        "sorted": (_COMPARED, f"{USE_JNP}sort"),
        **dict.fromkeys(("bool", "int", "complex", "index"), (_CONVERTED, KEEP_ARRAY)),
        **dict.fromkeys(("item", "tolist"), (_CONVERTED, "remove it, or call it on the result of the jitted function")),
        **dict.fromkeys(("max", "min"), (_COMPARED, f"{USE_JNP}{{kind}}imum")),
        **dict.fromkeys(("any", "all"), (_TESTED, f"{USE_JNP}{{kind}}")),
    }.items()
}
_UNLESS_NONE: Final = Message(UNLESS_NONE, 'test for None with "is not None"')
_ADVICE_STATIC: Final = f", or {MAKE_STATIC}"

_FLAGS: Final = frozenset({"debug", "deterministic", "evaluate", "flag", "inference", "train", "training", "verbose"})
_FLAG_PREFIXES: Final = ("apply_", "do_", "enable_", "has_", "is_", "return_", "should_", "use_", "with_")


def check_body(body: Body) -> Iterator[BodyError]:
    """Yields at most one error per line."""
    lines: set[int] = set()
    for (node, _), use in sorted(body.analysis.concrete_uses.items(), key=_location):
        source = without_value(use.value) if use.kind in _MESSAGES else None
        if source is not None and _is_branch(source) and node.line not in lines:
            lines.add(node.line)
            yield BodyError(node, _message(use, source, body), CODE)


def _location(item: tuple[tuple[Expression, str], ConcreteUse]) -> tuple[int, int]:
    node, _ = item[0]
    return node.line, node.column


def _is_branch(source: Source) -> bool:
    """Whether a value cannot be a container: an unannotated parameter can, unless its name is like a boolean's."""
    name = source.parameter or ""
    return not source.may_be_tree or name in _FLAGS or name.startswith(_FLAG_PREFIXES)


def _message(use: ConcreteUse, source: Source, body: Body) -> str:
    message = _MESSAGES[use.kind]
    traced = f"traced, because it depends on {_origin(source)}"
    if isinstance(use.value, OrNone):
        problem = message.problem.format(kind=use.kind, traced=f"{traced},")
        return _UNLESS_NONE.fill(problem=problem)
    return message.fill(kind=use.kind, traced=traced, or_static=_or_static(source, body))


def _origin(source: Source) -> str:
    return f"the data field {source.field}" if source.field is not None else source.text


def _or_static(source: Source, body: Body) -> str:
    """Advice to make the parameter, or the field of a pytree, static; empty if it cannot be."""
    name = source.field.split('"')[1] if source.field is not None else source.parameter
    if name is None or source.is_array or source.declared is None:
        return ""
    answer, consulted = can_be_static(source.declared, body.file.settings)
    body.consulted.update(consulted)
    return _ADVICE_STATIC.format(parameter=name) if answer else ""
