"""One application of jit to a function, as the rules about jit calls see it."""

from typing import NamedTuple

from mypy.nodes import Argument, Context, Decorator, Expression, FuncDef
from mypy.types import CallableType

from ..knowledge.function_rows import JitFunction
from .signatures import decorated_arguments
from .sites import JitSite


class Application(NamedTuple):
    """A jit call and one signature of the function it compiles. `static`: the indices of the static parameters."""

    context: Context  # the decorated function, or the call
    expression: Expression
    signature: CallableType
    static: list[int]
    site: JitSite
    row: JitFunction

    @property
    def function(self) -> FuncDef | None:
        """The function, if a decorator compiles it where it is defined."""
        return self.context.func if isinstance(self.context, Decorator) else None

    @property
    def arguments(self) -> list[Argument]:
        """The parameters as a decorated function declares them; empty for any other function."""
        return decorated_arguments(self.context, self.expression, self.signature)
