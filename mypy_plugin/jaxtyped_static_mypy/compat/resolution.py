"""Private mypy API that resolves names while a module is being analysed."""

from collections.abc import Callable, Iterable
from typing import Final, TypeVar, cast

from mypy.lookup import lookup_fully_qualified
from mypy.nodes import (
    CallExpr,
    Context,
    DataclassTransformSpec,
    Decorator,
    FuncItem,
    MypyFile,
    OverloadedFuncDef,
    PlaceholderNode,
    TypeInfo,
    Var,
)
from mypy.plugin import SemanticAnalyzerPluginInterface
from mypy.semanal import SemanticAnalyzer
from mypy.semanal_shared import find_dataclass_transform_spec

from ..knowledge.full_names import RE_EXPORTED
from ..syntax.imports import imported_name, runtime_name
from ..syntax.names import dotted_name

T = TypeVar("T")


# Names that mypy could not resolve in the current reading, which then has to be done again: mypy (2.4.1) analyses the
# modules of an import cycle several times, with placeholders for what is still missing, and calls our hook each time.
_UNRESOLVED: Final[list[str]] = []


def resolves_all(read: Callable[[], T]) -> tuple[T, bool]:
    """Returns the result of a reading, and whether every name in it was resolved."""
    _UNRESOLVED.clear()
    return read(), not _UNRESOLVED


def resolve_name(api: SemanticAnalyzerPluginInterface, dotted: str, context: Context) -> str | None:
    """The full name of a dotted name, looked up where a class is defined; None if mypy cannot resolve it (yet)."""
    analyzer = cast(SemanticAnalyzer, api)
    symbol = analyzer.lookup_qualified(dotted, context, suppress_errors=True)
    if symbol is None or symbol.node is None or isinstance(symbol.node, PlaceholderNode):
        _UNRESOLVED.append(dotted)
    if symbol is None or symbol.node is None:
        return None
    if isinstance(symbol.node, Var):
        head = analyzer.lookup(dotted.partition(".")[0], context, suppress_errors=True)
        if head is not None and isinstance(head.node, Var) and head.node.is_suppressed_import:
            return spelled_name(api, dotted)  # from a package without types
    return symbol.node.fullname or None


def spelled_name(api: SemanticAnalyzerPluginInterface, dotted: str) -> str | None:
    """The full name as the file imports it, even if it is a re-export."""
    return imported_name(file_of(api), dotted)


def re_exported_name(api: SemanticAnalyzerPluginInterface, dotted: str) -> str | None:
    """The name as imported, where it means more than what it re-exports."""
    spelled = spelled_name(api, dotted)
    return spelled if spelled in RE_EXPORTED else None


def name_at_run_time(api: SemanticAnalyzerPluginInterface, dotted: str) -> str | None:
    """The full name in a branch that mypy does not analyse; None if there is no such branch."""
    return runtime_name(file_of(api), dotted)


def transform_of(info: TypeInfo) -> DataclassTransformSpec | None:
    """The `dataclass_transform` of a base class or of the metaclass."""
    return find_dataclass_transform_spec(info)


def transform_by(
    api: SemanticAnalyzerPluginInterface, dotted: str, context: Context
) -> DataclassTransformSpec | CallExpr | None:
    """The `dataclass_transform` of a decorator: from mypy, or as written if its module is analysed later."""
    symbol = cast(SemanticAnalyzer, api).lookup_qualified(dotted, context, suppress_errors=True)
    node = symbol.node if symbol is not None else None
    for item in node.items if isinstance(node, OverloadedFuncDef) else [node]:
        decorators = item.original_decorators if isinstance(item, Decorator) else []
        for call in decorators:
            if isinstance(call, CallExpr) and (dotted_name(call.callee) or "").endswith("dataclass_transform"):
                return call
    return find_dataclass_transform_spec(node)


def names_class(api: SemanticAnalyzerPluginInterface, dotted: str, context: Context) -> bool:
    symbol = cast(SemanticAnalyzer, api).lookup_qualified(dotted, context, suppress_errors=True)
    return symbol is not None and isinstance(symbol.node, TypeInfo)


def constant_value(api: SemanticAnalyzerPluginInterface, dotted: str, context: Context) -> str | None:
    """The value of a constant string, `NAME: Final = "value"`."""
    symbol = cast(SemanticAnalyzer, api).lookup_qualified(dotted, context, suppress_errors=True)
    value = symbol.node.final_value if symbol is not None and isinstance(symbol.node, Var) else None
    return value if isinstance(value, str) else None


def modules_of(api: SemanticAnalyzerPluginInterface) -> dict[str, MypyFile]:
    return cast(SemanticAnalyzer, api).modules


def expect_names(api: SemanticAnalyzerPluginInterface, names: Iterable[str]) -> None:
    """Notes a name that its module does not have yet, so that the reading is done again."""
    modules = modules_of(api)
    for name in names:
        if name.partition(".")[0] in modules:
            symbol = lookup_fully_qualified(name, modules)
            if symbol is None or isinstance(symbol.node, PlaceholderNode):
                _UNRESOLVED.append(name)


def file_of(api: SemanticAnalyzerPluginInterface) -> MypyFile:
    return cast(SemanticAnalyzer, api).cur_mod_node


def enclosing_function(api: SemanticAnalyzerPluginInterface) -> FuncItem | None:
    """The function that contains the class being analysed, if there is one."""
    stack = cast(SemanticAnalyzer, api).function_stack
    return stack[-1] if stack else None
