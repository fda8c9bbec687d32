"""What mypy asks the plugin for, and what a call can be to the plugin."""

from collections.abc import Mapping
from enum import Enum, auto
from typing import NamedTuple

from mypy.nodes import SymbolNode
from mypy.plugin import Plugin

from ..compat import mypy_api
from ..compat.mypy_api import lookup_fully_qualified
from ..config.settings import Settings
from ..knowledge.function_rows import JitFunction

Rows = Mapping[str, JitFunction]


class Hook(Enum):
    """What a call, or the application of a decorator, is to the plugin; `table.py` says what answers for it."""

    JIT = auto()  # of `jax.jit` or a relative
    PARTIAL = auto()  # `functools.partial(...)`
    HELPER = auto()  # of a function of the program that passes calls on, or compiles
    DECORATOR = auto()  # of what a jit call or a helper returned
    SAME_FUNCTION = auto()  # of a decorator whose result behaves as the function does
    KNOWN = auto()  # of a function that takes a shape, traces a function argument, or both
    JITTED = auto()  # of a jitted function or method
    CACHED = auto()  # of a function with a cache
    CONSTRUCTOR = auto()  # of a class that may have static fields
    MAKER = auto()  # of a class method that may return an object of such a class
    REPLACE = auto()  # of `dataclasses.replace` and the like
    REGISTRATION = auto()  # of a function that registers a class
    CLASS = auto()  # the private decorator of a class statement
    LOCAL = auto()  # of a name without a module: what it holds says which of these it is


class Request(NamedTuple):
    """mypy asks for a hook by the full name of what is called."""

    fullname: str
    settings: Settings
    rows: Rows  # of the functions that compile, by full name
    plugin: Plugin

    def node(self, fullname: str) -> SymbolNode | None:
        """What a full name stands for, in the modules that mypy has read."""
        symbol = lookup_fully_qualified(fullname, mypy_api.modules_of(self.plugin))
        return symbol.node if symbol is not None else None
