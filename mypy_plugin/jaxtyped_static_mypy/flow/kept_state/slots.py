"""State that outlives calls: variables of modules and of functions around, their attributes and items, and classes'."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    IndexExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    SymbolNode,
    TypeInfo,
    Var,
)

from ...source.bindings import only_value
from ...source.checked_file import CheckedFile
from ...syntax.literals import can_be_written, literal, text_or_number
from ...syntax.trees import self_parameter

_NOWHERE: Final = "?"  # the module of a variable that has none for mypy

Path: TypeAlias = tuple[str, ...]  # `.rate` for an attribute, `["rate"]` for an item


class Slot(NamedTuple):
    """A part of what a variable or class holds; the whole, if the path is empty."""

    root: SymbolNode
    path: Path = ()

    def gives(self, read: "Slot") -> bool:
        """Whether another value here is one there, too."""
        return self.root is read.root and read.path[: len(self.path)] == self.path

    @property
    def written(self) -> str:
        return self.root.name + "".join(self.path)


Own: TypeAlias = Mapping[SymbolNode, Slot]  # what `self` and `cls` stand for


def slot_at(node: Expression, own: Own) -> Slot | None:
    """The slot that an expression reads or assigns."""
    path: list[str] = []
    while not isinstance(node, NameExpr):
        if isinstance(node, MemberExpr) and isinstance(getattr(node.expr, "node", None), MypyFile):
            break  # a variable of another module
        if isinstance(node, MemberExpr):
            path.append(f".{node.name}")
            node = node.expr
        elif isinstance(node, IndexExpr) and (key := key_at(node.index)):
            path.append(key)
            node = node.base
        else:
            return None
    root = node.node or _declared_by_functions(node.name)
    if isinstance(root, MypyFile):
        return None
    start = own.get(root, Slot(root))
    return _defined(Slot(start.root, (*start.path, *reversed(path))))


@cache
def _declared_by_functions(name: str) -> Var:
    """What stands for a variable that only `global` in a function makes: mypy does not resolve its name (2.4.1)."""
    variable = Var(name)
    variable._fullname = f"{_NOWHERE}.{name}"
    return variable


def key_at(index: Expression) -> str:
    """How an index is written in a path; empty if the source does not give it."""
    named = text_or_number(index)
    if named is not None and not can_be_written(named):
        return ""
    key = named if named is not None else literal(index)
    return f'["{key}"]' if isinstance(key, str) else f"[{key}]" if key is not None else ""


def _defined(slot: Slot) -> Slot:
    """An attribute of a class as that of the base that defines it."""
    if not isinstance(slot.root, TypeInfo) or not slot.path:
        return slot
    name = slot.path[0].removeprefix(".")
    return Slot(next((base for base in slot.root.mro if name in base.names), slot.root), slot.path)


def is_state(slot: Slot) -> bool:
    """Whether it may hold another value later: no function, class or module does."""
    if isinstance(slot.root, TypeInfo):
        symbol = slot.root.names.get(slot.path[0].removeprefix(".")) if slot.path else None
        return symbol is not None and isinstance(symbol.node, Var) and not slot.root.is_enum
    root = slot.root
    if not isinstance(root, Var) or root.is_self or root.fullname.startswith("builtins."):
        return False
    return bool(slot.path) or not root.is_final


class Called(NamedTuple):
    """A function of the file that an expression names, with what its first parameter stands for."""

    function: FuncDef
    own: Own


def called_at(node: Expression, own: Own, file: CheckedFile) -> Called | None:
    """`helper`, `Config.get` and `cls.get`, and `STATE.scaled` of an object that a variable holds."""
    if isinstance(node, NameExpr):
        function = _function_of(node.node, file)
        return Called(function, {}) if function is not None and not function.info else None
    holder = slot_at(node.expr, own) if isinstance(node, MemberExpr) else None
    if not isinstance(node, MemberExpr) or holder is None:
        return None
    info = class_of(holder, file)
    symbol = info.get(node.name) if info is not None else None
    function = _function_of(symbol.node, file) if symbol is not None else None
    if function is None:
        return None
    variable = self_parameter(function)
    if function.is_class and info is not None:
        holder = Slot(info)
    return Called(function, {variable: holder} if variable is not None else {})


def class_of(slot: Slot, file: CheckedFile) -> TypeInfo | None:
    """The class itself, or that of the one object that a variable holds."""
    if slot.path:
        return None
    if isinstance(slot.root, TypeInfo):
        return slot.root
    made = only_value(slot.root, file)
    callee = made.callee if isinstance(made, CallExpr) else None
    return callee.node if isinstance(callee, NameExpr) and isinstance(callee.node, TypeInfo) else None


def _function_of(node: Node | None, file: CheckedFile) -> FuncDef | None:
    """The function that a name stands for, if it is of the file."""
    found = node.func if isinstance(node, Decorator) else node
    return found if file.defines(found) else None


def own_of(function: FuncItem | None) -> Iterator[tuple[SymbolNode, Slot]]:
    """What `cls` stands for in a class method."""
    variable = self_parameter(function) if function is not None else None
    if variable is not None and isinstance(function, FuncDef) and function.is_class:
        yield variable, Slot(function.info)
