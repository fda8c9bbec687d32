"""What statements store in variables, and what calls pass, as texts."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from mypy.nodes import CallExpr, FuncDef, NameExpr, Node

from jaxtyped_static_mypy.flow.kept_state.values import Values
from jaxtyped_static_mypy.flow.kept_state.written import writes_of
from jaxtyped_static_mypy.syntax.arguments import unpacks
from jaxtyped_static_mypy.syntax.assignments import targets_of
from jaxtyped_static_mypy.syntax.trees import names_declared_outside, nodes_below, statements

from .steps import Stored


@dataclass(eq=False)
class Storing:
    """One module."""

    _values: Values = field(default_factory=lambda: Values(lambda _: False))

    def stored(self, node: Node, variables: frozenset[str], *, is_uncertain: bool) -> Iterator[Stored]:
        """`variables`: those of the functions around."""
        for written in writes_of(node, {}):
            is_local = written.slot.root.name in variables
            value = self._values.of(written.value, "")
            yield Stored(written.slot.written, node.line, value, written.operator, is_local, is_uncertain)

    def passed(self, call: CallExpr) -> Iterator[tuple[str, str]]:
        """What a call passes, by the positions or names of parameters."""
        if unpacks(call):
            return
        for index, (name, value) in enumerate(zip(call.arg_names, call.args, strict=True)):
            yield name if name is not None else str(index), self._values.of(value, "")


def variables_of(function: FuncDef, around: frozenset[str]) -> frozenset[str]:
    """Those of a function and of the functions around it, its loops included."""
    outside = names_declared_outside(nodes_below(function.body))
    targets = (target for statement in statements(function.body.body) for target in targets_of(statement))
    bound = {target.name for target in targets if isinstance(target, NameExpr)}
    return frozenset(around | bound | {argument.variable.name for argument in function.arguments}) - outside
