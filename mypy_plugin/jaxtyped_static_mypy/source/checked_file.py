"""What the rules know of a whole file by its syntax. Each index is built once, when a function first needs it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any, Final, TypeGuard, TypeVar, TypeVarTuple, cast

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    TypeInfo,
)
from mypy.options import Options
from mypy.plugin import CheckerPluginInterface

from ..compat import mypy_api
from ..config.settings import Settings
from ..memory import begin_file, keep_last, once_per_run
from ..syntax.names import is_self
from ..syntax.trees import ByKind, nodes_below, statements

KeyTs = TypeVarTuple("KeyTs")
AnswerT = TypeVar("AnswerT")

_UNKNOWN: Final = object()


@dataclass(eq=False)
class CheckedFile:
    """One check of one file. The daemon puts new statements into the same tree, so each check gets its own."""

    tree: MypyFile
    settings: Settings
    api: CheckerPluginInterface  # mypy's checker
    modules: dict[str, MypyFile]  # of the build
    helpers: set[str] = field(default_factory=set)  # modules whose functions were read: for `record_helpers`
    begun: set[Node] = field(default_factory=set)  # definitions that mypy leaves out, and that we check
    answers: dict[object, dict[Any, Any]] = field(default_factory=lambda: defaultdict(dict))

    @property
    def options(self) -> Options:
        return self.api.options

    @cached_property
    def nodes(self) -> list[Node]:
        return [*nodes_below(self.tree)]

    @cached_property
    def by_kind(self) -> ByKind:
        return ByKind(self.nodes)

    @cached_property
    def decorators(self) -> Mapping[FuncDef, Decorator]:
        return {node.func: node for node in statements(self.tree.defs) if isinstance(node, Decorator)}

    @cached_property
    def uses_by_name(self) -> Mapping[str, list[RefExpr]]:
        """The uses of each name, as a variable or an attribute."""
        found: dict[str, list[RefExpr]] = {}
        for node in [node for node in self.nodes if isinstance(node, (NameExpr, MemberExpr))]:
            found.setdefault(node.name, []).append(node)
        return found

    @cached_property
    def calls_taking(self) -> Mapping[Expression, CallExpr]:
        """The call that each expression is an argument of."""
        return {part: call for call in self.calls for part in _with_items(call.args)}

    @cached_property
    def calls_by_callee(self) -> Mapping[Expression, CallExpr]:
        """The call of each expression that is called."""
        return {call.callee: call for call in self.calls}

    @cached_property
    def calls_by_name(self) -> Mapping[str, list[CallExpr]]:
        """The calls of what has each name, as a variable or an attribute, in the order of the file."""
        found: dict[str, list[CallExpr]] = {}
        for call in sorted(self.calls, key=lambda call: (call.line, call.column)):
            if isinstance(call.callee, NameExpr | MemberExpr):
                found.setdefault(call.callee.name, []).append(call)
        return found

    def calls_at(self, callees: Iterable[Expression]) -> list[CallExpr]:
        """The calls of those of these expressions that are called."""
        return [self.calls_by_callee[callee] for callee in callees if callee in self.calls_by_callee]

    def other_uses(self, name: NameExpr) -> list[RefExpr]:
        """The uses of what a name stands for, without this one."""
        return [use for use in self.uses_by_name.get(name.name, ()) if use.node is name.node and use is not name]

    @cached_property
    def calls(self) -> list[CallExpr]:
        return self.by_kind.of(CallExpr)

    @cached_property
    def functions_named(self) -> Mapping[str, list[FuncDef]]:
        """The functions that the file defines, by name."""
        found: dict[str, list[FuncDef]] = {}
        for node in statements(self.tree.defs):
            if isinstance(node, FuncDef):
                found.setdefault(node.name, []).append(node)
        return found

    @cached_property
    def functions(self) -> list[FuncDef]:
        return [function for named in self.functions_named.values() for function in named]

    def overriding(self, method: FuncDef, cls: TypeInfo | None = None) -> list[FuncDef]:
        """The other methods of its name that the file defines in subclasses of a class, or in it.

        `cls`: by default that of the method.
        """
        above = cls if cls is not None else method.info
        others = (other for other in self.functions_named.get(method.name, ()) if other is not method)
        return [other for other in others if other.info and above in other.info.mro]

    def defines(self, node: Node | None) -> TypeGuard[FuncDef]:
        """Whether a node is a function of the file.

        Others that mypy takes from its cache have no body, and reading `arguments` raises `AttributeError` (2.4.1).
        """
        return isinstance(node, FuncDef) and node in self.functions_named.get(node.name, ())

    @cached_property
    def replaced_methods(self) -> Mapping[str, list[CallExpr]]:
        """Methods replaced on the object by a call's result, as in `self.step = jax.jit(self.step)`."""
        found: dict[str, list[CallExpr]] = {}
        for node in statements(self.tree.defs):
            if isinstance(node, AssignmentStmt) and isinstance(node.rvalue, CallExpr):
                target = node.lvalues[0]
                if isinstance(target, MemberExpr) and is_self(target.expr):
                    found.setdefault(target.name, []).append(node.rvalue)
        return found


def checked_file(api: CheckerPluginInterface, settings: Settings) -> CheckedFile:
    """Returns the file that mypy is checking."""
    return _file_of_check(mypy_api.checker_run(api), api, settings)


@keep_last
def _file_of_check(check: object, api: CheckerPluginInterface, settings: Settings) -> CheckedFile:
    """`check`: identifies one of the many checks of the same tree by the daemon."""
    begin_file()
    for left in _checked_last():
        left.answers.clear()  # many of them hold the file, so that Python would free none of it at once
    file = CheckedFile(mypy_api.checked_tree(api), settings, api, mypy_api.modules_of_build(api))
    _checked_last()[:] = [file]
    return file


@once_per_run
def _checked_last() -> list[CheckedFile]:
    """The file whose check began last, if there is one."""
    return []


def once_per_file(compute: Callable[[CheckedFile, *KeyTs], AnswerT]) -> Callable[[CheckedFile, *KeyTs], AnswerT]:
    """Decorates a function of a file and hashable arguments: caches its answers for as long as the file is checked."""

    @wraps(compute)
    def answer(file: CheckedFile, *key: *KeyTs) -> AnswerT:
        known = file.answers[compute]
        found: Any = known.get(key, _UNKNOWN)  # one look-up: some keys take long to hash
        if found is _UNKNOWN:
            found = known[key] = compute(file, *key)
        return cast("AnswerT", found)

    return answer


def _with_items(args: Iterable[Expression]) -> Iterable[Expression]:
    """Yields arguments, and the items of those that are lists or tuples, such as the branches of `lax.switch`."""
    for argument in args:
        yield argument
        items = getattr(argument, "items", ())
        yield from (item for item in items if isinstance(item, Expression))
