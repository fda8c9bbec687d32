"""Private mypy API that tells mypy what an answer depends on, for incremental runs and for the daemon."""

from collections.abc import Iterable
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
    """Rechecks what is being checked when one of these changes, incrementally and in the daemon.

    A module that changes is checked as a whole, so only other modules count. (A class that is local to the function
    being checked is made anew by each check: depending on it would never come to an end.)
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
    """What fires when a class or alias changes in a way that matters to this module.

    When a submodule is deleted, the daemon takes what it was waiting for to be awaited by the package. It then applies
    the decorators of the package's classes once more, which gives dataclasses new members, without end if any member
    of them were awaited: so a submodule waits for the members that there are, and those that a verdict looks for.
    """
    if isinstance(node, TypeAlias):
        return [make_trigger(node.fullname)]
    if not module.startswith(f"{node.module_name}."):
        return [make_wildcard_trigger(node.fullname)]
    members = [*(name for name in node.names if "-redefinition" not in name), *_MEMBERS_OF_CONTRACT]
    names = [node.fullname, *(f"{node.fullname}.{name}" for name in dict.fromkeys(members))]
    return [make_trigger(name) for name in names]


def record_symbol_use(api: CheckerPluginInterface, files: Iterable[MypyFile], name: str) -> None:
    """Rechecks what is being checked when one of these modules gets, changes or loses this symbol.

    In incremental runs the imports alone do that.
    """
    if keeps_fine_grained_state(api):
        _wait_for([make_trigger(f"{file.fullname}.{name}") for file in files], cast(TypeChecker, api))


def _wait_for(triggers: list[str], chk: TypeChecker) -> None:
    """Has the daemon check the current target again when one of these fires.

    mypy collects `plugin_deps` only when it checks a whole file. When it rechecks a single target, it finds new
    dependencies in the target's syntax and in the aliases it uses, so that is where they go as well.
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
    """Adds imports of no names. They bind and load nothing, but the top level depends on what they import from."""
    present = {node.id for node in takewhile(_imports_nothing, file.defs) if isinstance(node, ImportFrom)}
    added = [ImportFrom(name, 0, []) for name in dict.fromkeys(names) if name not in present]
    for node in added:
        node.end_line = node.line  # it has no place: no line of the file is in it
    if added:
        file.defs = [*added, *file.defs]  # a new list, as mypy is walking over the old one


def _imports_nothing(node: Statement) -> bool:
    return isinstance(node, ImportFrom) and not node.names
