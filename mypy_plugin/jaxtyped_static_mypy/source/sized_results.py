"""How large what a function of the file returns is, by its parameters: `make_grid(n)`."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from mypy.nodes import CallExpr, Expression, FuncDef, ReturnStmt

from ..syntax.arguments import argument
from ..syntax.trees import nodes_below
from .values_given import Values, counts_of, values_bound

Names = frozenset[str]


@dataclass(frozen=True, eq=False)
class SizedResults:
    """The functions of a file."""

    function: Callable[[Expression], FuncDef | None]  # of that name
    origins: Callable[[Iterable[Expression], Values], Names]  # the variables from which expressions have their values
    _known: dict[FuncDef, Names] = field(default_factory=dict)

    def counts(self, items: Expression | FuncDef, values: Values) -> Iterator[Expression]:
        """What says how many items a value has, also one that a function of the file makes."""
        return counts_of(items, values, self._given)

    def _given(self, call: CallExpr) -> Iterator[Expression]:
        """The arguments of a call that say how large its result is."""
        called = self.function(call.callee)
        if called is None:
            return
        sized = self._sized_by(called)
        for index, parameter in enumerate(called.arguments):
            name = parameter.variable.name
            value = argument(call, index, name) if name in sized else None
            if value is not None:
                yield value

    def _sized_by(self, function: FuncDef) -> Names:
        """The parameters that say how large what a function returns is."""
        if function not in self._known:
            self._known[function] = frozenset()  # while it is read: functions may call each other
            nodes = nodes_below(function)
            values, own = values_bound(nodes), {argument.variable.name for argument in function.arguments}
            returned = (node.expr for node in nodes if isinstance(node, ReturnStmt) and node.expr is not None)
            counts = [count for value in returned for count in self.counts(value, values)]
            self._known[function] = self.origins(counts, values) & own
        return self._known[function]
