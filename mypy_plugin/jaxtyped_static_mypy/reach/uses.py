"""The uses of a function in its file: who calls it, who hands it to JAX, and whether the file shows nothing else.

All who ask "who calls this function?" ask here, and say how sure they have to be that a place means it (`Naming`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    RefExpr,
    SymbolNode,
    Var,
)

from ..source.checked_file import CheckedFile, once_per_file
from ..source.named_lambdas import uses_of_lambda
from ..source.parameters import takes
from ..source.selves import classes_of_selves
from ..syntax.names import is_self
from ..syntax.partials import partial_function
from .applied import applied_in
from .receiving import has_method, is_of_library
from .traced_calls import TracedCall, calls_the_host, passes_on, traced_calls


class Naming(Enum):
    """How sure it is that a place which has the name of a function means it."""

    SYMBOL = auto()  # mypy resolves the name to it
    OWN = auto()  # `self.step`, where one function of the file has this name, or of an object whose class is shown
    ATTRIBUTE = auto()  # `model.step`, perhaps of another class or module
    UNRESOLVED = auto()  # a name that mypy has not resolved
    OTHER = auto()  # another variable or function of this name


SYMBOL: Final = frozenset({Naming.SYMBOL})
OWN: Final = frozenset({Naming.OWN})
CERTAIN: Final = SYMBOL | OWN
POSSIBLE: Final = CERTAIN | {Naming.ATTRIBUTE, Naming.UNRESOLVED}


class Use(NamedTuple):
    """One place that has the name of a function; a lambda without a name is its own only use."""

    expression: Expression
    naming: Naming
    call: CallExpr | None = None  # of the function
    taken_by: CallExpr | None = None  # the call that it is an argument of


@dataclass(frozen=True, eq=False)
class FunctionUses:
    """The uses of one function in its file."""

    function: FuncItem
    file: CheckedFile
    all: tuple[Use, ...]

    @property
    def likely(self) -> list[Use]:
        """Those that count as uses where no type tells: of a method, also those on any object."""
        namings = CERTAIN | {Naming.ATTRIBUTE} if self.function.info else SYMBOL
        return self.named(namings)

    def named(self, namings: frozenset[Naming]) -> list[Use]:
        return [use for use in self.all if use.naming in namings]

    def calls(self, namings: frozenset[Naming]) -> list[CallExpr]:
        """The calls of the function itself."""
        return [use.call for use in self.named(namings) if use.call is not None]

    def calls_of_results(self) -> Iterator[CallExpr]:
        """The likely calls of what another function makes of it: `jax.jit(f)(x)`."""
        for use in self.likely:
            if use.taken_by is not None and use.taken_by.args[0] is use.expression:
                call = self.file.calls_by_callee.get(use.taken_by)
                if call is not None:
                    yield call

    @property
    def certain(self) -> list[Use]:
        """Those that mean this function, and no other: of a method, those on `self`."""
        return self.named(OWN if self.function.info else SYMBOL)

    @cached_property
    def traced(self) -> list[TracedCall]:
        """How JAX traces the function where a use that is certain hands it over."""
        found = (traced for use in self.certain for traced in _calls_tracing(use, self.file))
        return [traced.of_method() if self.function.info else traced for traced in found]

    @cached_property
    def not_traced(self) -> list[Use]:
        """Those that may mean this function, and do not hand it to JAX: calls of it, mostly."""
        return [use for use in self.named(POSSIBLE) if next(_calls_tracing(use, self.file), None) is None]

    @property
    def is_callback(self) -> bool:
        """Whether a call hands the function to the host, perhaps with some arguments bound."""
        takers = (_outermost_taking(use, self.file) for use in self.named(SYMBOL))
        return any(taker is not None and calls_the_host(taker) for taker in takers)

    @cached_property
    def handing_over(self) -> list[tuple[CallExpr, TracedCall]]:
        """The calls that hand the function to JAX; none if the file uses it in any other way."""
        uses = self._to_be_explained()
        found = [passed for use in uses if (passed := self._handed_over(use)) is not None]
        return found if len(found) == len(uses) else []

    @cached_property
    def handed_over(self) -> list[tuple[CallExpr, TracedCall]]:
        """The calls that hand the function to JAX for sure, whatever else the file does with it."""
        found = [passed for use in self.all if (passed := self._handed_over(use)) is not None]
        return [*found, *applied_in(self.file).get(self.function, ())]

    def _to_be_explained(self) -> list[Use]:
        """Of a method, every use of its name; but one that replaces it hides it: `self.step = jax.jit(self.step)`."""
        if not self.function.info:
            return self.named(POSSIBLE)
        replacing = self.file.replaced_methods.get(self.function.name, [])
        uses = [use for use in self.all if use.naming is not Naming.OTHER]  # the variable in `step = jit(self.step)`
        return [use for use in uses if use.taken_by in replacing] or uses

    def _handed_over(self, use: Use) -> tuple[CallExpr, TracedCall] | None:
        function = self.function
        call = _outermost_taking(use, self.file)
        traced = next(_calls_tracing(use, self.file), None)
        if call is None or traced is None:
            return None
        if function.info:
            is_bound = use.naming is Naming.OWN and not function.is_static and not function.is_class
            return (call, traced.of_method()) if is_bound else None
        is_named = use.naming is Naming.SYMBOL and isinstance(use.expression, (NameExpr, LambdaExpr))
        return (call, traced) if is_named else None


@once_per_file
def uses_of(file: CheckedFile, function: FuncItem) -> FunctionUses:
    """The places of the file that use a function, or may use it."""
    calls, taking = file.calls_by_callee, file.calls_taking
    found: list[tuple[Expression, Naming]]
    if isinstance(function, FuncDef):
        found = [(name, _naming(name, function, file)) for name in file.uses_by_name.get(function.name, ())]
    else:
        used = uses_of_lambda(function, file) if isinstance(function, LambdaExpr) else []
        found = [(node, Naming.SYMBOL) for node in used]
    uses = (Use(node, naming, calls.get(node), taking.get(node)) for node, naming in found)
    return FunctionUses(function, file, tuple(use._replace(naming=_by_arguments(use, function)) for use in uses))


def _by_arguments(use: Use, function: FuncItem) -> Naming:
    """A method of this name that takes other arguments is another one."""
    if use.naming is not Naming.ATTRIBUTE or use.call is None or not function.info:
        return use.naming
    return use.naming if takes(function, use.call) else Naming.OTHER


def _naming(name: RefExpr, function: FuncDef, file: CheckedFile) -> Naming:
    decorator = file.decorators.get(function)
    symbols: tuple[SymbolNode | None, ...] = (function, decorator, decorator.var) if decorator else (function,)
    if name.node in symbols:
        return Naming.SYMBOL
    if isinstance(name, MemberExpr) and (function.info or not isinstance(name.node, Var)):
        return naming_of_attribute(name, function, file)
    return Naming.OTHER if name.node is not None else Naming.UNRESOLVED


def naming_of_attribute(name: MemberExpr, function: FuncDef, file: CheckedFile) -> Naming:
    """How sure `obj.step` is to mean a method; that of `self` is read in its class if several have one of the name."""
    if is_of_library(name, file):
        return Naming.OTHER
    if not function.info:
        return Naming.ATTRIBUTE
    if not is_self(name.expr):
        return Naming.OWN if has_method(name.expr, function, file) else Naming.ATTRIBUTE
    if len(file.functions_named.get(function.name, ())) == 1:
        return Naming.OWN
    cls = classes_of_selves(file).get(name.expr.node) if isinstance(name.expr, NameExpr) and name.expr.node else None
    if cls is None:
        return Naming.ATTRIBUTE
    found = cls.get(function.name)
    if found is not None and found.node in (function, file.decorators.get(function)):
        return Naming.OWN
    return Naming.ATTRIBUTE if cls in function.info.mro else Naming.OTHER


def _calls_tracing(use: Use, file: CheckedFile) -> Iterator[TracedCall]:
    """How JAX traces a function at one use of its name."""
    if (call := _outermost_taking(use, file)) is not None:
        yield from (traced for traced in traced_calls(file, call) if traced.function is use.expression)


def _outermost_taking(use: Use, file: CheckedFile) -> CallExpr | None:
    """The call that a use may hand the function to: `jax.jit(logged(f))` or `jax.jit(partial(f, a))` as a whole."""
    given, call = use.expression, use.taken_by
    while call is not None and (partial_function(call) is given or passes_on(call, file)):
        given, call = call, file.calls_taking.get(call)
    return call
