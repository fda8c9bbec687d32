"""Checks calls of what traces only the arrays in its arguments, such as `eqx.filter_jit`: all else is static."""

from typing import Final

from mypy.nodes import CallExpr, Context, Expression, RefExpr
from mypy.plugin import FunctionContext
from mypy.types import AnyType, CallableType, FunctionLike, Instance, ProperType, Type, get_proper_type

from ..classes.class_model import is_pytree
from ..compat import mypy_api
from ..compat.modules import is_installed
from ..flow.fresh import FreshKind, origin_of, reader_at
from ..flow.fresh.types import is_tuple_of_callables
from ..jit.signatures import function_name
from ..knowledge.full_names import PARTIAL
from ..reach.eager_runs import eager_running
from ..reporting.positions import NO_ARRAY, Position
from ..rules._changing_arguments import check_advancing, check_advancing_object, check_changing_without_array
from ..rules._changing_shapes import check_changing_shape
from ..rules._equal_values import check_equal_values
from ..rules._weak_carries import check_weak_carry
from ..rules.static_callable import check_callable
from ..source.checked_file import CheckedFile
from ..source.surroundings import surroundings
from ..syntax.names import dotted_name

# Not bound methods and `jax.tree_util.Partial`, which may be pytrees.
_BY_IDENTITY: Final = frozenset(
    {
        FreshKind.FACTORY,
        FreshKind.LAMBDA,
        FreshKind.LOOP_FUNCTION,
        FreshKind.NESTED_FUNCTION,
        FreshKind.OPTIMISER,
        FreshKind.PARTIAL,
    }
)


def check_filtered_call(ctx: FunctionContext, file: CheckedFile, fullname: str) -> None:
    """`step(model, i)` of `eqx.filter_jit`: checks the arguments that are no arrays, which are all static.

    Functions, only in a loop, or where the file runs the code again and again outside of jit: solvers get new ones,
    too, where all runs in a trace that the file does not show.
    """
    called, call = get_proper_type(mypy_api.type_of_callee(ctx)), ctx.context
    written = dotted_name(call.callee) if isinstance(call, CallExpr) else None
    function = (function_name(called) if isinstance(called, CallableType) else "") or written or "this function"
    is_judged = isinstance(call, CallExpr) and _is_of_project(call, file) and _is_repeated(call, file)
    if isinstance(call, CallExpr) and isinstance(called, CallableType):
        check_equal_values(call, called, file)
        check_weak_carry(call, called, file, is_filtered=True)
        check_advancing_object(function, call, file)
    for name, expressions, types in zip(ctx.callee_arg_names, ctx.args, ctx.arg_types, strict=True):
        for expression, typ in zip(expressions, types, strict=True):
            check_changing_without_array(name or "", function, expression, typ, ctx.context, file)
            check_advancing(name or "", function, expression, typ, ctx.context, file)
            if isinstance(call, CallExpr):
                check_changing_shape(expression, call, file)
            if is_judged and _may_hold_new_functions(expression, typ, file):
                position = Position(expression, NO_ARRAY, name or "", typ, function, is_signed=False)
                check_callable(position, expression, typ, expression, file)


def _is_repeated(call: CallExpr, file: CheckedFile) -> bool:
    return bool(surroundings(call, file).repeating) or eager_running(file, call, True) is not None


def _is_of_project(call: Context, file: CheckedFile) -> bool:
    """Whether the project defines what is called. A library's function, such as a solver, may well be in a trace."""
    name = call.callee.fullname if isinstance(call, CallExpr) and isinstance(call.callee, RefExpr) else ""
    module = file.modules.get(name.rpartition(".")[0])
    return module is not None and not is_installed(module)


def _may_hold_new_functions(expression: Expression, typ: Type, file: CheckedFile) -> bool:
    """Whether it is a function, or an object whose functions are leaves: an optimiser, a module.

    Of what mypy does not know, a function counts that is compared by identity, however it got there.
    """
    proper = get_proper_type(typ)
    if _is_function(proper) or is_tuple_of_callables(proper):
        return True
    if not isinstance(proper, AnyType) and not (isinstance(proper, Instance) and is_pytree(proper.type)):
        return False
    origin = origin_of(expression, reader_at(file))
    return origin is not None and origin.kind in _BY_IDENTITY


def _is_function(typ: ProperType) -> bool:
    """Whether it is no pytree, unlike `jax.tree_util.Partial` and modules with a `__call__`."""
    if isinstance(typ, Instance):
        return typ.type.fullname == PARTIAL
    return isinstance(typ, FunctionLike) and not typ.is_type_obj()
