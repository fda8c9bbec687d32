"""Finds out which arguments a wrapper passes on as they are, although it changes others."""

from mypy.nodes import ARG_POS, CallExpr, FuncItem, NameExpr

from ...syntax.trees import nodes_below


def kept_positions(wrapper: FuncItem, subject: str) -> list[int]:
    """The positions that get the caller's own argument in every call of the subject: the first in `f(self, g(x))`.

    The wrapper does nothing else with such an argument, so it does not see what the subject does to it.
    """
    nodes = list(nodes_below(wrapper.body))
    names = [node.name for node in nodes if isinstance(node, NameExpr)]
    calls = [node for node in nodes if isinstance(node, CallExpr) and _is_named(node.callee, subject)]
    if not calls or names.count(subject) != len(calls):
        return []
    nested = {argument.variable.name for node in nodes if isinstance(node, FuncItem) for argument in node.arguments}
    own = [argument.variable.name for argument in wrapper.arguments if argument.kind is ARG_POS]
    return [
        index
        for index, name in enumerate(own)
        if name not in nested and names.count(name) == len(calls) and all(_passes(call, index, name) for call in calls)
    ]


def _passes(call: CallExpr, index: int, name: str) -> bool:
    is_plain = call.arg_kinds[: index + 1] == [ARG_POS] * (index + 1)
    return is_plain and _is_named(call.args[index], name)


def _is_named(node: object, name: str) -> bool:
    return isinstance(node, NameExpr) and node.name == name
