"""jit-branch: Python control flow on a traced value: raises, or freezes one branch."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Expression, ListExpr, Node, RefExpr, TupleExpr

from ..compat.dependencies import record_dependency
from ..facts.needs.recording import TRUTH
from ..flow.traced.elsewhere import ELSEWHERE, needed_where_handed
from ..flow.traced.frame import ConcreteUse
from ..flow.traced.values import OrNone, Source, source_asked
from ..reporting.actions import MAKE_STATIC, Action, Alternative
from ..reporting.errors import report
from ..reporting.jit_sites import site_around
from ..reporting.messages import Advice, Message, Statement
from ..source.checked_file import CheckedFile, once_per_file
from . import CODES
from ._body import Body, BodyError, harm_of_source, source_can_be_static
from ._left_to_defaults import uses_if_given
from ._sizes import Goal, goal_of

CODE: Final = CODES["jit-branch"]

_CONVERTED: Final = "{kind}() needs a concrete value, but this is {traced}"
_COMPARED: Final = "{kind}() compares values, but this is {traced}"
_TESTED: Final = "{kind}() needs truth values, but this is {traced}"

_HOST: Final = "NumPy needs concrete values, but this is {traced}"
_AFTERWARDS: Final = "call it on the result of the jitted function"

_SELECT: Final = Alternative("select with jnp.where or jax.lax.cond", Action.SELECT)
_USE_JAX_NUMPY: Final = Alternative("use jax.numpy", Action.USE_JAX_NUMPY)
_KEEP_ARRAY: Final = Alternative("keep it an array (jnp.asarray of all of it, with a dtype)", Action.KEEP_ARRAY)
_CALL: Final = Alternative("use jnp.{function}", Action.CALL_ARRAY_FUNCTION)

# `{traced}`: "traced, because it depends on ..."
_TEMPLATES: Final[Mapping[str, tuple[str, Advice]]] = {
    "if": ("This condition is {traced}", _SELECT),
    "conditional": ("This condition is {traced}", _SELECT),
    "match": ("The subject of this match is {traced}", "select with jnp.where or jax.lax.switch"),
    "comprehension": ("This condition is {traced}", "select with a mask and jnp.where"),
    "while": ("The condition of this loop is {traced}", "use jax.lax.while_loop"),
    "while-again": (
        "From the second pass on, the condition of this loop is {traced}",
        "use jax.lax.while_loop",
    ),
    "assert": ("This assertion is {traced}", "use checkify.check, or check before the call"),
    "and": ('The left side of "and" is {traced}', _CALL.knowing(function="logical_and")),
    "or": ('The left side of "or" is {traced}', _CALL.knowing(function="logical_or")),
    "not": ('The operand of "not" is {traced}', _CALL.knowing(function="logical_not")),
    "chain": (
        "A chained comparison needs the truth value of its first half, which is {traced}",
        Alternative("write (a < x) & (x < b)", Action.COMPARE_BY_HALVES),
    ),
    "in": ('The left side of "in" is {traced}', "use jnp.isin, or write (x == a) | (x == b)"),
    "subscript": ("The index of this list or tuple is {traced}", "stack the items into one array with jnp.stack"),
    "subscript-text": ("The index of this text is {traced}", "look it up before the call"),
    "host-index": (_HOST, "index jnp.asarray(...) of the table"),
    "host-item": (_HOST, "make it an array of JAX, and use x.at[i].set"),
    "in-place": ("An array of JAX cannot be changed in place, and this is {traced}", "write x = x.at[i].set(value)"),
    "hash": (
        "A tracer has no hash, and this is {traced}",
        "use jnp.isin, jax.lax.switch or an array in place of the set or dict",
    ),
    "hash-arguments": (
        "A cached function hashes its arguments, but this is {traced}",
        "remove the cache: compiled code does not run the function again anyway",
    ),
    "lookup": ("Finding this in a list needs truth values, but it is {traced}", "use jnp.argmax(items == x)"),
    "search": ("Finding a place in a sorted list needs truth values, but this is {traced}", "use jnp.searchsorted"),
    "compared-items": (
        "Comparing tuples or lists needs the truth of comparing their items, but this is {traced}",
        "compare the items one by one, and join the results with &",
    ),
    "ordering-key": (
        "Ordering by a key compares values, but this is {traced}",
        "use jnp.argsort, jnp.argmin or jnp.argmax of the keys",
    ),
    "sort": (_COMPARED, "use jnp.sort of the stacked items"),
    "python-only": (
        "This function needs concrete values, but this is {traced}",
        ("use jax.numpy or jax.random", _AFTERWARDS),
    ),
    "repeated": (
        "How often this is repeated is {traced}",
        "use jnp.full or jnp.tile with a static count",
    ),
    "attribute": ("Only Python's numbers have this attribute, but this is {traced}", "compute it with jax.numpy"),
    "power": ("pow() with a modulus needs numbers, but this is {traced}", "write (x ** n) % m"),
    "enum": ("Finding a member of an enum needs its value, but this is {traced}", "use jax.lax.switch"),
    "isinstance": (
        "This is False while JAX traces: a tracer is no instance of a number, and this is {traced}",
        "test it before the call",
    ),
    "type-guard": ("This test fails for every tracer, and this is {traced}", "test it before the call"),
    "filter": ("filter() needs truth values, but this is {traced}", "select with a mask and jnp.where"),
    ELSEWHERE: (
        '"{function}" needs a concrete value {use}, but what it is given here is {traced}',
        ("use jax.numpy there (jnp.where for a condition)", _AFTERWARDS),
    ),
    "range": ("The length of this range is {traced}", "use jax.lax.fori_loop"),
    "numpy": (_HOST, _USE_JAX_NUMPY),
    "numpy-only": (_HOST, ("use JAX instead (jax.random, x.at[i].set, x.astype)", _AFTERWARDS)),
    "scipy": ("SciPy needs concrete values, but this is {traced}", ("use jax.scipy or jax.numpy", _AFTERWARDS)),
    "never-equal": ("NumPy finds that a tracer equals nothing, and this is {traced}", _USE_JAX_NUMPY),
    "float": (_CONVERTED, (_KEEP_ARRAY, "use jax.numpy instead of math")),
    "format": (
        "A format other than {{}} needs a concrete value, but this is {traced}",
        "use jax.debug.print or format the result of the jitted function",
    ),
    "sorted": (_COMPARED, _CALL.knowing(function="sort")),
    **dict.fromkeys(("bool", "int", "complex", "index"), (_CONVERTED, _KEEP_ARRAY)),
    **dict.fromkeys(("item", "tolist"), (_CONVERTED, "remove it, or call it on the result of the jitted function")),
    "max": (_COMPARED, _CALL.knowing(function="maximum")),
    "min": (_COMPARED, _CALL.knowing(function="minimum")),
    "any": (_TESTED, _CALL.knowing(function="any")),
    "all": (_TESTED, _CALL.knowing(function="all")),
}
_MESSAGES: Final = {kind: Message(*template, kind) for kind, template in _TEMPLATES.items()}
# Of a function of another module, these ask for the truth of what it computes.
_CONDITIONS: Final = ("and", "chain", "conditional", "if", "not", "or", "while")
# What such a function does with what it is given.
_USED: Final[Mapping[str, str]] = {
    **dict.fromkeys((TRUTH, *_CONDITIONS), "in a condition"),
    "assert": "in an assertion",
    "attribute": "as a number",
    "format": "in a format",
    "in-place": "to change it in place",
    **dict.fromkeys(("numpy", "numpy-only"), "for NumPy"),
    "python-only": "for Python's standard library",
    "repeated": "to repeat a list",
    "subscript": "as an index of a list or tuple",
    "scipy": "for SciPy",
}
# Of a list or tuple that the call writes out, and of several arguments.
_OF_ITEMS: Final = {
    "any": Message(_TESTED, "join the items with | (jnp.any(a) | jnp.any(b))", kind="any"),
    "all": Message(_TESTED, "join the items with & (jnp.all(a) & jnp.all(b))", kind="all"),
    "max": Message(_COMPARED, "use jnp.max of jnp.stack of the values", kind="max"),
    "min": Message(_COMPARED, "use jnp.min of jnp.stack of the values", kind="min"),
}
# Of a number that no array can stand for.
_OF_GOALS: Final = {
    Goal.SHAPE: Message(_CONVERTED, "compute it before the call, as it decides a shape", kind="converted-to-shape"),
    Goal.LOOP: Message(_CONVERTED, "keep it an array, and use jax.lax.fori_loop", kind="converted-to-range"),
}
_INTEGERS: Final = ("index", "int")
_COMPARING: Final = ("max", "min")
_PAIR: Final = 2  # what `jnp.maximum` takes
_UNLESS_NONE: Final = Message(
    ", unless it is None",
    Alternative('test for None with "is not None"', Action.TEST_FOR_NONE),
    kind="traced-unless-none",
)

# These raise for every pytree, too.
_FOR_ANY: Final = frozenset(
    {"float", "host-index", "int", "complex", "index", "range", "subscript", "subscript-text", "repeated"}
) | {
    "format",
    "item",
    "tolist",
}
# These raise even for a tracer that has a value, of `jax.grad` outside of any program (JAX 0.10.2).
_WITH_VALUE: Final = """
    attribute complex float format hash hash-arguments host-item in-place numpy numpy-only python-only repeated scipy
    tolist
"""
_REFUSING_VALUES: Final = frozenset(_WITH_VALUE.split())
_FLAGS: Final = frozenset({"debug", "deterministic", "evaluate", "flag", "inference", "train", "training", "verbose"})
_FLAG_PREFIXES: Final = ("apply_", "do_", "enable_", "has_", "is_", "return_", "should_", "use_", "with_")


def check_body(body: Body) -> Iterator[BodyError]:
    """Yields at most one error per line."""
    lines: set[int] = set()
    for (node, _), use in sorted(body.analysis.concrete_uses.items(), key=_location):
        if (source := _source_asked(use)) is not None and node.line not in lines:
            lines.add(node.line)
            yield BodyError(node, _statement(node, use, source, body), CODE, harm=harm_of_source(source))
    yield from _of_left_out(body, lines)


def _of_left_out(body: Body, lines: set[int]) -> Iterator[BodyError]:
    """What raises if a call of another file gives a parameter that those of this file leave to its default."""
    for node, use, question in uses_if_given(body):
        if (source := _source_asked(use)) is not None and node.line not in lines:
            lines.add(node.line)
            yield BodyError(node, _statement(node, use, source, body), CODE, questions=(question,))


class _Handed(NamedTuple):
    """A function of another module that is handed to JAX, and what it needs of what JAX passes."""

    function: Expression
    use: ConcreteUse
    source: Source


def check_handed(call: CallExpr, file: CheckedFile) -> None:
    """Reports a function of another module where the file first hands it to JAX, if it needs a concrete value."""
    for handed in (handed for first, handed in _first_handed(file) if first is call):
        can_be_static, consulted = source_can_be_static(handed.source, file.settings)
        record_dependency(file.api, consulted)
        name = handed.source.parameter if can_be_static else None
        statement = _elsewhere(handed.use, handed.source, name)
        report(file, handed.function, statement, CODE, site=site_around(handed.function.line, file))


@once_per_file
def _first_handed(file: CheckedFile) -> list[tuple[CallExpr, _Handed]]:
    """One for each function: its first call that hands it over, and what that needs first."""
    found: dict[Node | None, tuple[CallExpr, _Handed]] = {}
    for call in file.calls:
        for function, use in needed_where_handed(call, file):
            source = _source_asked(use)
            if source is not None and isinstance(function, RefExpr):
                found.setdefault(function.node, (call, _Handed(function, use, source)))
    return list(found.values())


def _source_asked(use: ConcreteUse) -> Source | None:
    """The source of what a place needs the value of; None if it may have one, or be a container."""
    asks = use.option if use.kind == ELSEWHERE else use.kind
    if asks not in _MESSAGES and asks != TRUTH:
        return None
    source = source_asked(use.value, is_any_tracer_refused=asks in _REFUSING_VALUES)
    is_for_any = asks in _FOR_ANY or (use.kind == ELSEWHERE and asks in _CONDITIONS)
    return source if source is not None and (is_for_any or _is_branch(source)) else None


def _location(item: tuple[tuple[Expression, str], ConcreteUse]) -> tuple[int, int]:
    node, _ = item[0]
    return node.line, node.column


def _is_branch(source: Source) -> bool:
    """Whether a value cannot be a container: an unannotated parameter can, unless its name is like a boolean's."""
    name = source.parameter or ""
    return not source.may_be_tree or name in _FLAGS or name.startswith(_FLAG_PREFIXES)


def _statement(node: Expression, use: ConcreteUse, source: Source, body: Body) -> Statement:
    if use.kind == ELSEWHERE:
        return _elsewhere(use, source, _could_be_static(source, body))
    message, traced = _message(node, use.kind, body.file), _traced(source)
    if isinstance(use.value, OrNone):
        unless_none = _UNLESS_NONE._replace(problem=f"{message.problem}{_UNLESS_NONE.problem}")
        return unless_none.fill(kind=use.kind, traced=traced)
    name = _could_be_static(source, body)
    message = message.also(MAKE_STATIC) if name is not None else message
    return message.fill(kind=use.kind, traced=traced, parameter=name or "")


def _elsewhere(use: ConcreteUse, source: Source, static: str | None = None) -> Statement:
    """`static`: the parameter that could be static."""
    message = _MESSAGES[ELSEWHERE].also(MAKE_STATIC) if static is not None else _MESSAGES[ELSEWHERE]
    how = _USED.get(use.option, f"for {use.option}()")
    return message.fill(function=use.function, use=how, traced=_traced(source), parameter=static or "")


def _traced(source: Source) -> str:
    return f"traced, because it depends on {_origin(source)}"


def _message(node: Expression, kind: str, file: CheckedFile) -> Message:
    """What the kind says, with the advice for what stands there."""
    if kind in _OF_ITEMS and isinstance(node, CallExpr) and not _takes_one_array(node, kind):
        return _OF_ITEMS[kind]
    goal = goal_of(node, file) if kind in _INTEGERS else None
    return _OF_GOALS[goal] if goal is not None else _MESSAGES[kind]


def _takes_one_array(call: CallExpr, kind: str) -> bool:
    """Whether the function of `jax.numpy` takes what Python's function is given: one array, or a pair to compare."""
    if kind in _COMPARING:
        return len(call.args) == _PAIR
    return len(call.args) == 1 and not isinstance(call.args[0], (ListExpr, TupleExpr))


def _origin(source: Source) -> str:
    return f"the data field {source.field}" if source.field is not None else source.text


def _could_be_static(source: Source, body: Body) -> str | None:
    """The parameter, or the field of a pytree, that could be static; None if it cannot be."""
    name = source.field.split('"')[1] if source.field is not None else source.parameter
    if name is None:
        return None
    answer, consulted = source_can_be_static(source, body.file.settings)
    body.consulted.update(consulted)
    return name if answer else None
