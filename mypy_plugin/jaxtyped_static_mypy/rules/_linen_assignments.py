"""jit-mutation: an assignment to an attribute of a module of Flax Linen that raises, because the module is frozen.

`init` and `apply` run a module that only `setup` may give attributes, and that has its fields by then. Outside of them
a module is an object like others: a method that code calls on one directly may assign.
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from mypy.nodes import Decorator, FuncDef, FuncItem, LambdaExpr, MemberExpr, NameExpr, Node, TypeInfo

from ..classes import class_model
from ..knowledge.full_names import LINEN_MODULE
from ..memory import until_next_file
from ..reporting.errors import report
from ..reporting.harm import Harm
from ..reporting.messages import Message
from ..source.checked_file import CheckedFile
from ..source.expected import is_error_expected
from ..syntax.changes import Change, ChangeKind, changes
from ..syntax.names import last_name
from ..syntax.trees import has_kind, nodes_below, parts_of, self_parameter
from . import CODES

_CODE: Final = CODES["jit-mutation"]
_FUNCTIONS: Final = frozenset({FuncDef, LambdaExpr})
_COMPACT: Final = "compact"
_CALL: Final = "__call__"
_SETUP: Final = "setup"
_SETTING: Final = "__setattr__"
_MAKING: Final = frozenset({"__init__", "__post_init__", "__new__", "__setattr__", _SETUP})
_OF_MODULE: Final = frozenset({"name", "parent"})  # its own fields
# Who names these expects them.
_ERRORS: Final = ("SetAttributeFrozenModuleError", "SetAttributeInModuleSetupError")

_FROZEN: Final = Message(
    '"{written}" is assigned in "{function}", where the module of Flax Linen is frozen, so this raises',
    ("assign it in setup", "use a local variable"),
    kind="linen-frozen",
)
_FIELD: Final = Message(
    '"{written}" is a field of "{cls}", and setup of a module of Flax Linen assigns no field, so this raises',
    "use another name",
    kind="linen-field",
)


class _Method(NamedTuple):
    function: FuncDef
    is_compact: bool


def check_linen_assignments(info: TypeInfo, file: CheckedFile) -> None:
    """Reports the first in each method: it hides the others."""
    if not _is_module(info) or _sets_by_itself(info) or any(name in file.uses_by_name for name in _ERRORS):
        return
    methods = {method.function.name: method for method in _methods(info)}
    making = _reached(methods, [name for name in methods if name in _MAKING])
    for name, harm in _running(info, methods, making).items():
        change = next(_of_self(methods[name].function, file), None)
        if change is not None:
            statement = _FROZEN.fill(written=change.written, function=f"{info.name}.{name}")
            report(file, change.context, statement, _CODE, harm=harm)
    _check_setup(info, methods, file)


def _check_setup(info: TypeInfo, methods: dict[str, _Method], file: CheckedFile) -> None:
    if _SETUP not in methods:
        return
    owned = (field for field in class_model.fields(info) if field.in_init and _is_module(field.owner))
    names = {field.name for field in owned} | _OF_MODULE
    found = _of_self(methods[_SETUP].function, file)
    change = next((change for change in found if change.written.rpartition(".")[2] in names), None)
    if change is not None:
        report(file, change.context, _FIELD.fill(written=change.written, cls=info.name), _CODE)


def _is_module(info: TypeInfo) -> bool:
    return any(base.fullname == LINEN_MODULE for base in info.mro)


def _sets_by_itself(info: TypeInfo) -> bool:
    return any(_SETTING in base.names for base in _above(info))


def _above(info: TypeInfo) -> list[TypeInfo]:
    """A class and those of its bases that replace methods of Flax's own."""
    return list(takewhile(lambda base: base.fullname != LINEN_MODULE, info.mro))


def _methods(info: TypeInfo) -> Iterator[_Method]:
    for node in info.defn.defs.body:
        if isinstance(node, FuncDef):
            yield _Method(node, is_compact=False)
        elif isinstance(node, Decorator):
            names = map(last_name, node.original_decorators)
            yield _Method(node.func, is_compact=_COMPACT in names)


def _running(info: TypeInfo, methods: dict[str, _Method], making: frozenset[str]) -> dict[str, Harm | None]:
    """The methods that `init` and `apply` run, or these call, and no constructor does.

    Without `setup` and `compact`, somebody may call a module as it is: potential.
    """
    called = [_CALL] if _CALL in methods else []
    compact = [name for name, method in methods.items() if method.is_compact]
    is_set_up = any(_SETUP in base.names for base in _above(info))
    certain = _reached(methods, [*compact, *(called if is_set_up else ())])
    found = certain | _reached(methods, called)
    return {name: None if name in certain else Harm.POTENTIAL for name in methods if name in found - making}


def _reached(methods: dict[str, _Method], names: list[str]) -> frozenset[str]:
    """These methods, and those that they call on `self`, however deep."""
    found = list(names)
    for name in found:
        self = self_parameter(methods[name].function)
        nodes = _nodes(methods[name].function)
        used = (
            node.name
            for node in nodes
            if isinstance(node, MemberExpr) and isinstance(node.expr, NameExpr) and node.expr.node is self
        )
        found += [other for other in used if other in methods and other not in found]
    return frozenset(found)


def _of_self(function: FuncDef, file: CheckedFile) -> Iterator[Change]:
    """The assignments to attributes of `self` in the body itself: a nested function may run at any time."""
    self = self_parameter(function)
    if self is None or function.is_class:
        return
    for change in changes(_nodes(function)):
        is_own = isinstance(change.target, NameExpr) and change.target.node is self
        if change.kind is not ChangeKind.ATTRIBUTE or not is_own or change.is_forced or not change.values:
            continue
        if not is_error_expected(change.context, file):
            yield change


@until_next_file
def _nodes(function: FuncItem) -> Sequence[Node]:
    """The nodes of a body, in their order, without those of nested functions."""
    nodes = nodes_below(function.body)
    if not has_kind(nodes, _FUNCTIONS):
        return nodes
    found: list[Node] = []
    pending: list[Node] = [function.body]
    while pending:
        node = pending.pop()
        if not isinstance(node, FuncItem):
            found.append(node)
            pending += parts_of(node)[::-1]
    return found
