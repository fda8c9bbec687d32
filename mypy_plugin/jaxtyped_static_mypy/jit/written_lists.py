"""Where the lists of a jit call are written, and how they should be."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from mypy.nodes import (
    CallExpr,
    Context,
    Decorator,
    Expression,
    IntExpr,
    ListExpr,
    SetExpr,
    StrExpr,
    TupleExpr,
    UnaryExpr,
)
from mypy.plugin import FunctionContext

from ..compat import mypy_api
from .sites import JitSite, site_of


@dataclass(frozen=True)
class WrittenLists:
    """The call that gives the lists, or the name that stands for it, and the options that are written out there."""

    context: Context
    values: dict[str, Expression]

    def context_of(self, option: str, item: str | int, occurrence: int = 0) -> Context:
        """The item itself; of one that a constant holds, the call."""
        nodes = self._item_nodes.get((option, item), [])
        return nodes[occurrence] if occurrence < len(nodes) else self.context

    @cached_property
    def _item_nodes(self) -> dict[tuple[str, str | int], list[Expression]]:
        """Where each item of an option is written."""
        nodes: dict[tuple[str, str | int], list[Expression]] = {}
        for option, value in self.values.items():
            for node in _literals(value):
                if (item := _value(node)) is not None:
                    nodes.setdefault((option, item), []).append(node)
        return nodes

    def render(self, option: str, items: Iterable[str | int]) -> str | None:
        """The option with these items, in the style in which it is written; None if it is not written out."""
        value = self.values.get(option)
        if value is None or any(_value(node) is None for node in _literals(value)):
            return None
        return render_list(option, list(items), like=value)


def written_lists(ctx: FunctionContext, site: JitSite) -> WrittenLists:
    node = ctx.context
    if isinstance(node, CallExpr) and isinstance(node.callee, CallExpr) and _gives(node.callee, site, ctx):
        return _written(node.callee)
    if isinstance(node, Decorator):
        applied = next((given for given in node.original_decorators if _gives(given, site, ctx)), None)
        return _written(applied) if applied is not None else WrittenLists(node, {})
    return _written(node)


def _gives(node: Expression, site: JitSite, ctx: FunctionContext) -> bool:
    return site_of(mypy_api.type_of_expression(ctx.api, node)) == site


def _written(node: Context) -> WrittenLists:
    if not isinstance(node, CallExpr):
        return WrittenLists(node, {})
    named = zip(node.arg_names, node.args, strict=True)
    return WrittenLists(node, {name: value for name, value in named if name is not None})


def render_list(option: str, items: Sequence[str | int], like: Expression | None = None) -> str | None:
    """`static_argnames=("n", "m")`; None for no items."""
    texts = [json.dumps(item, ensure_ascii=False) for item in items]
    if not texts:
        return None
    if isinstance(like, ListExpr):
        return f"{option}=[{', '.join(texts)}]"
    if len(texts) == 1:
        return f"{option}=({texts[0]},)" if isinstance(like, TupleExpr) else f"{option}={texts[0]}"
    return f"{option}=({', '.join(texts)})"


def _literals(node: Expression) -> Iterator[Expression]:
    if isinstance(node, (ListExpr, TupleExpr, SetExpr)):
        for item in node.items:
            yield from _literals(item)
    else:
        yield node


def _value(node: Expression) -> str | int | None:
    if isinstance(node, UnaryExpr) and node.op == "-" and isinstance(node.expr, IntExpr):
        return -node.expr.value
    return node.value if isinstance(node, (StrExpr, IntExpr)) else None
