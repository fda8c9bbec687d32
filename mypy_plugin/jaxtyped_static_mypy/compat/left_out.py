"""Private mypy API: has mypy check the definitions that it leaves out.

The parser joins decorated functions of one name that follow each other. If none of them is an `@overload`, semantic
analysis says that the name is defined twice, and takes them all out again, so the checker sees none (mypy 2.4.1).
"""

from collections.abc import Callable
from contextlib import ExitStack
from typing import cast

from mypy.checker import TypeChecker
from mypy.errorcodes import ErrorCode
from mypy.errors import ErrorWatcher
from mypy.nodes import Decorator, FuncDef, Node, OverloadedFuncDef
from mypy.plugin import CheckerPluginInterface


def left_out_of(node: Node, api: CheckerPluginInterface) -> list[FuncDef | Decorator]:
    """The definitions that this statement joins, if mypy does not check them.

    In the daemon only the last: the others keep the classes of the last analysis, as it does not merge what it does
    not find in the statement (`TraverserVisitor.visit_overloaded_func_def`).
    """
    if not isinstance(node, OverloadedFuncDef) or node.items:
        return []
    return list(node.unanalyzed_items[-1:] if api.options.fine_grained_incremental else node.unanalyzed_items)


def are_errors_kept(api: CheckerPluginInterface) -> bool:
    """Whether mypy records the errors of what it is checking now; it throws some away while it infers types."""
    return not cast(TypeChecker, api).errors._watchers


def check_definition(
    api: CheckerPluginInterface, definition: FuncDef | Decorator, is_shown: Callable[[ErrorCode | None], bool]
) -> None:
    """Checks one definition with its body, and records the errors with some codes only.

    Nothing is deferred: mypy would come back to it on its own, and record all errors.
    """
    chk = cast(TypeChecker, api)
    info = definition.func.info if isinstance(definition, Decorator) else definition.info
    kept = chk.recurse_into_functions, chk.pass_num
    chk.recurse_into_functions, chk.pass_num = True, chk.last_pass
    with ExitStack() as scopes:
        scopes.enter_context(ErrorWatcher(chk.errors, filter_errors=lambda _, info: not is_shown(info.code)))
        if info:
            scopes.enter_context(chk.tscope.class_scope(info))
            scopes.enter_context(chk.scope.push_class(info))
        definition.accept(chk)
    chk.recurse_into_functions, chk.pass_num = kept
