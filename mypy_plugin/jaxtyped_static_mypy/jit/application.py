"""A jit call that compiles a function, and one signature of that function, as the rules about jit calls see them."""

from typing import NamedTuple

from mypy.nodes import Argument, CallExpr, Context, Decorator, Expression, FuncDef
from mypy.types import CallableType

from ..knowledge.function_rows import JitFunction
from ..libraries import jit_function
from ..source.checked_file import CheckedFile
from ..syntax.names import callee_name, last_name
from .sites import JitSite


def compiler_called(call: CallExpr, file: CheckedFile) -> JitFunction | None:
    """How a call compiles a function, or makes what does; None if it does not."""
    return jit_function(callee_name(call), file.settings.jit_functions)


class JitCall(NamedTuple):
    """One place where a function is compiled."""

    context: Context  # the decorated function, or the call
    expression: Expression  # the function
    site: JitSite
    row: JitFunction
    file: CheckedFile

    @property
    def function(self) -> FuncDef | None:
        """The function, if a decorator compiles it where it is defined."""
        return self.context.func if isinstance(self.context, Decorator) else None

    @property
    def compiled(self) -> str:
        """The name under which it is compiled."""
        return self.function.name if self.function is not None else last_name(self.expression)


class Application(NamedTuple):
    """A jit call, with one signature of the function that it compiles."""

    call: JitCall
    signature: CallableType
    static: list[int]  # the indices of the static parameters
    arguments: list[Argument]  # as a decorated function declares them; empty for any other function
