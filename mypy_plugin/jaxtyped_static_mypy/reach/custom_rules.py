"""Functions that are given rules of their own, by `custom_jvp`, `custom_vjp` and `custom_vmap`, and these rules.

JAX runs a rule where the function is differentiated, or mapped: in a compiled program with tracers.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, FuncItem, LambdaExpr, MemberExpr, RefExpr

from ..knowledge.function_rows import Effect
from ..knowledge.members import RULE_METHODS
from ..libraries import known_function
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile, once_per_file
from ..syntax.arguments import argument, unpacks
from ..syntax.decorators import applied
from ..syntax.names import callee_name, function_of
from .layers import name_called
from .traced_calls import traced_again

# With it, a rule gets objects that say which of the arguments are differentiated.
_SYMBOLIC: Final = "symbolic_zeros"


class Rule(NamedTuple):
    """One rule of a function."""

    method: str  # by which the function gets it
    number: int  # among those of one call
    function: FuncItem
    named: Expression | None = None  # where a call hands it over


class Custom(NamedTuple):
    """A function that takes rules, and how it was made one."""

    function: FuncDef
    made: CallExpr

    @property
    def differentiated(self) -> tuple[bool, ...]:
        """For each parameter, whether it is one of the values: those that are none lead the arguments of rules."""
        traces = traced_again(self.made).traces
        return tuple(traces(index, name or "") for index, name in enumerate(self.function.arg_names))

    @property
    def refuses_tracers(self) -> bool:
        """Whether parameters that are no values have to be concrete."""
        compiles = known_function(callee_name(self.made)).compiles
        return compiles is not None and compiles.nums_option is not None


def custom_function(node: Expression, file: CheckedFile) -> Custom | None:
    """The function of the file below `custom_jvp` and its like that an expression stands for."""
    definition = node.node if isinstance(node, RefExpr) else None
    if isinstance(definition, Decorator):
        is_here = file.decorators.get(definition.func) is definition
        made = (applied(one) for one in definition.original_decorators) if is_here else ()
        return next((Custom(definition.func, call) for call in made if _takes_rules(call, file)), None)
    call = made_by(node, file)
    function = function_of(call.args[0]) if isinstance(call, CallExpr) and call.args else None
    is_plain = isinstance(function, FuncDef) and file.defines(function) and not function.is_decorated
    if isinstance(call, CallExpr) and isinstance(function, FuncDef) and is_plain and _takes_rules(call, file):
        return Custom(function, call)
    return None


def _takes_rules(call: CallExpr, file: CheckedFile) -> bool:
    return Effect.TAKES_RULES in known_function(name_called(call.callee, file.tree)).effects


@once_per_file
def rules_in(file: CheckedFile) -> Mapping[FuncItem, list[Rule]]:
    """The rules that a file gives to its functions."""
    found: dict[FuncItem, list[Rule]] = {}
    for given, rule in (*_given_by_calls(file), *_given_by_decorators(file)):
        custom = custom_function(given.expr, file)
        if custom is not None and (file.defines(rule.function) or isinstance(rule.function, LambdaExpr)):
            found.setdefault(custom.function, []).append(rule)
    return found


_Given = Iterator[tuple[MemberExpr, Rule]]


def _given_by_calls(file: CheckedFile) -> _Given:
    """`f.defvjp(fwd, bwd)`."""
    for method, names in RULE_METHODS.items():
        for call in file.calls_by_name.get(method, ()):
            if not isinstance(call.callee, MemberExpr) or unpacks(call) or _SYMBOLIC in call.arg_names:
                continue
            handed = [argument(call, index, name) for index, name in enumerate(names)] if names else call.args
            for number, named in enumerate(handed):
                function = function_of(named) if named is not None else None
                if named is not None and function is not None:
                    yield call.callee, Rule(method, number, function, named)


def _given_by_decorators(file: CheckedFile) -> _Given:
    """`@f.defjvp`, which returns the rule as it is."""
    for function, definition in file.decorators.items():
        only = definition.original_decorators[0] if len(definition.original_decorators) == 1 else None
        if isinstance(only, MemberExpr) and only.name in RULE_METHODS:
            yield only, Rule(only.name, 0, function)
