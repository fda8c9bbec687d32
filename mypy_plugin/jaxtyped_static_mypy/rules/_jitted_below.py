"""Whether what jit compiles is made of one function of a module that is jitted already: `jit(vmap(f))`."""

from mypy.nodes import CallExpr, Decorator, Expression, FuncDef, RefExpr, SymbolNode, Var
from mypy.types import Instance, get_proper_type

from ..compat import mypy_api
from ..jit.application import compiler_called
from ..jit.signatures import is_jitted
from ..knowledge.function_rows import Effect
from ..libraries import COMPILED_TYPES, known_function
from ..source.bindings import innermost, made_by
from ..source.checked_file import CheckedFile
from ..syntax.names import callee_name, dotted_name


def jitted_below(node: Expression, file: CheckedFile) -> str:
    """The name of the function, if there is nothing but transformations around it; empty otherwise."""
    if _transformed(made_by(node, file)) is None:
        return ""
    made = innermost(node, file, _transformed)
    if isinstance(made, CallExpr) and _compiles(made, file) and made.args:
        made = made.args[0]
        return (dotted_name(made) or "") if _is_of_module(made, file) else ""
    return (dotted_name(made) or "") if _is_of_module(made, file) and _is_compiled(made, file) else ""


def _transformed(made: Expression) -> Expression | None:
    """What a transformation is given."""
    if not isinstance(made, CallExpr) or not made.args:
        return None
    row = known_function(callee_name(made))
    return made.args[0] if Effect.WRAPS in row.effects or row.retraces is not None else None


def _compiles(call: CallExpr, file: CheckedFile) -> bool:
    row = compiler_called(call, file)
    return row is not None and row.compiles and not row.maps


def _is_of_module(node: Expression, file: CheckedFile) -> bool:
    """Whether a name stands for one function, however often the code runs: that of a module."""
    symbol = node.node if isinstance(node, RefExpr) else None
    if not isinstance(symbol, (Decorator, FuncDef, Var)):
        return False
    named: SymbolNode | None = mypy_api.node_named(symbol.fullname, file.modules)
    return named is symbol and not (isinstance(symbol, (Decorator, FuncDef)) and bool(symbol.info))


def _is_compiled(node: Expression, file: CheckedFile) -> bool:
    typ = mypy_api.type_of_expression(file.api, node)
    proper = get_proper_type(typ)
    return is_jitted(typ) or (isinstance(proper, Instance) and proper.type.fullname in COMPILED_TYPES)
