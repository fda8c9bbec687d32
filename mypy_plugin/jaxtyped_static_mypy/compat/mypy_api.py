"""Private mypy API. This package is the place to look at when mypy changes.

What its comments say of mypy was read in the source of mypy 2.4.1, or seen with it.
"""

from collections.abc import Callable
from typing import Final, cast

from mypy.build import default_data_dir
from mypy.checker import TypeChecker
from mypy.erasetype import erase_typevars as erase_typevars
from mypy.errorcodes import ErrorCode
from mypy.expandtype import expand_type_by_instance as expand_type_by_instance
from mypy.fscache import FileSystemCache
from mypy.lookup import lookup_fully_qualified as lookup_fully_qualified
from mypy.maptype import map_instance_to_supertype as map_instance_to_supertype
from mypy.modulefinder import FindModuleCache, ModuleNotFoundReason, compute_search_paths
from mypy.nodes import (
    ARG_POS,
    GDEF,
    CallExpr,
    ClassDef,
    Context,
    Expression,
    FuncDef,
    FuncItem,
    MypyFile,
    NameExpr,
    SymbolNode,
    TypeAlias,
    TypeInfo,
    Var,
)
from mypy.options import Options
from mypy.plugin import (
    AnalyzeTypeContext,
    CheckerPluginInterface,
    FunctionContext,
    Plugin,
    SemanticAnalyzerPluginInterface,
)
from mypy.plugins.default import DefaultPlugin
from mypy.semanal import SemanticAnalyzer
from mypy.semanal_shared import PRIORITY_FALLBACKS
from mypy.subtypes import find_member
from mypy.subtypes import is_subtype as is_subtype
from mypy.typeanal import TypeAnalyser
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    Parameters,
    ProperType,
    Type,
    TypeAliasType,
    TypeOfAny,
    get_proper_type,
)
from mypy.types import has_type_vars as has_type_vars

from ..knowledge.full_names import CLASS_CHECK, PACKAGE

# Where mypy's own plugin (`mypy/plugins/functools.py`) keeps the remaining signature of a partial.
_PARTIAL_CALL: Final = "__mypy_partial"


def checker(ctx: FunctionContext) -> TypeChecker:
    return cast(TypeChecker, ctx.api)


def checked_tree(api: CheckerPluginInterface) -> MypyFile:
    return cast(TypeChecker, api).tree


def checked_module(api: CheckerPluginInterface) -> str:
    return cast(TypeChecker, api).tree.fullname


def module_of(api: CheckerPluginInterface, info: TypeInfo) -> MypyFile | None:
    """The file that defines a class, if it is part of the build."""
    return cast(TypeChecker, api).modules.get(info.module_name)


def checker_run(api: CheckerPluginInterface) -> object:
    """An object that identifies one check of a file: the daemon checks the same file object many times."""
    return cast(TypeChecker, api).scope  # the daemon keeps the checker, too; `TypeChecker.reset` makes a new scope


def outermost_function(api: CheckerPluginInterface) -> FuncItem | None:
    """The outermost function around what is being checked; it may be a lambda at module level."""
    return next((item for item in cast(TypeChecker, api).scope.stack if isinstance(item, FuncItem)), None)


def errors_are_hidden(api: CheckerPluginInterface) -> bool:
    """Whether errors in this file are not shown: for installed packages, or with `ignore_errors`."""
    return cast(TypeChecker, api).can_skip_diagnostics


def will_hide_errors(api: SemanticAnalyzerPluginInterface) -> bool:
    """Whether errors in a file that is being analysed will not be shown; so it is for mypy's own stubs."""
    analyzer = cast(SemanticAnalyzer, api)  # has no `can_skip_diagnostics`, so this computes what the checker will
    file, options = analyzer.cur_mod_node, analyzer.options
    return options.ignore_errors or file.path in analyzer.errors.ignored_files or file.is_typeshed_file(options)


def note(api: CheckerPluginInterface, message: str, context: Context, code: ErrorCode | None = None) -> None:
    """Adds a note. With the code of an error, ignoring that error silences the note, too."""
    cast(TypeChecker, api).note(message, context, code=code)


def semantic_note(api: SemanticAnalyzerPluginInterface, message: str, context: Context) -> None:
    cast(SemanticAnalyzer, api).note(message, context)


def type_note(ctx: AnalyzeTypeContext, message: str, context: Context, code: ErrorCode | None = None) -> None:
    cast(TypeAnalyser, ctx.api).note(message, context, code=code)


def type_of_callee(ctx: FunctionContext) -> ProperType | None:
    """The type of the callee of a call expression, bound to its object.

    None for a decorator: mypy passes the decorated function as the place, and does not say which decorator it applies.
    """
    if not isinstance(ctx.context, CallExpr):
        return None
    return get_proper_type(checker(ctx).lookup_type_or_none(ctx.context.callee))


def type_of_expression(api: CheckerPluginInterface, node: Expression) -> ProperType | None:
    """The type that mypy inferred for an expression; None if it has not checked the expression yet."""
    return get_proper_type(cast(TypeChecker, api).lookup_type_or_none(node))


def type_without_context(api: CheckerPluginInterface, node: Expression) -> ProperType:
    """The type of an expression of which nothing is expected.

    Where `Any` is expected, mypy takes `tuple(xs)` for a tuple of `Any`: it solves the type variables for the context.
    """
    check = cast(TypeChecker, api)
    with check.msg.filter_errors(), check.local_type_map:
        return get_proper_type(check.get_expression_type(node))


def fits(typ: Type, declared: Type) -> bool:
    """Whether mypy accepts a value of one type where another is declared, for some value of its type variables."""
    return is_subtype(typ, erase_typevars(declared))


def lookup_class(api: CheckerPluginInterface, fullname: str) -> TypeInfo | None:
    """A class by its full name, if its module is part of the build."""
    module, _, name = fullname.rpartition(".")
    file = cast(TypeChecker, api).modules.get(module)
    symbol = file.names.get(name) if file is not None else None
    return symbol.node if symbol is not None and isinstance(symbol.node, TypeInfo) else None


def classes_of_module(api: CheckerPluginInterface, module: str) -> list[TypeInfo]:
    """The classes that a module of the build defines or imports."""
    file = cast(TypeChecker, api).modules.get(module)
    symbols = file.names.values() if file is not None else ()
    return [symbol.node for symbol in symbols if isinstance(symbol.node, TypeInfo)]


def call_method(instance: Instance) -> Type | None:
    """The bound `__call__` of an object; for a `functools.partial`, the remaining signature."""
    if instance.extra_attrs is not None and _PARTIAL_CALL in instance.extra_attrs.attrs:
        return instance.extra_attrs.attrs[_PARTIAL_CALL]
    return find_member("__call__", instance, instance)


def parameters(signature: CallableType, types: list[Type]) -> Parameters:
    """The parameters of a signature, with these types, as the value of a `ParamSpec`."""
    return Parameters(
        types,
        signature.arg_kinds,
        signature.arg_names,
        is_ellipsis_args=signature.is_ellipsis_args,
    )


def any_type() -> AnyType:
    return AnyType(TypeOfAny.special_form)


def any_decorator(api: CheckerPluginInterface, result: Type | None = None) -> CallableType:
    anything = AnyType(TypeOfAny.special_form)
    return CallableType(
        [anything], [ARG_POS], [None], result or anything, api.named_generic_type("builtins.function", [])
    )


def static_of(api: CheckerPluginInterface, typ: Type) -> Type:
    """`Static[typ]`; the type itself if the module of the marker is not part of the build."""
    file = cast(TypeChecker, api).modules.get(PACKAGE)
    symbol = file.names.get("Static") if file is not None else None
    return TypeAliasType(symbol.node, [typ]) if symbol is not None and isinstance(symbol.node, TypeAlias) else typ


def type_of_function(api: CheckerPluginInterface, function: FuncDef) -> Type:
    """The type of a function without its decorators."""
    return cast(TypeChecker, api).function_type(function)


def modules_of_build(api: CheckerPluginInterface) -> dict[str, MypyFile]:
    return cast(TypeChecker, api).modules


def modules_of(plugin: Plugin) -> dict[str, MypyFile]:
    """The modules of the build. mypy adds to the same dict as it goes; there is none before `Plugin.set_modules`."""
    return plugin._modules or {}


def node_named(fullname: str, modules: dict[str, MypyFile]) -> SymbolNode | None:
    """What a full name stands for, in the modules of the build."""
    symbol = lookup_fully_qualified(fullname, modules)
    return symbol.node if symbol is not None else None


def default_function_hook(options: Options, fullname: str) -> Callable[[FunctionContext], Type] | None:
    """mypy's own hook for a function: `ChainedPlugin` takes the first answer and asks ours first, which hides it."""
    return DefaultPlugin(options).get_function_hook(fullname)


def expand_alias_once(alias: TypeAliasType) -> Type:
    return alias._expand_once()


def file_being_analyzed(ctx: AnalyzeTypeContext) -> MypyFile:
    return cast(SemanticAnalyzer, cast(TypeAnalyser, ctx.api).api).cur_mod_node


def find_module(module: str, options: Options) -> str | ModuleNotFoundReason:
    """Where mypy finds a module with these options, or why it does not."""
    search_paths = compute_search_paths([], options, default_data_dir())
    return FindModuleCache(search_paths, FileSystemCache(), options).find_module(module)


def schedule_class_check(cls: ClassDef, api: SemanticAnalyzerPluginInterface) -> None:
    """Adds a private decorator to a class, so that the checker asks for a function hook when it applies it.

    No other hook is called for every class: that of `__init_subclass__` is not, if the class has its own metaclass.
    Semantic analysis cannot resolve the decorator, and may run again: so it is added after semantic analysis, and
    removed before the next.
    """

    def add_decorator() -> None:
        remove_class_check(cls)
        anything = AnyType(TypeOfAny.special_form)
        var = Var(
            CLASS_CHECK, CallableType([anything], [ARG_POS], [None], anything, api.named_type("builtins.function"))
        )
        var._fullname, var.is_ready = CLASS_CHECK, True
        decorator = NameExpr(CLASS_CHECK)
        decorator.kind, decorator.node, decorator.fullname = GDEF, var, CLASS_CHECK
        decorator.set_line(cls)
        cls.decorators.insert(0, decorator)

    cast(SemanticAnalyzer, api).schedule_patch(PRIORITY_FALLBACKS, add_decorator)


def when_analyzed(api: SemanticAnalyzerPluginInterface, action: Callable[[], None]) -> None:
    """Runs an action after the modules that are now being analysed."""
    cast(SemanticAnalyzer, api).schedule_patch(PRIORITY_FALLBACKS, action)


def remove_class_check(cls: ClassDef) -> None:
    if cls.decorators:
        cls.decorators = [
            node for node in cls.decorators if not (isinstance(node, NameExpr) and node.name == CLASS_CHECK)
        ]


def is_stub(api: SemanticAnalyzerPluginInterface) -> bool:
    return cast(SemanticAnalyzer, api).is_stub_file
