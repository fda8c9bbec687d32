"""Finds out from a full name what a call is to the plugin.

mypy (2.4.1) asks twice for every call expression, whether there is a hook and then for it, so most answers are a dict
look-up.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import Final, NamedTuple

from mypy.nodes import (
    CallExpr,
    Context,
    Decorator,
    FuncDef,
    MypyFile,
    OverloadedFuncDef,
    RefExpr,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.plugin import FunctionContext
from mypy.types import Type

from ..classes import class_model
from ..compat import mypy_api
from ..config.settings import Settings
from ..jit.signatures import is_filtered, is_jitted
from ..jit.site_names import site_named, site_of
from ..knowledge.array_arguments import array_parameters
from ..knowledge.costly_functions import is_costly
from ..knowledge.full_names import CACHED_CALL, CLASS_CHECK, JAX, PARTIAL, VARIABLES_OF_LINEN
from ..knowledge.function_rows import Effect
from ..knowledge.jax_functions import jax_function, jax_name
from ..knowledge.jax_types import INDEXED_UPDATES
from ..knowledge.members import COPYING_METHODS
from ..libraries import (
    KEY_TYPES,
    PYTREE_DECORATORS,
    STATIC_DECORATORS,
    compiled_eagerly,
    functions_with,
    jit_function,
    known_function,
)
from ..memory import once_per_run
from ..reach.eager_wrappers import handing_function
from ..source.bindings import made_by
from ..source.checked_file import CheckedFile
from .helper_calls import is_helper
from .jit_calls import site_of_local


class Hook(Enum):
    """What a call, or the application of a decorator, is to the plugin; `table.py` says what answers for it."""

    JIT = auto()  # of `jax.jit` or a relative
    PARTIAL = auto()  # `functools.partial(...)`
    HELPER = auto()  # of a function of the program that passes calls on, or compiles
    DECORATOR = auto()  # of what a jit call or a helper returned
    SAME_FUNCTION = auto()  # of a decorator whose result behaves as the function does
    KNOWN = auto()  # of a function that takes a shape, traces a function argument, or both
    JITTED = auto()  # of a jitted function or method
    FILTERED = auto()  # of one that traces only the arrays in its arguments
    CACHED = auto()  # of a function with a cache
    CONSTRUCTOR = auto()  # of a class that may have static fields
    MAKER = auto()  # of a class method that may return an object of such a class
    REPLACE = auto()  # of `dataclasses.replace` and the like
    UPDATE = auto()  # of what only returns a changed copy, or takes arrays: what is wrong is reported at any hook
    REGISTRATION = auto()  # of a function that registers a class
    CLASS = auto()  # the private decorator of a class statement
    VARIABLES = auto()  # of a method of Flax Linen's modules that returns their variables
    LOCAL = auto()  # of a name without a module: what it holds says which of these it is


_FUNCTIONS: Final[Mapping[str, Hook]] = {
    **dict.fromkeys(functions_with(Effect.COPIES), Hook.REPLACE),
    PARTIAL: Hook.PARTIAL,
    **dict.fromkeys(PYTREE_DECORATORS | STATIC_DECORATORS, Hook.REGISTRATION),
    CLASS_CHECK: Hook.CLASS,
}


class Request(NamedTuple):
    """mypy asks for a hook by the full name of what is called."""

    fullname: str
    settings: Settings
    modules: dict[str, MypyFile]  # that mypy has read


class Found(NamedTuple):
    """The hook for a name, if there is one, and whether that holds until a file is parsed."""

    hook: Hook | None
    is_lasting: bool = False


def find_function(request: Request) -> Found:
    name = request.fullname
    if (known := _known_function(name, request.settings.jit_functions)) is not None:
        return Found(known, is_lasting=True)
    if name.isidentifier():
        return Found(Hook.LOCAL)
    if "([" in name:
        return Found(Hook.DECORATOR if site_named(name) is not None else None)
    if is_helper(name, request.modules, request.settings):
        return Found(Hook.HELPER)
    if handing_function(name, request.modules) is not None:
        return Found(Hook.KNOWN)
    is_display = "." not in name  # mypy checks `[x]` as a call of a function that it names `<list>`
    node = None if is_display else mypy_api.node_named(name, request.modules)
    if node is None and _is_local_of_method(name, request.modules):
        return Found(Hook.LOCAL)
    if is_display or name in KEY_TYPES or _is_plain(node):
        return Found(None, is_lasting=True)
    return Found(_of_global(node))


def _is_local_of_method(name: str, modules: dict[str, MypyFile]) -> bool:
    """Whether a function may be nested in a method: mypy (2.4.1) names it after the class, not after the method."""
    owner = name.rpartition(".")[0]
    return bool(owner) and isinstance(mypy_api.node_named(owner, modules), TypeInfo)


def find_method(request: Request) -> Found:
    """Finds jitted methods, attributes that hold jitted functions, and the `replace` of pytrees."""
    name = request.fullname
    if name == CACHED_CALL:
        return Found(Hook.CACHED, is_lasting=True)
    owner, _, method = name.rpartition(".")
    if method.startswith("__"):
        return Found(None, is_lasting=True)
    if jax_function(name).shapes:
        return Found(Hook.KNOWN, is_lasting=True)
    info = mypy_api.node_named(owner, request.modules)
    if not isinstance(info, TypeInfo):
        return Found(None)
    if owner == INDEXED_UPDATES:
        return Found(Hook.UPDATE, is_lasting=True)
    if method == "replace":
        return Found(Hook.REPLACE)
    symbol = info.get(method)
    if symbol is not None and symbol.fullname in VARIABLES_OF_LINEN:
        return Found(Hook.VARIABLES, is_lasting=True)
    if symbol is not None and isinstance(symbol.node, Decorator) and _may_make(symbol.node, info, request):
        return Found(Hook.MAKER)
    if handing_function(name, request.modules) is not None:
        return Found(Hook.KNOWN)
    if symbol is None or isinstance(symbol.node, FuncDef):
        return Found(Hook.UPDATE if method in COPYING_METHODS else None, is_lasting=True)
    return Found(_of_type(_type_of(symbol.node)))


def find_local(ctx: FunctionContext) -> Hook | None:
    """The hook for the call of a local name, which may hold a jitted function or a jit decorator."""
    hook = _of_type(mypy_api.type_of_callee(ctx))
    return Hook.DECORATOR if hook is None and site_of_local(ctx) is not None else hook


def loop_named(node: Context, file: CheckedFile) -> str:
    """The full name of the control flow of JAX that a local name stands for, as after `scan = lax.scan`; else empty."""
    made = made_by(node.callee, file) if isinstance(node, CallExpr) else None
    name = made.fullname if isinstance(made, RefExpr) else ""
    return name if compiled_eagerly(name) is not None else ""


def _of_type(called: Type | None) -> Hook | None:
    """The hook for the call of a compiled function."""
    if is_jitted(called):
        return Hook.JITTED
    return Hook.FILTERED if is_filtered(called) else None


@once_per_run
def _known_function(name: str, jit_functions: frozenset[str]) -> Hook | None:
    """The hook for a function that is known by name. `jit_functions`: those that the settings name."""
    if jit_function(name, jit_functions) is not None:
        return Hook.JIT
    if (hook := _FUNCTIONS.get(name)) is not None:
        return hook
    row = known_function(name)
    if row.effects & (Effect.ONLY_RETURNS | Effect.MAPS_LEAVES) or row.updates is not None:
        return Hook.UPDATE
    if not name.startswith(JAX) and row.calls is None and row.eager is None:
        return None
    if Effect.SAME_FUNCTION in row.effects:
        return Hook.SAME_FUNCTION
    is_compiled = compiled_eagerly(name) is not None or is_costly(name)
    if row.shapes or row.numbers or row.calls is not None or is_compiled:
        return Hook.KNOWN
    return Hook.UPDATE if array_parameters(jax_name(name) or "") else None


def _of_global(node: SymbolNode | None) -> Hook | None:
    """Finds jitted functions, classes, and decorators such as `jit_n = jax.jit(static_argnames="n")`."""
    if isinstance(node, TypeInfo):
        return Hook.CONSTRUCTOR if class_model.may_have_static_fields(node) else None
    typ = _type_of(node)
    if (hook := _of_type(typ)) is not None:
        return hook
    return Hook.DECORATOR if isinstance(node, Var) and site_of(typ) is not None else None


def _may_make(node: Decorator, info: TypeInfo, request: Request) -> bool:
    """Whether a method may return a new object that has static fields, and is not jitted."""
    if not node.func.is_class or is_jitted(node.var.type) or not class_model.may_have_static_fields(info):
        return False
    return class_model.is_pytree(info) or class_model.is_declared_static(info, request.settings.static_bases)


def _is_plain(node: SymbolNode | None) -> bool:
    """Whether a node is a function that is not jitted, as far as mypy knows its type already."""
    if isinstance(node, FuncDef):
        return True
    typ = _type_of(node) if isinstance(node, (Decorator, OverloadedFuncDef)) else None
    return typ is not None and _of_type(typ) is None


def _type_of(node: SymbolNode | None) -> Type | None:
    """The type that a module gives to a name."""
    if isinstance(node, Decorator):
        return node.var.type
    return node.type if isinstance(node, (Var, OverloadedFuncDef)) else None
