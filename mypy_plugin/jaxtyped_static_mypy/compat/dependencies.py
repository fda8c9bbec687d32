"""Private mypy API that tells mypy what an answer depends on, for incremental runs and for the daemon.

These are two mechanisms (mypy 2.4.1): `TypeChecker.module_refs` become indirect dependencies of the module in the
cache; `MypyFile.plugin_deps` and `alias_deps` become triggers, which the daemon fires when it compares symbols.
"""

from collections.abc import Collection, Iterable
from itertools import takewhile
from typing import Final, cast

from mypy.checker import TypeChecker
from mypy.nodes import ImportFrom, MypyFile, Statement, TypeAlias, TypeInfo
from mypy.plugin import CheckerPluginInterface, SemanticAnalyzerPluginInterface
from mypy.server.trigger import make_trigger, make_wildcard_trigger

_MEMBERS_OF_CONTRACT: Final = ("__eq__", "__hash__", "__setattr__", "__init__", "__post_init__", "__call__")


def keeps_fine_grained_state(api: SemanticAnalyzerPluginInterface | CheckerPluginInterface) -> bool:
    """Whether a daemon will compare symbol tables, now or from the cache that is being written."""
    return api.options.fine_grained_incremental or api.options.cache_fine_grained


def target_of_check(api: CheckerPluginInterface) -> tuple[object, str]:
    """What mypy checks again as a whole: the checker of a file, and a function or the module's top level."""
    chk = cast(TypeChecker, api)
    return chk, chk.tscope.current_target()


def record_dependency(api: CheckerPluginInterface, consulted: Iterable[TypeInfo | TypeAlias]) -> None:
    """Makes mypy check the current target again when one of these changes, in incremental runs and in the daemon.

    Skips classes of the same module, which is checked as a whole when it changes. (Each check makes new objects of the
    classes in a function, so depending on them would never end.)
    """
    chk = cast(TypeChecker, api)
    triggers = []
    for node in consulted:
        module = node.module_name if isinstance(node, TypeInfo) else node.module
        if module != chk.tree.fullname:
            chk.module_refs.add(module)
            triggers += _triggers(node, chk.tree.fullname)
    _wait_for(triggers, chk)


def _triggers(node: TypeInfo | TypeAlias, module: str) -> list[str]:
    """The triggers that fire when a class or alias changes in a way that matters to this module.

    When a submodule is deleted, the daemon moves its dependencies to the package, and applies the decorators of the
    package's classes again. That adds members to dataclasses, and would go on forever with a dependency on any member:
    so a submodule depends on the existing members, and on those that verdicts look for.
    """
    if isinstance(node, TypeAlias):
        return [make_trigger(node.fullname)]
    if not module.startswith(f"{node.module_name}."):
        return [make_wildcard_trigger(node.fullname)]
    members = [*(name for name in node.names if "-redefinition" not in name), *_MEMBERS_OF_CONTRACT]
    names = [node.fullname, *(f"{node.fullname}.{name}" for name in dict.fromkeys(members))]
    return [make_trigger(name) for name in names]


def record_symbol_use(api: CheckerPluginInterface, files: Collection[MypyFile], name: str) -> None:
    """Makes mypy check the current target again when one of these modules gains, changes or loses a symbol."""
    cast(TypeChecker, api).module_refs.update(file.fullname for file in files)
    if keeps_fine_grained_state(api):
        _wait_for([make_trigger(f"{file.fullname}.{name}") for file in files], cast(TypeChecker, api))


def _wait_for(triggers: list[str], chk: TypeChecker) -> None:
    """Makes the daemon check the current target again when one of these triggers fires.

    mypy collects `plugin_deps` only when it checks a whole file (`DependencyVisitor.visit_mypy_file`). When it checks a
    single target again, it collects dependencies only from the target's syntax and from the aliases it uses, so they
    are added there, too.
    """
    target = chk.tscope.current_target()
    for trigger in triggers:
        chk.tree.plugin_deps.setdefault(trigger, set()).add(target)
    if not chk.options.fine_grained_incremental:
        return
    names = [trigger.removeprefix("<").removesuffix(">") for trigger in triggers]
    if target == chk.tree.fullname:
        _import_nothing_from(names, chk.tree)
    else:
        chk.tree.alias_deps[target].update(names)


def _import_nothing_from(names: list[str], file: MypyFile) -> None:
    """Adds imports of no names: they bind and load nothing, but make the top level depend on these modules."""
    present = {node.id for node in takewhile(_imports_nothing, file.defs) if isinstance(node, ImportFrom)}
    added = [ImportFrom(name, 0, []) for name in dict.fromkeys(names) if name not in present]
    for node in added:
        node.end_line = node.line  # so that it spans no lines of the file
    if added:
        file.defs = [*added, *file.defs]  # a new list, as mypy is walking over the old one


def _imports_nothing(node: Statement) -> bool:
    return isinstance(node, ImportFrom) and not node.names
