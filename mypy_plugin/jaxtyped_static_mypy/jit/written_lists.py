"""Finds where the lists of a jit call are written, and writes corrected ones, or a marked annotation."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from mypy.nodes import (
    CallExpr,
    Context,
    Decorator,
    Expression,
    FuncDef,
    ListExpr,
    RefExpr,
    SetExpr,
    TupleExpr,
)
from mypy.types import CallableType

from ..compat import mypy_api
from ..knowledge.function_rows import NO_ROW
from ..libraries import known_function
from ..markers.annotations import render_annotation
from ..markers.lifting import is_kept
from ..syntax.decorators import decorator_at
from ..syntax.literals import text_or_number
from ..syntax.names import dotted_name
from .application import Application, JitCall
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


def as_static(application: Application, index: int, others: Iterable[int]) -> str | None:
    """What to write to make a parameter static; where markers are not read, together with `others`."""
    function = application.call.function
    if application.call.row.reads_markers and function is not None:
        return _marked(function, index)
    return static_lists(application, [index, *others])


def static_lists(application: Application, added: Iterable[int]) -> str | None:
    """`static_argnames=("n", "mode")`: the lists with these parameters added; None if they cannot be listed.

    If both lists are given, both have to be complete: JAX infers neither from the other.
    """
    site, row, signature = application.call.site, application.call.row, application.signature
    indices = sorted({*site.static_parameters(signature), *added})
    nums = [index for index in indices if signature.arg_kinds[index].is_positional()]
    names = {index: name for index in indices if (name := signature.arg_names[index]) is not None}
    by_number = row.names_option is None or bool(site.nums) or len(names) < len(indices)
    by_name = bool(site.names) or not by_number or len(nums) < len(indices)
    if (by_name and row.names_option is None) or not {*indices} <= {*names, *nums}:
        return None
    kept = [name for name in site.names if name not in signature.arg_names]  # passed through `**kwargs`
    lists = [
        render_list(row.nums_option, [*nums]) if by_number and row.nums_option is not None else None,
        render_list(row.names_option, [*names.values(), *kept]) if by_name and row.names_option is not None else None,
    ]
    return ", ".join(text for text in lists if text is not None)


def _marked(function: FuncDef, index: int) -> str | None:
    """`mode: Static[str]`; None if mypy does not keep the annotation as it was written."""
    argument, written = function.arguments[index], function.unanalyzed_type
    if argument.kind.is_star() or not isinstance(written, CallableType):
        return None
    annotation = written.arg_types[index]
    if not is_kept(annotation):
        return None
    return f"{argument.variable.name}: Static[{render_annotation(annotation)}]"
