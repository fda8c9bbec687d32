"""What expressions name: `a.b.c`, the callee of a call, the object below attributes and items."""

from mypy.nodes import (
    CallExpr,
    Expression,
    FuncDef,
    FuncItem,
    IndexExpr,
    LambdaExpr,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    Var,
)


def dotted_name(node: Expression) -> str | None:
    """`a.b.c` for names and attributes of names; None for anything else."""
    if isinstance(node, NameExpr):
        return node.name
    if not isinstance(node, MemberExpr):
        return None
    if isinstance(node.expr, NameExpr):
        return f"{node.expr.name}.{node.name}"
    attributes: list[str] = []
    while isinstance(node, MemberExpr):
        attributes.append(node.name)
        node = node.expr
    return ".".join((node.name, *reversed(attributes))) if isinstance(node, NameExpr) else None


def is_named(node: Node | None, name: str) -> bool:
    """Whether a node is just this name."""
    return isinstance(node, NameExpr) and node.name == name


def attribute_of(node: Node | None, owner: str) -> str | None:
    """The `x` in `owner.x`; None for anything else."""
    return node.name if isinstance(node, MemberExpr) and is_named(node.expr, owner) else None


def callee_name(call: CallExpr) -> str:
    """The full name of what is called; empty if it is not a name."""
    return call.callee.fullname if isinstance(call.callee, RefExpr) else ""


def last_name(node: Node) -> str:
    """A name, or the last part of `a.b.c`; empty for anything else."""
    return node.name if isinstance(node, (NameExpr, MemberExpr)) else ""


def base_of(node: Node) -> Node:
    """The `x` in `x.part[key]`."""
    while isinstance(node, (MemberExpr, IndexExpr)):
        node = node.expr if isinstance(node, MemberExpr) else node.base
    return node


def below_items(node: Expression) -> Expression:
    """The `x.part` in `x.part[key][0]`."""
    while isinstance(node, IndexExpr):
        node = node.base
    return node


def is_self(node: Expression) -> bool:
    return isinstance(node, NameExpr) and isinstance(node.node, Var) and node.node.is_self


def function_of(node: Expression) -> FuncItem | None:
    """The function or lambda that an expression stands for."""
    if isinstance(node, LambdaExpr):
        return node
    return node.node if isinstance(node, NameExpr) and isinstance(node.node, FuncDef) else None
