"""A function meets the jit that compiles it: what the rules about applying jit look at."""

from typing import NamedTuple

from mypy.nodes import Argument, Context, Decorator, Expression, FuncDef
from mypy.types import CallableType

from ..knowledge.function_rows import JitFunction
from .signatures import decorated_arguments
from .sites import JitSite


class Application(NamedTuple):
    """One application. `static`: indices of the static parameters, by the lists or by their markers."""

    context: Context  # the decorated function, or the call
    expression: Expression
    signature: CallableType
    static: list[int]
    site: JitSite
    row: JitFunction

    @property
    def function(self) -> FuncDef | None:
        """The function that is compiled where it is defined, by a decorator."""
        return self.context.func if isinstance(self.context, Decorator) else None

    @property
    def arguments(self) -> list[Argument]:
        """The parameters as a decorated function declares them; none for a function that is compiled elsewhere."""
        return decorated_arguments(self.context, self.expression, self.signature)
