"""jit-argnames: a statement that makes a decorator, and drops it, above the function that it was meant for."""

from itertools import pairwise
from typing import Final

from mypy.nodes import Block, CallExpr, Decorator, ExpressionStmt, FuncDef, OverloadedFuncDef

from ..libraries import jit_function
from ..reporting.errors import report
from ..reporting.harm import Harm
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile, once_per_file
from ..syntax.changes import written
from ..syntax.imports import full_name
from ..syntax.partials import partial_function
from . import CODES

_CODE: Final = CODES["jit-argnames"]
_FUNCTIONS: Final = (Decorator, FuncDef, OverloadedFuncDef)

_DROPPED: Final = Message(
    '"{written}(...)" makes a decorator that this statement drops, so nothing compiles "{function}"',
    "write @ in front of it",
    kind="decorator-dropped",
)


def check_dropped_decorators(file: CheckedFile) -> bool:
    """Reports all of a file, and says if there is any: no type decides, and no hook is called for some of them."""
    for call, function in _dropped(file):
        report(file, call, _DROPPED.fill(written=written(call.callee), function=function), _CODE, harm=Harm.CONTRACT)
    return bool(_dropped(file))


@once_per_file
def _dropped(file: CheckedFile) -> tuple[tuple[CallExpr, str], ...]:
    """The calls, and the name of the function below each."""
    blocks = [file.tree.defs, *(node.body for node in file.by_kind.of(Block))]
    return tuple(
        (statement.expr, below.name)
        for block in blocks
        for statement, below in pairwise(block)
        if isinstance(statement, ExpressionStmt) and isinstance(below, _FUNCTIONS)
        if isinstance(statement.expr, CallExpr) and _makes_decorator(statement.expr, file)
    )


def _makes_decorator(call: CallExpr, file: CheckedFile) -> bool:
    """Whether a call is `partial(jax.jit, static_argnames="n")` or `jax.jit(static_argnames="n")`."""
    compiler = partial_function(call)
    named = [name for name in call.arg_names if name is not None]
    is_bare = len(call.args) == len(named) + (compiler is not None)
    row = jit_function(full_name(compiler or call.callee, file.tree), file.settings.jit_functions)
    return row is not None and row.compiles and is_bare and bool(named) and not {"f", "fun"}.intersection(named)
