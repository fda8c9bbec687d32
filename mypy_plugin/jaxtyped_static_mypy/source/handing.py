"""What a program does with a function that it names without calling it: it may hand it to JAX, or on."""

from collections.abc import Callable, Sequence
from enum import Enum, auto
from itertools import pairwise
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    ConditionalExpr,
    DictExpr,
    Expression,
    FuncDef,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    Node,
    TupleExpr,
)

from ..knowledge import naming
from ..knowledge.calling_functions import called_for_each, starts_process, submits
from ..knowledge.full_names import JAX, PARTIAL
from ..knowledge.function_rows import Effect
from ..knowledge.jax_functions import jax_function
from ..syntax.arguments import positional, unpacks
from ..syntax.names import dotted_name
from .in_turn import is_called_in_turn
from .surroundings import is_written_out

NameOf = Callable[[Expression], str | None]  # the full name of what an expression refers to

_NAMING: Final = "functools.wraps"
_CALLING: Final = Effect.WRAPS | Effect.SAME_FUNCTION
_MAX_LENGTH: Final = 24  # of a name that a note can spell out


class Handed(Enum):
    """Who calls a function that is named."""

    COMPILED = auto()  # JAX, in a trace: once for each compilation, not once for each call
    CALLED = auto()  # the code that names it, through what is made of it: `jax.vmap(f)(x)`, `wrapped(f)(x)`
    EACH = auto()  # the same, for each of several items: `map(f, xs)`
    LEAVES = auto()  # the same, for the leaves of a tree, however many: `jax.tree.map(f, tree)`
    PROCESS = auto()  # a process of its own, where everything is compiled anyway: `Process(target=f)`
    HOST = auto()  # the host, as often as compiled code asks it to: `jax.pure_callback(f, ...)`
    NAMED = auto()  # nobody: `@functools.wraps(f)`, `inspect.signature(f)`
    ON = auto()  # nobody knows who


class Handing(NamedTuple):
    """What is done with a function at one place."""

    how: Handed
    to: str = ""  # the function that gets it, as it is written, if that is short
    holder: Node | None = None  # the statement or expression that gets it, if that is no call
    is_staged: bool = False  # `jax.checkpoint(f)`: what calls it traces it as a whole
    is_batched: bool = False  # `jax.vmap(f)`: what calls it gives it one item of a batch
    items: Expression | None = None  # for each of which it is called

    @property
    def is_listed(self) -> bool:
        """Whether it is put into a dict, from which others may choose it: `SOLVERS = {"euler": euler}`."""
        return isinstance(self.holder, DictExpr)

    @property
    def is_call(self) -> bool:
        """Whether the function runs where it is handed over, as often as the code there says."""
        return self.how in (Handed.CALLED, Handed.EACH, Handed.PROCESS)

    @property
    def is_in_place(self) -> bool:
        """Whether the code around calls the function there, as code of its own: `jax.vmap(lambda x: f(x))(xs)`."""
        return self.how in (Handed.CALLED, Handed.EACH) and not self.is_staged

    def is_for_each(self, follow: Callable[[Expression], Expression]) -> bool:
        """Whether the function is called again and again there: for items that the source does not write out."""
        return self.items is not None and not is_written_out(self.items, follow)


def handing(around: Sequence[Node], name_of: NameOf) -> Handing:
    """What is done with a function. `around`: the nodes around its name, innermost first, and the name itself first."""
    is_made = is_staged = is_batched = False
    for index, (given, taking) in enumerate(pairwise(around)):
        if isinstance(taking, (ListExpr, TupleExpr)):
            continue  # the branches of `lax.switch`
        if isinstance(taking, ConditionalExpr) and given is not taking.cond:
            is_made = True  # what is called is one of two functions
            continue
        if not isinstance(taking, CallExpr):
            is_listed = isinstance(given, (ListExpr, TupleExpr)) and not is_made
            how = Handed.CALLED if is_listed and is_called_in_turn(around[index + 1 :]) else Handed.ON
            return Handing(how, holder=taking, is_staged=is_staged, is_batched=is_batched)
        if given is taking.callee:
            return Handing(Handed.CALLED if is_made else Handed.ON, is_staged=is_staged, is_batched=is_batched)
        name = name_of(taking.callee) or ""
        if _compiles(name):
            return Handing(Handed.COMPILED)
        if name == _NAMING or naming.looks_at(name):
            return Handing(Handed.NAMED)
        if Effect.CALLS_HOST in jax_function(name).effects:
            return Handing(Handed.HOST, _short(taking.callee))
        if _passes_on(name) and given is taking.args[0]:
            is_made, is_staged = True, is_staged or _stages(name)
            is_batched = is_batched or naming.batches(name)
        elif (called := _called_by(taking, given, name)) is not None:
            return called._replace(is_staged=is_staged, is_batched=is_batched)
        elif _wraps(taking, around[index + 2 :]):
            is_made = is_staged = True  # for all that is known
        else:
            return Handing(Handed.ON, _short(taking.callee))
    return Handing(Handed.ON)


def _called_by(taking: CallExpr, given: Node, name: str) -> Handing | None:
    """How the host calls a function that it hands to one of Python's, or to a pool; None if it does neither."""
    keyword = next((name for name, value in zip(taking.arg_names, taking.args, strict=True) if value is given), None)
    if starts_process(name):
        return Handing(Handed.PROCESS, _short(taking.callee))
    method = taking.callee.name if isinstance(taking.callee, MemberExpr) and not name.startswith(JAX) else ""
    if Effect.CALLS_FIRST in jax_function(name).effects and given is taking.args[0]:
        return Handing(Handed.LEAVES, _short(taking.callee))
    if submits(method) and given is taking.args[0]:
        return Handing(Handed.CALLED)
    found = called_for_each(name, method)
    if found is None or unpacks(taking):
        return None
    function, items = found
    given_items = positional(taking)[items : items + 1]
    is_function = keyword == function if isinstance(function, str) else given is taking.args[function]
    return Handing(Handed.EACH, _short(taking.callee), items=given_items[0]) if is_function and given_items else None


def is_in_traced_lambda(around: Sequence[Node], name_of: NameOf) -> bool:
    """Whether code is a part of a lambda that JAX compiles: `jax.jit(lambda x: solve(x))`."""
    for index, node in enumerate(around[1:], 1):
        if isinstance(node, FuncDef):
            return False
        how = handing(around[index:], name_of).how if isinstance(node, LambdaExpr) else Handed.ON
        if how in (Handed.COMPILED, Handed.HOST):
            return how is Handed.COMPILED
    return False


def _compiles(name: str) -> bool:
    """Whether a function calls another in a trace only, as `jax.jit` and `lax.scan` do."""
    row = jax_function(name)
    is_by_jax = row.calls.stages if row.calls is not None else row.compiles is not None
    return naming.compiles(name) or (is_by_jax and not _passes_on(name))


def _passes_on(name: str) -> bool:
    """Whether a function returns one that calls its first argument, in whatever code calls that."""
    return name == PARTIAL or bool(jax_function(name).effects & _CALLING) or naming.transforms(name)


def _wraps(taking: CallExpr, outer: Sequence[Node]) -> bool:
    """Whether a call seems to return a function that calls one of its arguments: by its name, or as it is called."""
    name = (dotted_name(taking.callee) or "").rpartition(".")[2]
    is_called = bool(outer) and isinstance(outer[0], CallExpr) and outer[0].callee is taking
    return naming.wraps(name) or (is_called and name != "" and not naming.is_class(name))


def _stages(name: str) -> bool:
    """Whether it traces what it is given as a whole where the result is called."""
    calls = jax_function(name).calls
    return (calls is not None and calls.stages) or naming.stages(name)


def _short(callee: Expression) -> str:
    name = dotted_name(callee) or ""
    name = name.replace("'", "")  # which mypy adds to the name of a variable that a second `with` binds
    return name if len(name) <= _MAX_LENGTH else ""
