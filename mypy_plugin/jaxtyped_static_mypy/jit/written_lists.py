"""Finds where the lists of a jit call are written, and writes corrected ones."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from mypy.nodes import (
    CallExpr,
    Context,
    Decorator,
    Expression,
    ListExpr,
    RefExpr,
    SetExpr,
    TupleExpr,
)

from ..compat import mypy_api
from ..knowledge.function_rows import NO_ROW
from ..libraries import known_function
from ..syntax.decorators import decorator_at
from ..syntax.literals import text_or_number
from ..syntax.trees import dotted_name
from .application import JitCall
from .site_names import site_of


@dataclass(frozen=True)
class WrittenLists:
    """The call that gives the lists, or the name that stands for it, and the values written there."""

    context: Context
    values: dict[str, Expression]
    wrapper: str | None = None  # the name of a wrapper of jit, which may write lists of its own

    def shown(self, option: str) -> str:
        """How errors name an option."""
        is_elsewhere = self.wrapper is not None and option not in self.values
        return f'{option} of "{self.wrapper}"' if is_elsewhere else option

    def context_of(self, option: str, item: str | int, occurrence: int = 0) -> Context:
        """Where to report an item: at the item, or at the call if a constant holds it."""
        nodes = self._item_nodes.get((option, item), [])
        return nodes[occurrence] if occurrence < len(nodes) else self.context

    @cached_property
    def _item_nodes(self) -> dict[tuple[str, str | int], list[Expression]]:
        """The nodes of each item of an option."""
        nodes: dict[tuple[str, str | int], list[Expression]] = {}
        for option, value in self.values.items():
            for node in _literals(value):
                if (item := text_or_number(node)) is not None:
                    nodes.setdefault((option, item), []).append(node)
        return nodes


def written_lists(call: JitCall) -> WrittenLists:
    node = call.context
    if isinstance(node, CallExpr) and isinstance(node.callee, CallExpr) and _gives_lists(node.callee, call):
        return _written(node.callee)
    if isinstance(node, Decorator):
        applied = next((given for given in node.original_decorators if _gives_lists(given, call)), None)
        applied = applied or decorator_at(node, call.expression)
        return _written(applied) if applied is not None else WrittenLists(node, {})
    return _written(node)


def _gives_lists(node: Expression, call: JitCall) -> bool:
    return site_of(mypy_api.type_of_expression(call.file.api, node)) == call.site


def _written(node: Context) -> WrittenLists:
    if not isinstance(node, CallExpr):
        return WrittenLists(node, {}, _wrapper(node))
    named = zip(node.arg_names, node.args, strict=True)
    return WrittenLists(node, {name: value for name, value in named if name is not None}, _wrapper(node.callee))


def _wrapper(node: Context) -> str | None:
    """The name of what applies jit, if that is not a function that is known to."""
    if not isinstance(node, RefExpr) or known_function(node.fullname) is not NO_ROW:
        return None
    return dotted_name(node)


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
